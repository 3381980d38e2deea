"""QueryPlane: one query over four inputs, dragged in the plane.

Its direction chooses among the keys, its length how firmly: softmax of a longer q·k is
sharper. The output is an average of the values with these weights, so it never leaves
their hull.
"""

from __future__ import annotations

from math import sqrt

from attention_book.widgets.controls import free, select
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.matrices import matrices, matrix
from attention_book.widgets.planes import plane, points
from attention_book.widgets.widget import Widget

Q = [[0.9, -0.2]]
K = [[2.2, 0.4], [0.7, 2.1], [-1.9, 0.8], [-0.4, -2.2]]
V = [[2.3, 1.7], [-1.5, 2.2], [-2.2, -1.3], [1.4, -2.1]]
REACH = 3.0  # of both axes, up and down
INPUT, SCORES = "input", "scores"
SCALED, PLAIN = "q·k / √D", "q·k"


def query_plane() -> Widget:
    """Show scores, weights and output of a query that the reader drags; D_Q is 2."""
    arrays = {"q": Q, "K": K, "V": V}
    products = computed(
        "product", A=control("q"), B=computed("transposed", rows=control("K"))
    )
    root = over(SCORES, {SCALED: sqrt(2), PLAIN: 1.0}.get)
    E = computed("divided", values=products, by=root)
    A = computed("softmax", scores=E, temperature=1.0)
    Y = computed("product", A=A, B=control("V"))
    a = computed("last_row", rows=A, count=1)  # of the only query
    names = [f"k{number}" for number in "₁₂₃₄"]
    plane_of = {"limits": (-REACH, REACH), "half": True}
    return Widget(
        title="One query, four keys",
        question="Drag q to twice its length. Where does y go?",
        controls=[
            select(SCORES, [SCALED, PLAIN]),
            *(free(name, at, low=-REACH, high=REACH) for name, at in arrays.items()),
        ],
        panels=[
            plane(
                [
                    points("k", control("K"), "asked", axis=INPUT, arrows=True),
                    points("q", control("q"), "asks", arrows=True),
                ],
                label="query and keys",
                say="{name} = ({x}, {y}), of length {length}",
                **plane_of,
            ),
            plane(
                [
                    points(
                        "v", control("V"), "taken", weights=a, axis=INPUT, hull=True
                    ),
                    points("y", Y, "out", ring=True),
                ],
                label="values and output",
                **plane_of,
            ),
            matrices(
                [
                    matrix("E", E, columns=names, axes=(None, INPUT), room=5.5),
                    matrix("A", A, columns=names, axes=(None, INPUT), weights=True),
                    matrix("y", Y, columns=["y₁", "y₂"], role="out"),
                ]
            ),
        ],
        link="query-plane",
    )
