"""ImageAttention: a cell of the picture is clicked, and shows where it looks.

Each cell that lies on a digit is to say which key the picture has. What it looks at and
what several networks say there stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from attention_book.widgets.controls import cells, select
from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.fields import control, over
from attention_book.widgets.pictures import picture
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget

SCENE, CELL = "scene", "cell"


@dataclass(frozen=True)
class KeyScene:
    """A picture with a key or none, and what each of its R × C cells looks at and says.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W): 0 is paper, 1 is ink.
    boxes
        The digits, (n, 4): top, left, height, width in whole pixels.
    names
        What the n digits are.
    key
        Which of them is the key, from 0; None if there is none.
    answer
        What is right to say.
    asked
        The cells that are asked, (R, C).
    A
        Weights of each cell over all cells, row by row, (R C, R C).
    said
        What a network has -> what it says at each cell, R C words.

    Raises
    ------
    ValueError
        If a shape does not fit, a cell does not cover whole pixels, or weights do not
        sum to 1.
    """

    image: Float[np.ndarray, "H W"]
    boxes: np.ndarray
    names: Sequence[str]
    key: int | None
    answer: str
    asked: Bool[np.ndarray, "R C"]
    A: Float[np.ndarray, "N_X N_X"]
    said: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        (H, W), (R, C) = np.shape(self.image), np.shape(self.asked)
        if H % R or W % C:
            raise ValueError(
                f"image is {H} × {W} pixels but asked has {R} × {C} cells: a cell must "
                "cover whole pixels"
            )
        expect_shape("A", self.A, (R * C, R * C), "cells × cells")
        expect_weights("A", self.A)
        expect_shape("boxes", self.boxes, (len(self.names), 4), "names × 4")
        for network, words in self.said.items():
            if len(words) != R * C:
                raise ValueError(
                    f"with {network} {len(words)} words are said, but there are "
                    f"{R * C} cells"
                )

    def covers(self) -> Float[np.ndarray, "n N_X"]:
        """Which part of each cell lies in each box."""
        (H, W), (R, C) = np.shape(self.image), np.shape(self.asked)
        inside = np.zeros((len(self.names), H, W))
        for mask, (top, left, height, width) in zip(inside, self.boxes, strict=True):
            mask[top : top + height, left : left + width] = 1
        parts = inside.reshape(-1, R, H // R, C, W // C).mean(axis=(2, 4))
        return parts.reshape(-1, R * C)

    def shares(self) -> Float[np.ndarray, "N_X n"]:
        """Each cell's share of attention on each digit; a cell's is spread evenly."""
        return np.asarray(self.A, dtype=float) @ self.covers().T

    def labels(self) -> list[list[str]]:
        """What stands at each box while a cell is chosen: the digit, and its share."""
        return [
            [f"{name} {share:.2f}" for name, share in zip(self.names, row, strict=True)]
            for row in self.shares()
        ]

    def looks(self) -> list[str]:
        """Say of each cell where it looks."""
        return [self._look(row) for row in self.shares()]

    def _look(self, shares: np.ndarray) -> str:
        beside = f"{max(0.0, 1 - shares.sum()):.2f} beside them"
        if self.key is None:
            return f"It looks {shares.sum():.2f} at the digits, {beside}."
        others = np.delete(shares, self.key).sum()
        return (
            f"It looks {shares[self.key]:.2f} at the key, {others:.2f} at the other "
            f"digits, {beside}."
        )

    def verdicts(self) -> list[str]:
        """Say of each cell what it lies on, and what is said there."""
        return [self._verdict(cell) for cell in range(np.size(self.asked))]

    def _verdict(self, cell: int) -> str:
        parts = self.covers()[:, cell]
        if not np.ravel(self.asked)[cell]:
            on_key = self.key is not None and parts[self.key] >= 0.5
            place = "on the key" if on_key else "beside the digits"
            return f"The orange cell lies {place} and is not asked."
        said = [
            f"With {network} it says {words[cell]}, "
            f"{'right' if words[cell] == self.answer else 'wrong'}."
            for network, words in self.said.items()
        ]
        return (
            f"The orange cell lies on the {self.names[parts.argmax()]}. Which key is "
            f"there? Right is {self.answer}. {' '.join(said)}"
        )


def image_attention(
    scenes: Mapping[str, KeyScene],
    *,
    start_scene: str,
    start_cell: tuple[int, int],
    link: str = "image-attention",
) -> Widget:
    """Show where a cell that the reader picks looks.

    Parameters
    ----------
    scenes
        What the menu says -> scene, all of as many cells.
    start_scene, start_cell
        What it opens with; row and column count from 1.

    Raises
    ------
    ValueError
        No scene, or a start that is not there.
    """
    expect_some(scenes=scenes)
    every = list(scenes.values())
    R, C = np.shape(every[0].asked)
    return Widget(
        title="Where a cell looks",
        question="Where does a cell on a digit look, and where one on paper? Click.",
        controls=[
            select(SCENE, list(scenes), default=start_scene),
            cells(CELL, R, C, default=start_cell),
        ],
        panels=[
            picture(
                over(SCENE, [scene.image for scene in every]),
                over(SCENE, CELL, [np.reshape(s.A, (R * C, R, C)) for s in every]),
                over(SCENE, [f"Digits: {', '.join(s.names)}." for s in every]),
                query="The orange cell",
                boxes=over(SCENE, [scene.boxes for scene in every]),
                names=over(SCENE, CELL, [scene.labels() for scene in every]),
                lit=over(SCENE, [-1 if s.key is None else s.key for s in every]),
                box_label="digits, the key thick",
                asks=control(CELL),
                half=True,
            ),
            text(over(SCENE, CELL, [s.verdicts() for s in every]), half=True),
        ],
        summary=over(SCENE, CELL, [scene.looks() for scene in every]),
        link=link,
    )
