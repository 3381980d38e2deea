"""LookAndSay: a caption word by word, and where the model looked for each of them.

When a word is wrong, the mask tells two kinds of error apart: it looked elsewhere, or
it looked there and misread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.fields import over
from attention_book.widgets.pictures import picture
from attention_book.widgets.predict import Prediction
from attention_book.widgets.strips import compared, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]
RIGHT = "right caption"  # the menu of the scenes


@dataclass(frozen=True)
class DescribedScene:
    """A picture, its caption, and where the model looked.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W): 0 is paper, 1 is ink.
    said, reference
        N_Y words that the model wrote; words that would be right.
    A
        Weights of each written word over the R × C cells of the picture, (N_Y, R, C).
    boxes
        N things in the picture, (n, 4): top, left, height, width in pixels; they may
        not overlap.
    names
        What the n things are.
    """

    image: Float[np.ndarray, "H W"]
    said: Words
    reference: Words
    A: Float[np.ndarray, "N_Y R C"]
    boxes: np.ndarray
    names: Words

    def __post_init__(self) -> None:
        expect_some(said=self.said, reference=self.reference)
        if np.ndim(self.image) != 2:
            raise ValueError(f"image has shape {np.shape(self.image)}, expected (H, W)")
        if np.ndim(self.A) != 3:
            raise ValueError(f"A has shape {np.shape(self.A)}, expected (N_Y, R, C)")
        (H, W), (R, C) = np.shape(self.image), np.shape(self.A)[1:]
        expect_shape("A", self.A, (len(self.said), R, C), "said × rows × columns")
        expect_weights("A", np.reshape(self.A, (len(self.said), R * C)))
        if not R or not C or H % R or W % C:
            raise ValueError(
                f"image is {H} × {W} pixels but A has {R} × {C} cells: a cell must "
                "cover whole pixels"
            )
        of_each = "names × (top, left, height, width)"
        expect_shape("boxes", self.boxes, (len(self.names), 4), of_each)
        boxes = np.asarray(self.boxes, dtype=float).reshape(-1, 4)
        ends = boxes[:, :2] + boxes[:, 2:]
        outside = (boxes[:, :2] < 0) | (ends > (H, W))
        if outside.any() or (boxes != np.floor(boxes)).any():
            raise ValueError(
                f"boxes must lie inside the {H} × {W} image and be whole pixels, but "
                f"came as {boxes.tolist()}"
            )
        if (self.inside().sum(axis=0) > 1).any():
            raise ValueError(
                "boxes overlap: the attention in their common part would count twice"
            )

    def inside(self) -> np.ndarray:
        """Which pixels each box holds, (n, H, W)."""
        inside = np.zeros((len(self.names), *np.shape(self.image)), dtype=bool)
        for mask, (top, left, height, width) in zip(
            inside, np.asarray(self.boxes, dtype=int), strict=True
        ):
            mask[top : top + height, left : left + width] = True
        return inside

    def at(self, word: int) -> int:
        """Where word number `word` stands, counted from 0; the last one beyond it."""
        return min(word, len(self.said)) - 1

    def attended(self, word: int) -> np.ndarray:
        """Share of one word's attention on each box and, last, on no box, (n + 1,).

        A cell's weight is spread evenly over its pixels.
        """
        (H, W), (R, C) = np.shape(self.image), np.shape(self.A)[1:]
        tall, wide = H // R, W // C
        a = np.asarray(self.A[word], dtype=float)
        spread = np.kron(a, np.ones((tall, wide))) / (tall * wide)
        shares = (spread * self.inside()).sum(axis=(1, 2))
        return np.append(shares, max(0.0, spread.sum() - shares.sum()))


def look_and_say(
    scenes: Mapping[str, DescribedScene],
    *,
    start_scene: str,
    start_word: int | None,
    link: str = "look",
    title: str = "Look and say",
    predict: Prediction | None = None,
) -> Widget:
    """Show where a captioning model looked for each of its words.

    Parameters
    ----------
    scenes
        Right caption, as the menu shows it -> scene.
    start_scene, start_word
        The state it opens in; words count from 1. Without a word to start with, only
        the first wrong word of each scene is shown.
    """
    expect_some(scenes=scenes)
    each = list(scenes.values())
    controls = [select(RIGHT, list(scenes), default=start_scene)]
    if start_word is not None:
        longest = range(1, max(len(scene.said) for scene in each) + 1)
        controls.append(slider("word", longest, default=start_word, play=True))

    def shown(make: Callable[[DescribedScene, int], Any]) -> Any:
        """What `make` gives for a scene and a word, at every setting."""
        if start_word is None:
            return over(RIGHT, [make(scene, _first_wrong(scene)) for scene in each])
        return over(RIGHT, "word", lambda name, word: make(scenes[name], word))

    return Widget(
        title=title,
        controls=controls,
        panels=[
            tokens(
                "the model says",
                over(RIGHT, [s.said for s in each]),
                marks=over(RIGHT, [_marks(s.said, s.reference) for s in each]),
                axis="word",
                half=start_word is None,
            ),
            picture(
                over(RIGHT, [s.image for s in each]),
                shown(lambda scene, word: scene.A[scene.at(word)]),
                over(RIGHT, [_alt(s) for s in each]),
                query=shown(lambda scene, word: scene.said[scene.at(word)]),
                boxes=over(RIGHT, [s.boxes for s in each]),
                names=shown(_shares),
                lit=shown(lambda scene, word: _most(scene.attended(scene.at(word)))),
                box_label="a digit, its share",
                half=start_word is None,
            ),
        ],
        follow={"word": shown(lambda scene, word: scene.at(word))},
        summary=shown(_sentence),
        link=link,
        predict=predict,
    )


def called_apart(digits: Sequence[str], boxes: Sequence[Sequence[int]]) -> list[str]:
    """Names of digits, in which two of a kind are told apart by where they lie.

    Boxes are (top, left, height, width).
    """
    names = list(digits)
    for digit in {digit for digit in digits if names.count(digit) > 1}:
        same = [i for i, other in enumerate(digits) if other == digit]
        rows, columns = (sorted(boxes[i][axis] for i in same) for axis in (0, 1))
        is_beside = len(same) > 2 or columns[-1] - columns[0] >= rows[-1] - rows[0]
        words = ("left", "middle", "right") if is_beside else ("upper", "lower")
        if len(same) == 2:
            words = (words[0], words[-1])
        order = sorted(same, key=lambda i, axis=int(is_beside): boxes[i][axis])
        for i, word in zip(order, words, strict=True):
            names[i] = f"{word} {digit}"
    return names


def _most(shares: np.ndarray) -> int:
    """Number of the box that has more than half of the attention, or -1."""
    return next((i for i, share in enumerate(shares[:-1]) if share > 0.5), -1)


def _marks(said: Words, right: Words) -> list[str]:
    """Mark each word that was said; missing ones have no place, nor a mask."""
    return [mark for _, mark in compared(said, right) if mark != "missing"]


def _first_wrong(scene: DescribedScene) -> int:
    """Number of the first word that is not right, from 1; 1 where all are."""
    marks = _marks(scene.said, scene.reference)
    return next((t for t, mark in enumerate(marks, start=1) if mark != "ok"), 1)


def _shares(scene: DescribedScene, word: int) -> list[str]:
    """What stands at each box: the digit, and its share of a word's attention."""
    shares = scene.attended(scene.at(word))
    return [
        f"{name.split()[-1]} {share:.2f}"
        for name, share in zip(scene.names, shares, strict=False)
    ]


def _sentence(scene: DescribedScene, word: int) -> str:
    i = scene.at(word)
    shares = scene.attended(i)
    most, on_digits = _most(shares), 1 - shares[-1]
    if most >= 0:
        where = f"mostly at the {scene.names[most]} ({shares[most]:.2f})"
    elif on_digits > 0.5:
        where = f"mostly at the digits ({on_digits:.2f} in all), not at one alone"
    else:
        where = f"mostly beside the digits ({shares[-1]:.2f})"
    verdict = {"ok": "", "wrong": " is wrong", "extra": " is a word too many"}[
        _marks(scene.said, scene.reference)[i]
    ]
    ended = "The caption has ended; its last word: " if word > len(scene.said) else ""
    return f"{ended}{scene.said[i]}{verdict}: it looked {where}."


def _alt(scene: DescribedScene) -> str:
    return f"A picture that shows: {', '.join(scene.names) or 'nothing'}."
