"""StepByStep: self-attention of four words in five steps, from x on, by hand.

`step_by_step` takes the scores of a worked example [alammar2018illustrated], divided by
8, the root of 64 entries. It gives no vectors, so some were chosen that lead to these
scores; the entries left out are 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from attention_book.widgets.controls import free, select, slider
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.matrices import matrices, matrix
from attention_book.widgets.widget import Widget

WORD, STEP = "word that asks", "step"
Rows = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Example:
    """Four words and three matrices."""

    words: Sequence[str]
    X: Rows
    W_Q: Rows
    W_K: Rows
    W_V: Rows
    D_Q: int  # entries of a key, with those that are left out
    root: str  # of D_Q, as it is written
    traits: Sequence[str] | None = None  # what the entries of an x say
    labels: tuple[str, str] = ("", "")  # above the tables: of x, of y
    # Digits for which columns have room: words and matrices, queries and keys, scores
    rooms: tuple[float, float, float] = (4.5, 4.5, 7)


# An adjective looks for its kind (W_Q) and is not found as one (W_K): it is no noun.
BY_HAND = Example(
    words=("horse", "bus", "scared", "parked"),
    X=((1, 0, 0, 1), (0, 1, 0, -1), (1, 0, 1, 0), (0, 1, 1, 0)),
    W_Q=((4, 0), (0, 4), (0, 0), (0, 0)),
    W_K=((1, 0), (0, 1), (-1, -1), (0, 0)),
    W_V=((0,), (0,), (0,), (1,)),
    D_Q=2,
    root="√2",
    traits=("animal", "vehicle", "adj.", "es/er"),
    labels=(
        "X: animal, vehicle, adjective, es or er",
        "y near 1 says es, y near −1 says er",
    ),
    rooms=(1.9, 4, 6.5),
)
LECTURE = Example(
    words=("x₁", "x₂", "x₃", "x₄"),
    X=((2, 2, -2), (0, 2, 4), (2, 0, 3), (1, 0, 1)),
    W_Q=((0, -1), (4, 1), (0, 0)),
    W_K=((1, -3), (6, 1), (0, 3)),
    W_V=((1, 0), (0, 0), (0, 1)),
    D_Q=64,
    root="8",
)


def by_hand() -> Widget:
    """Walk through the chapter's example; the reader changes words and matrices."""
    return steps_of(
        BY_HAND,
        title="Four words, by hand",
        question="Predict: where does scared look if both −1 in W_K become 0?",
        start=None,
        asks="scared",
        link="by-hand",
    )


def step_by_step() -> Widget:
    """Walk through the lecture's example."""
    return steps_of(
        LECTURE,
        title="Self-attention in five steps",
        question="Predict y₂, then let x₂ ask.",
        start=1,
        asks="x₁",
        link="step-by-step",
    )


def steps_of(
    example: Example,
    *,
    title: str,
    question: str,
    start: int | None,
    asks: str,
    link: str,
) -> Widget:
    """Walk through the five steps of an example from step `start`; None shows all."""
    words, traits = list(example.words), example.traits
    root, (few, some, more) = f"÷ {example.root}", example.rooms
    arrays = {name: getattr(example, name) for name in ("X", "W_Q", "W_K", "W_V")}
    number = over(WORD, dict(zip(words, range(1, 5), strict=True)).get)

    def of_the_word(rows):
        return computed("last_row", rows=rows, count=number)

    X, W_Q, W_K, W_V = map(control, arrays)
    Q, K, V = (computed("product", A=X, B=W) for W in (W_Q, W_K, W_V))
    E = computed("product", A=Q, B=computed("transposed", rows=K))
    scaled = computed("divided", values=E, by=sqrt(example.D_Q))
    A = computed("softmax", scores=scaled, temperature=1.0)
    Y = computed("product", A=A, B=V)
    one = [[[float(i == j) for j in range(4)]] for i in range(4)]  # picks a row
    y = computed("product", A=over(WORD, one), B=Y)
    named = None if traits else over(WORD, [[w.replace("x", "y")] for w in words])
    step = [] if start is None else [slider(STEP, range(1, 6), default=start)]
    ask, ed = ("query", None), ("input", None)  # what the rows lie along
    of_words = {"rows": words, "named": "first"}
    to_ask = [
        matrix("Q", Q, **of_words, role="asks", axes=ask, room=some),
        matrix("K", K, **of_words, role="asked", axes=ed, room=some),
    ]
    of_one = of_words | {"axes": ed}
    steps = [  # a table, and the step that brings it
        (matrix("V", V, **of_one, role="taken", room=few), 1),
        (matrix("q·k", of_the_word(E), **of_one, room=more), 2),
        (matrix(root, of_the_word(scaled), **of_one, digits=3, room=more - 1), 3),
        (
            matrix("a", of_the_word(A), **of_one, weights=True, digits=3, room=4.5),
            3,
        ),
        (matrix("y", y, rows=named, role="out", digits=3, room=5.5), 4),
    ]
    if traits:  # named, the matrices take the whole line
        steps, to_ask = [*((table, 1) for table in to_ask), *steps], []
    of_traits = {"rows": traits, "room": few}
    return Widget(
        title=title,
        question=question,
        controls=[
            *step,
            select(WORD, words, asks),
            *(free(name, at, low=-9, high=9, step=1) for name, at in arrays.items()),
        ],
        panels=[
            matrices(
                [
                    matrix("X", X, rows=words, role="asked", axes=ed, room=few),
                    matrix("W_Q", W_Q, **of_traits, role="asks"),
                    matrix("W_K", W_K, **of_traits, named="wide", role="asked"),
                    matrix("W_V", W_V, **of_traits, named="first", role="taken"),
                    *to_ask,
                ],
                label=example.labels[0],
            ),
            matrices(
                [table for table, _ in steps],
                shown=over(STEP, lambda now: [n <= now for _, n in steps])
                if step
                else None,
                label=example.labels[1],
            ),
        ],
        follow={"query": over(WORD, range(4))},
        summary=over(STEP, told(example)) if step else None,
        link=link,
    )


def told(example: Example) -> list[str]:
    """What happens in each step."""
    D_Q = example.D_Q
    left = f" ({D_Q - 2} of them are 0)" if D_Q > 2 else ""
    return [
        "1. Make a query, a key and a value of each word: one row of Q, one of K and "
        "one of V.",
        "2. Compare the query of the word that asks with every key.",
        f"3. Divide by {example.root}, the root of {D_Q} entries{left}; softmax makes "
        "weights.",
        "4. Mix the values with these weights.",
        "5. Do the same for all other words: let another one ask.",
    ]
