"""Shuffle: self-attention's outputs are shuffled as its inputs are.

f is a self-attention layer of small fixed matrices, s the order that the reader drags
the words into. Without positions f(s(X)) = s(f(X)) to rounding, and the mean of the
outputs stays. With positions added both differ.
"""

from typing import Any

import numpy as np

from attention_book.widgets.controls import arrangement, select
from attention_book.widgets.fields import Computed, computed, control, over
from attention_book.widgets.functions import positional_encoding
from attention_book.widgets.grids import heat_map
from attention_book.widgets.strips import bars, reorder
from attention_book.widgets.widget import Widget

ORDER, POSITIONS = "order", "positions"
WORDS, OPENS = ("dog", "bit", "old", "man"), ("man", "bit", "old", "dog")
OFF, SINE = "off", "sine added"
N, D_X, D_V = len(WORDS), 4, 3
SEED = 45  # with outputs that can be told apart by their colours


def small_layer(seed: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw the words' vectors X (N, D_X), and W_Q, W_K, W_V (D_X, D_V) by letter."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(N, D_X)).round(1)
    return X, {name: random.normal(size=(D_X, D_V)).round(1) for name in "QKV"}


PLACES = over(ORDER, lambda text: [WORDS.index(word) for word in text.split()])
IN_ORDER = over(ORDER, str.split)


def _placed(inputs: Any) -> Computed:
    """The inputs, with or without positions."""
    P = positional_encoding(N, D_X, 10_000)
    return computed("added", A=inputs, B=over(POSITIONS, [np.zeros_like(P), P]))


def _times(inputs: Computed, W: np.ndarray) -> Computed:
    return computed("product", A=inputs, B=W)


def shuffle() -> Widget:
    """Show weights and outputs of self-attention over words in any order."""
    X, W = small_layer(SEED)
    shuffled = _placed(computed("ordered", rows=X, order=PLACES))
    QKV = {name: _times(shuffled, each) for name, each in W.items()}
    Y = computed("attention", **QKV)
    placed = _placed(X)
    unshuffled = computed("attention", **{name: _times(placed, W[name]) for name in W})
    expected = computed("ordered", rows=unshuffled, order=PLACES)
    return Widget(
        title="Shuffle the words",
        question="Predict: what moves when a word moves?",
        controls=[arrangement(ORDER, WORDS, OPENS), select(POSITIONS, [OFF, SINE])],
        panels=[
            reorder(control(ORDER)),
            heat_map(
                IN_ORDER,
                IN_ORDER,
                computed("attention_weights", Q=QKV["Q"], K=QKV["K"]),
                label="weights A",
                limits=(0, 1),
                cell=(30, 28),
                half=True,
            ),
            heat_map(
                over(ORDER, lambda text: [*text.split(), "mean"]),
                range(1, D_V + 1),
                computed("with_average", weights=np.full(N, 1 / N), rows=Y),
                label="outputs Y, and their mean",
                axes=("output", "entry"),
                diverging=True,
                say="entry {column} of {row} is {value}",
                cell=(30, 18),
                half=True,
            ),
            bars(
                ["‖f(s(X)) − s(f(X))‖", "of their means"],
                computed("apart", A=Y, B=expected),
                axis="difference",
                digits=3,
            ),
        ],
        summary=f"X: {' '.join(WORDS)}. s: the order above. f: self-attention.",
        link="shuffle",
    )


def inside() -> Widget:
    """Show queries, keys, values and scores of that layer without positions."""
    X, W = small_layer(SEED)
    shuffled = computed("ordered", rows=X, order=PLACES)
    Q, K = (_times(shuffled, W[name]) for name in "QK")
    products = computed("product", A=Q, B=computed("transposed", rows=K))
    subscripts = "₁₂₃"[:D_V]
    return Widget(
        title="Inside the layer",
        question="Move a word. Which rows move, and where do columns move too?",
        controls=[arrangement(ORDER, WORDS, OPENS)],
        panels=[
            reorder(control(ORDER)),
            heat_map(
                IN_ORDER,
                [f"{name}{each}" for name in W for each in subscripts],
                _times(shuffled, np.hstack(list(W.values()))),
                label="queries Q, keys K, values V",
                axes=("word", "entry"),
                diverging=True,
                say="{column} of {row} is {value}",
                cell=(26, 24),
                half=True,
            ),
            heat_map(
                IN_ORDER,
                IN_ORDER,
                computed("divided", values=products, by=np.sqrt(D_V)),
                label="scores E",
                axes=("word", "asked"),
                diverging=True,
                say="the score of {column} for {row} is {value}",
                cell=(30, 28),
                half=True,
            ),
        ],
        summary="A row of Q, K or V is made of one word; a score is made of two.",
        link="inside",
    )
