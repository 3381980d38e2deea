"""A panel of layers refuses edges and sizes that do not fit together."""

import numpy as np
import pytest

from attention_book.widgets import Widget, control, network, slider

STEPS = np.repeat([[0.0], [1.0], [2.0]], 3, axis=1)
SEEN = np.array([[1.0, 1, 0], [1, 1, 0], [0, 1, 0]])
EDGES = [(0, 0, 1, 0), (0, 0, 1, 1), (0, 1, 1, 1), (1, 0, 2, 1), (1, 1, 2, 1)]


def made(edges=EDGES, steps=STEPS, seen=SEEN, output="output"):
    return Widget(
        "layers",
        controls=[slider("depth", [1, 2]), slider("output", [1, 2, 3])],
        panels=[
            network(
                edges,
                steps,
                seen,
                depth=control("depth"),
                output=control(output),
                label="layers",
            )
        ],
    )


def test_without_javascript_the_inputs_that_are_seen_are_named():
    assert made().static_text()[-1] == "layers: the inputs 1, 2."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": STEPS[:, :2]}, r"steps has the shapes \[\(3, 2\)\]: expected"),
        ({"steps": [1, 2, 3]}, r"steps has the shapes \[\(3,\)\]: expected"),
        ({"seen": SEEN[:2]}, r"seen must have shape \(3, 3\), as steps has"),
        (
            {"edges": [(0, 0, 1)]},
            r"edges must hold rows \(layer, place, layer, place\)",
        ),
        ({"edges": [(0, 0, 3, 0)]}, "edges leave the 3 layers of 3 places"),
        ({"edges": [(0, -1, 1, 0)]}, "edges leave the 3 layers of 3 places"),
        (
            {"steps": STEPS[:2], "seen": SEEN[:2], "edges": EDGES[:3]},
            "depth reaches 2 but steps has 2 rows",
        ),
        ({"output": "place"}, "unknown control 'place'"),
    ],
)
def test_what_does_not_fit_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        made(**change)
