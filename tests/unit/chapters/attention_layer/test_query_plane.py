"""QueryPlane shows attention, and makes its point in the state that it opens with."""

import numpy as np
import pytest

from attention_book.chapters.attention_layer.widgets import query_plane
from attention_book.reference import attention


def shown(widget):
    """What the panels show: scores, weights and output."""
    _, values_and_y, tables = widget.panels
    E, A = (tables.fields[name].at(widget.index) for name in ("m0", "m1"))
    y = values_and_y.fields["p1"].at(widget.index)
    np.testing.assert_array_equal(y, tables.fields["m2"].at(widget.index))
    return E, A, y


@pytest.mark.parametrize("q", [[0.9, -0.2], [-3.0, 3.0], [0.0, 0.0]])
def test_weights_and_output_are_those_of_the_reference(q):
    widget = query_plane()
    widget.setting = {"q": [q]}
    setting = widget.setting
    E, A, Y = shown(widget)
    right_Y, right_A = attention(setting["q"], setting["K"], setting["V"])
    np.testing.assert_allclose(A, right_A, rtol=0, atol=1e-12)
    np.testing.assert_allclose(Y, right_Y, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        E, setting["q"] @ setting["K"].T / np.sqrt(2), atol=1e-12
    )


def test_a_query_of_twice_the_length_brings_the_output_towards_one_value():
    widget = query_plane()
    v = widget.setting["V"][0]
    _, A, Y = shown(widget)
    widget.setting = {"q": 2 * widget.setting["q"]}
    _, longer_A, longer_Y = shown(widget)
    assert A.argmax() == longer_A.argmax() == 0
    assert A.max() < 0.65 < 0.8 < longer_A.max()
    assert np.linalg.norm(longer_Y - v) < 0.5 * np.linalg.norm(Y - v)
