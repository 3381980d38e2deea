"""The panel of a network's layers: vectors at places, who is made from whom, and what
one output sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book.widgets.fields import ControlValue, control
from attention_book.widgets.panel import (
    Panel,
    holding,
)

ROW, FOOT = 36, 20  # pixels of a layer, and of the numbers of the places


class Network(Panel):
    """Vectors in layers, from the inputs at the bottom up."""

    kind = "network"
    holds = holding(numbers="edges steps seen depth output")

    def check(self) -> None:
        N = len(self.chosen("output").values)
        shapes = {leaf.shape for leaf in self.fields["steps"].every}
        if len(shapes) > 1 or next(iter(shapes))[1:] != (N,):
            raise ValueError(
                f"steps has the shapes {sorted(shapes)}: expected layers × {N}, the "
                "places of the output"
            )
        layers = next(iter(shapes))[0]
        if any(leaf.shape != (layers, N) for leaf in self.fields["seen"].every):
            raise ValueError(f"seen must have shape ({layers}, {N}), as steps has")
        for leaf in self.fields["edges"].every:
            if leaf.ndim != 2 or leaf.shape[1] != 4:
                raise ValueError(
                    "edges must hold rows (layer, place, layer, place), from where to "
                    "where"
                )
            if (leaf < 0).any() or (leaf >= [layers, N] * 2).any():
                raise ValueError(f"edges leave the {layers} layers of {N} places")
        deepest = self.extent("depth")[1]
        if deepest >= layers:
            raise ValueError(
                f"depth reaches {deepest:g} but steps has {layers} rows: expected one "
                "more, for the inputs"
            )
        self.options["rows"] = layers

    def height(self, width: float) -> float:
        return self.options["rows"] * ROW + FOOT

    def static_text(self, index: Sequence[Any]) -> list[str]:
        inputs = self.fields["seen"].at(index)[0]
        places = ", ".join(str(i + 1) for i in np.flatnonzero(inputs))
        return [f"the inputs {places}."]


def network(
    edges: Any,
    steps: Any,
    seen: Any,
    *,
    depth: ControlValue,
    output: ControlValue,
    label: str = "",
) -> Panel:
    """Make a drawing of layers of vectors, with what one output sees lit.

    Parameters
    ----------
    edges
        Rows (layer, place, layer, place): the vector that is used, and the one that is
        made from it; from 0, layer 0 being the inputs.
    steps
        The step in which each vector can be computed, (layers with the inputs, N).
    seen
        1 where the output sees a vector, else 0; as large.
    depth
        ``control(name)``, the number of layers that are there.
    output
        ``control(name)``, whose N values are the places of the last layer; a click
        chooses one.
    """
    given = {"edges": edges, "steps": steps, "seen": seen, "depth": depth}
    options = {"output": output.name, "row": ROW, "foot": FOOT}
    return Network(given | {"output": control(output.name)}, options, label)
