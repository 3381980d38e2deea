"""ImageAttention: a cell of the picture is clicked, and shows where it looks.

Each cell on a digit is to say which key the picture has. What it looks at and what
several networks say there stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float

from attention_book.chapters.cnn_attention.scenes import (
    CELL,
    CENTRES,
    N_SIDE,
    answer,
    asked,
    distance,
    key_of,
)
from attention_book.data import DIGIT_NAMES, Scene
from attention_book.metrics.pointing import cells_inside
from attention_book.widgets.controls import cells, select
from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.fields import control, over
from attention_book.widgets.pictures import picture
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget

SCENE, CHOSEN = "scene", "cell"
N_X = N_SIDE**2


def names_of(scene: Scene) -> list[str]:
    """What the digits of a scene are."""
    return [DIGIT_NAMES[digit] for digit in scene.digits]


def covers(scene: Scene) -> Float[np.ndarray, "N_digits N_X"]:
    """Which part of each cell lies in the box of each digit."""
    inside = np.zeros((len(scene.boxes), *scene.image.shape))
    for mask, (top, left, height, width) in zip(inside, scene.boxes, strict=True):
        mask[top : top + height, left : left + width] = 1
    parts = inside.reshape(-1, N_SIDE, CELL, N_SIDE, CELL).mean(axis=(2, 4))
    return parts.reshape(-1, N_X)


def where(scene: Scene, shares: np.ndarray) -> str:
    """Say where a cell looks, by its share of attention on each digit."""
    beside = f"{max(0.0, 1 - shares.sum()):.2f} beside them"
    key = key_of(scene)
    if key is None:
        return f"It looks {shares.sum():.2f} at the digits, {beside}."
    others = np.delete(shares, key).sum()
    return (
        f"It looks {shares[key]:.2f} at the key, {others:.2f} at the others, {beside}."
    )


def verdict(scene: Scene, cell: int, said: Mapping[str, str]) -> str:
    """Say what a cell lies on, and of each network whether it is right there."""
    on = np.flatnonzero(cells_inside(CENTRES[[cell]], scene.boxes)[:, 0])
    if not asked(scene)[cell]:
        place = "on the key" if on.size else "beside the digits"
        return f"The middle of the orange cell lies {place}, so it is not asked."
    right = answer(scene)
    words = [
        f"With {network} it says {word}, {'right' if word == right else 'wrong'}."
        for network, word in said.items()
    ]
    return (
        f"The orange cell lies on the {names_of(scene)[on[0]]}. Which key is "
        f"there? Right is {right}. {' '.join(words)}"
    )


def furthest_from_key(scenes: Sequence[Scene]) -> tuple[int, int]:
    """Find the scene, and in it the cell that is asked, furthest from its key.

    If some cells are asked in every scene, it is one of them: then the cell lies on a
    digit in the other scenes, too.
    """
    cells_asked = np.array([asked(scene) for scene in scenes])
    if cells_asked.all(axis=0).any():
        cells_asked &= cells_asked.all(axis=0)
    away = np.array([distance(scene) for scene in scenes])
    away[~cells_asked | np.isinf(away)] = -1
    number, cell = np.unravel_index(away.argmax(), away.shape)
    return int(number), int(cell)


def image_attention(
    scenes: Sequence[Scene],
    A: Float[np.ndarray, "N N_X N_X"],
    said: Mapping[str, np.ndarray],
    *,
    link: str = "image-attention",
) -> Widget:
    """Show where a cell that the reader chooses looks; it opens far from a key.

    `said` maps what a network has to the word that it says at each cell, (N, N_X).
    """
    expect_some(scenes=scenes)
    expect_shape("A", A, (len(scenes), N_X, N_X), "scenes × cells × cells")
    expect_weights("A", A)
    for network, words in said.items():
        expect_shape(
            f"said with {network}", words, (len(scenes), N_X), "scenes × cells"
        )
    shares = [A[n] @ covers(scene).T for n, scene in enumerate(scenes)]
    numbered = list(enumerate(scenes))
    menu = [", ".join(names_of(scene)) for scene in scenes]
    number, cell = furthest_from_key(scenes)
    return Widget(
        title="Where a cell looks",
        question="Where does a cell on a digit look, and where one on paper? Click.",
        controls=[
            select(SCENE, menu, default=menu[number]),
            cells(CHOSEN, N_SIDE, N_SIDE, (cell // N_SIDE + 1, cell % N_SIDE + 1)),
        ],
        panels=[
            picture(
                over(SCENE, [scene.image.clip(0, 1) for scene in scenes]),
                over(SCENE, CHOSEN, A.reshape(-1, N_X, N_SIDE, N_SIDE)),
                over(SCENE, [f"Digits: {names}." for names in menu]),
                query="The orange cell",
                boxes=over(SCENE, [scene.boxes for scene in scenes]),
                names=over(SCENE, CHOSEN, [_labels(s, shares[n]) for n, s in numbered]),
                lit=over(
                    SCENE, [-1 if key_of(s) is None else key_of(s) for s in scenes]
                ),
                box_label="digits; key thick",
                asks=control(CHOSEN),
                half=True,
            ),
            text(
                over(
                    SCENE,
                    CHOSEN,
                    [
                        [
                            verdict(s, x, {name: said[name][n, x] for name in said})
                            for x in range(N_X)
                        ]
                        for n, s in numbered
                    ],
                ),
                half=True,
            ),
        ],
        summary=over(
            SCENE, CHOSEN, [[where(s, each) for each in shares[n]] for n, s in numbered]
        ),
        link=link,
    )


def _labels(scene: Scene, shares: np.ndarray) -> list[list[str]]:
    """What stands at each box while a cell is chosen: the digit, and its share."""
    return [
        [
            f"{name} {share:.2f}"
            for name, share in zip(names_of(scene), row, strict=True)
        ]
        for row in shares
    ]
