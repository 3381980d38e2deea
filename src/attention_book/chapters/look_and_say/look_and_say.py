"""LookAndSay: a caption written word by word, and where the model looked in the picture
for each of them.

When a word is wrong, the mask tells two kinds of error apart: it looked elsewhere, or
it looked there and misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.fields import over
from attention_book.widgets.pictures import picture
from attention_book.widgets.predict import Prediction
from attention_book.widgets.strips import bars, compared, text, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]
ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class DescribedScene:
    """A picture, its caption, and where the model looked.

    Parameters
    ----------
    image
        Grey values in [0, 1], (H, W).
    said, reference
        N_Y words that the model wrote; words that would be right.
    A
        Weights of each written word over the R × C cells of the picture, (N_Y, R, C).
    boxes
        N things in the picture, (n, 4): top, left, height, width in pixels; they may
        not overlap.
    names
        What the n things are.

    Raises
    ------
    ValueError
        No words, a shape that does not fit them, weights that do not sum to 1, or boxes
        outside the image or each on another.
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
        expect_shape(
            "boxes",
            self.boxes,
            (len(self.names), 4),
            "names × (top, left, height, width)",
        )
        boxes = np.asarray(self.boxes, dtype=float).reshape(-1, 4)
        ends = boxes[:, :2] + boxes[:, 2:]
        if (
            (boxes != np.floor(boxes)).any()
            or (boxes[:, :2] < 0).any()
            or (ends > (H, W)).any()
        ):
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

    def looked(self, word: int) -> np.ndarray:
        """Share of one word's attention on each box and, last, on no box, (n + 1,).

        A cell's weight is spread evenly over its pixels.
        """
        (H, W), (R, C) = np.shape(self.image), np.shape(self.A)[1:]
        tall, wide = H // R, W // C
        spread = np.kron(
            np.asarray(self.A[word], dtype=float), np.ones((tall, wide))
        ) / (tall * wide)
        shares = (spread * self.inside()).sum(axis=(1, 2))
        return np.append(shares, max(0.0, spread.sum() - shares.sum()))


def look_and_say(
    scenes: Mapping[str, DescribedScene],
    *,
    start_scene: str,
    start_word: int,
    link: str = "look",
    label: str = "the picture",
    predict: Prediction | None = None,
) -> Widget:
    """Show where a captioning model looked for each of its words.

    Parameters
    ----------
    scenes
        Name in the menu -> scene.
    start_scene, start_word
        The state it opens in; words count from 1, and a mistake makes a good start.
    label
        The line above the picture.
    predict
        What is asked before it is shown.

    Raises
    ------
    ValueError
        No scene, or a start that is not there.
    """
    expect_some(scenes=scenes)
    each, longest = (
        list(scenes.values()),
        max(len(scene.said) for scene in scenes.values()),
    )
    both = ("scene", "word")

    def at(scene: DescribedScene, word: int) -> int:
        return min(word, len(scene.said)) - 1

    return Widget(
        title="Look and say",
        question="Before you go one word on: where will it look? And when a word is "
        "wrong: did it look elsewhere?",
        controls=[
            select("scene", list(scenes), default=start_scene),
            slider("word", range(1, longest + 1), default=start_word, play=True),
        ],
        panels=[
            tokens(
                "the model says",
                over("scene", [s.said for s in each]),
                marks=over("scene", [_marks(s.said, s.reference) for s in each]),
                axis="word",
            ),
            tokens("right", over("scene", [s.reference for s in each])),
            text(over(*both, lambda name, word: _sentence(scenes[name], word))),
            picture(
                over("scene", [s.image for s in each]),
                over(*both, lambda name, word: scenes[name].A[at(scenes[name], word)]),
                over("scene", [_alt(s) for s in each]),
                query=over(
                    *both, lambda name, word: scenes[name].said[at(scenes[name], word)]
                ),
                boxes=over("scene", [s.boxes for s in each]),
                names=over("scene", [s.names for s in each]),
                lit=over(
                    *both,
                    lambda name, word: _most(
                        scenes[name].looked(at(scenes[name], word))
                    ),
                ),
                box_label="what is there",
                label=label,
                half=True,
            ),
            bars(
                over("scene", [[*s.names, ELSEWHERE] for s in each]),
                over(
                    *both,
                    lambda name, word: scenes[name].looked(at(scenes[name], word)),
                ),
                label="share of the attention",
                axis="thing",
                limits=(0, 1),
                half=True,
            ),
        ],
        follow={"word": over(*both, lambda name, word: at(scenes[name], word))},
        link=link,
        predict=predict,
    )


def _most(shares: np.ndarray) -> int:
    """Number of the box with the largest share, or -1 when most lies on no box."""
    best = int(shares.argmax())
    return best if best < len(shares) - 1 else -1


def _marks(said: Words, right: Words) -> list[str]:
    """Mark each word that was said; missing ones have no place, nor a mask."""
    return [mark for _, mark in compared(said, right) if mark != "missing"]


def _sentence(scene: DescribedScene, word: int) -> str:
    i = min(word, len(scene.said)) - 1
    shares = scene.looked(i)
    best = _most(shares)
    where = f"the {scene.names[best]}" if best >= 0 else "no box at all"
    verdict = {"ok": "is right", "wrong": "is wrong", "extra": "is a word too many"}[
        _marks(scene.said, scene.reference)[i]
    ]
    ended = "The caption has ended; its last word: " if word > len(scene.said) else ""
    return (
        f"{ended}{scene.said[i]} {verdict}: it looked mostly at {where} "
        f"({shares[best]:.2f} of the attention)."
    )


def _alt(scene: DescribedScene) -> str:
    return f"A picture that shows: {', '.join(scene.names) or 'nothing'}."
