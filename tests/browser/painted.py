"""A figure to test painted masks on: each head shares out its weight over what is left.

The layer was not trained: its words and matrices are drawn once, from a fixed seed. Its
width is the same for one, two and four heads; each head has its share of the columns of
Q and K. The mask is applied to the scores, before the softmax, and is the same for all
heads.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from attention_book.reference import causal_mask, padding_mask, split_heads
from attention_book.widgets.controls import free, select
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.grids import heat_map
from attention_book.widgets.maps import maps
from attention_book.widgets.widget import Widget

VISIBLE, HEAD = "visible", "head"
WORDS = ["[START]", "Big", "cat", "sits", "down", "[PAD]"]
N, D = len(WORDS), 8
HEADS = [(k, N_heads) for N_heads in (1, 2, 4) for k in range(N_heads)]
SEED = 245  # with heads that look elsewhere, and a cat that looks at [START]
WINDOW = 2  # a position sees itself and its neighbours


def presets() -> dict[str, Float[np.ndarray, "N N"]]:
    """Masks, by name: 1 where a position (row) may look."""
    position = np.arange(N)
    real = padding_mask(np.array([WORDS.index("[PAD]")]), N)
    masks = {
        "all": np.ones((N, N)),
        "causal": causal_mask(N),
        "window": np.abs(position[:, None] - position) < WINDOW,
        "padding": np.repeat(real, N, axis=0),
    }
    return {name: mask.astype(float) for name, mask in masks.items()}


def scores(N_heads: int, seed: int = SEED) -> Float[np.ndarray, "N_heads N N"]:
    """Scores of every head of one layer, whose width its heads share."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(N, D))
    W_Q, W_K = random.normal(scale=np.sqrt(3 / D), size=(2, D, D))
    Q, K = split_heads(X @ W_Q, N_heads), split_heads(X @ W_K, N_heads)
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(D // N_heads)


def mask_and_heads(*, link: str = "mask-and-heads") -> Widget:
    """Let the reader paint a mask; show the weights of one to four heads under it."""
    visible = control(VISIBLE)
    masks = presets()

    def weights(E):
        return computed("masked_softmax", scores=over(HEAD, E), visible=visible)

    return Widget(
        title="One mask, several heads",
        question="Predict: hide [START] from cat. Whose weights change?",
        controls=[
            select(HEAD, [f"{k + 1} of {N_heads}" for k, N_heads in HEADS], "1 of 4"),
            free(VISIBLE, masks["causal"], low=0, high=1, step=1),
        ],
        panels=[
            heat_map(
                WORDS,
                WORDS,
                weights([scores(N_heads)[k] for k, N_heads in HEADS]),
                label="weights A of this head",
                visible=visible,
                presets=masks,
                limits=(0, 1),
                half=True,
            ),
            maps(
                over(HEAD, [[f"head {k + 1}" for k in range(n)] for _, n in HEADS]),
                WORDS,
                WORDS,
                weights([scores(N_heads) for _, N_heads in HEADS]),
                label="all heads of an untrained layer",
                visible=visible,
                half=True,
            ),
        ],
        follow={"head": over(HEAD, [k for k, _ in HEADS])},
        link=link,
    )
