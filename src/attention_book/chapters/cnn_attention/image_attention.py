"""ImageAttention: a cell of the picture is clicked, and shows where it looks.

Each cell that lies on a digit is asked which digit the key is. What it looks at and
what two networks answer there stand side by side.
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
    """A picture with a key, and what each of its R × C cells looks at and answers.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W): 0 is paper, 1 is ink.
    boxes
        The digits, (n, 4): top, left, height, width in whole pixels.
    names
        What the n digits are.
    key
        Which of them is the key, from 0.
    asked
        The cells that are asked for it, (R, C).
    A
        Weights of each cell over all cells, row by row, (R C, R C).
    answers
        Network -> what it answers at each cell, R C words.

    Raises
    ------
    ValueError
        If a shape does not fit, a cell does not cover whole pixels, or weights do not
        sum to 1.
    """

    image: Float[np.ndarray, "H W"]
    boxes: np.ndarray
    names: Sequence[str]
    key: int
    asked: Bool[np.ndarray, "R C"]
    A: Float[np.ndarray, "N_X N_X"]
    answers: Mapping[str, Sequence[str]]

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
        for network, words in self.answers.items():
            if len(words) != R * C:
                raise ValueError(
                    f"{network} answers {len(words)} times, but there are {R * C} cells"
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
        on_key, on_digits = self.shares()[:, self.key], self.shares().sum(axis=1)
        return [
            f"It looks {key:.2f} at the key, {digits - key:.2f} at the other digits, "
            f"{max(0.0, 1 - digits):.2f} beside them."
            for key, digits in zip(on_key, on_digits, strict=True)
        ]

    def verdicts(self) -> list[str]:
        """Say of each cell what it lies on, and what is answered there."""
        key, said = self.names[self.key], []
        for x, (parts, asked) in enumerate(
            zip(self.covers().T, np.ravel(self.asked), strict=True)
        ):
            digit = self.names[parts.argmax()]
            if not asked:
                place = "on the key" if parts[self.key] >= 0.5 else "beside the digits"
                said.append(f"The orange cell lies {place}. Nothing is asked of it.")
                continue
            answers = [
                f"{network} says {words[x]}, {'right' if words[x] == key else 'wrong'}"
                for network, words in self.answers.items()
            ]
            said.append(
                f"The orange cell lies on the {digit}. Which is the key? A {key}: "
                f"{'; '.join(answers)}."
            )
        return said


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
                lit=over(SCENE, [scene.key for scene in every]),
                box_label="digits, the key thick",
                asks=control(CELL),
                half=True,
            ),
            text(over(SCENE, CELL, [s.verdicts() for s in every]), half=True),
        ],
        summary=over(SCENE, CELL, [scene.looks() for scene in every]),
        link=link,
    )
