"""StepByStep: self-attention of four words in five steps, with the lecture's scores.

The lecture gives the scores of two words, 112, 96, 16, 8 and 92, 124, 22, 8, and
divides by 8, the root of its width 64. It gives no vectors. Those here were chosen so
that these scores come out; of 64 entries of a query, a key and a value the first two
are shown, the others are 0.
"""

from __future__ import annotations

from math import sqrt

from attention_book.widgets.controls import free, select, slider
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.matrices import matrices, matrix
from attention_book.widgets.widget import Widget

X = [[2, 2, -2], [0, 2, 4], [2, 0, 3], [1, 0, 1]]
W_Q = [[0, -1], [4, 1], [0, 0]]
W_K = [[1, -3], [6, 1], [0, 3]]
W_V = [[1, 0], [0, 0], [0, 1]]
D_Q = 64  # the lecture's
WORDS = ["x₁", "x₂", "x₃", "x₄"]
WORD, STEP = "word that asks", "step"
STEPS = [
    "1. Make a query, a key and a value of each word: a row each of Q, K and V.",
    "2. Compare the query of the word that asks with every key.",
    "3. Divide by 8, the root of 64 entries (62 are 0); softmax makes weights.",
    "4. Mix the values with these weights.",
    "5. Do the same for all other words: let another one ask.",
]


def step_by_step(*, link: str = "step-by-step") -> Widget:
    """Walk through the five steps; the reader changes words and matrices."""
    arrays = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    asks = over(WORD, dict(zip(WORDS, range(1, 5), strict=True)).get)

    def times(name: str):
        return computed("product", A=control("X"), B=control(name))

    def of_the_word(rows):
        return computed("last_row", rows=rows, count=asks)

    Q, K, V = map(times, ("W_Q", "W_K", "W_V"))
    E = computed("product", A=Q, B=computed("transposed", rows=K))
    scaled = computed("divided", values=E, by=sqrt(D_Q))
    A = computed("softmax", scores=scaled, temperature=1.0)
    Y = computed("product", A=A, B=V)
    one = [[[float(i == j) for j in range(4)]] for i in range(4)]  # picks a row
    y = computed("product", A=over(WORD, one), B=Y)
    ask, ed = ("query", None), ("input", None)  # what the rows lie along
    steps = [  # a table, and the step that brings it
        (matrix("V", V, rows=WORDS, role="taken", axes=ed), 1),
        (matrix("q·k", of_the_word(E), axes=ed, room=7), 2),
        (matrix("÷ 8", of_the_word(scaled), axes=ed, room=6), 3),
        (
            matrix("a", of_the_word(A), axes=ed, weights=True, digits=4, room=5.5),
            3,
        ),
        (
            matrix("y", y, rows=over(WORD, [[f"y{x[1:]}"] for x in WORDS]), role="out"),
            4,
        ),
    ]
    return Widget(
        title="Self-attention in five steps",
        question="Guess what x₂ takes, then let it ask.",
        controls=[
            slider(STEP, range(1, 6), default=4),
            select(WORD, WORDS),
            *(free(name, at, low=-9, high=9, step=1) for name, at in arrays.items()),
        ],
        panels=[
            matrices(
                [
                    matrix("W_Q", control("W_Q"), role="asks"),
                    matrix("W_K", control("W_K"), role="asked"),
                    matrix("W_V", control("W_V"), role="taken"),
                ]
            ),
            matrices(
                [
                    matrix("X", control("X"), rows=WORDS, role="asked", axes=ed),
                    matrix("Q", Q, role="asks", axes=ask),
                    matrix("K", K, role="asked", axes=ed),
                ]
            ),
            matrices(
                [table for table, _ in steps],
                shown=over(STEP, lambda now: [step <= now for _, step in steps]),
            ),
        ],
        follow={"query": over(WORD, range(4))},
        summary=over(STEP, STEPS),
        link=link,
    )
