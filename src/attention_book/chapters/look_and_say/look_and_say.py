"""A caption word by word, and where the model looked for each of them.

When a word is wrong, the mask tells two kinds of error apart: it looked elsewhere, or
it looked there and misread.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from attention_book.widgets.controls import select, slider
from attention_book.widgets.fields import over
from attention_book.widgets.pictures import picture
from attention_book.widgets.predict import Prediction
from attention_book.widgets.strips import compared, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]
RIGHT = "right caption"  # the menu of the scenes


@dataclass(frozen=True)
class DescribedScene:
    """A picture, its caption, and where the model looked."""

    image: Float[np.ndarray, "H W"]  # in [0, 1]: 0 is paper, 1 is ink
    said: Words  # what the model wrote
    reference: Words  # what would be right
    A: Float[np.ndarray, "N_Y R C"]  # weights of each written word over the cells
    boxes: Int[np.ndarray, "N 4"]  # of digits: top, left, height, width in pixels
    names: Words  # of the digits

    @property
    def marks(self) -> list[str]:
        """How each word compares, as `compared` says it: "ok", "wrong", ..."""
        return [mark for _, mark in compared(self.said, self.reference)]

    def inside(self) -> np.ndarray:
        """Which pixels each box holds, (n, H, W)."""
        inside = np.zeros((len(self.boxes), *self.image.shape), dtype=bool)
        for mask, (top, left, height, width) in zip(inside, self.boxes, strict=True):
            mask[top : top + height, left : left + width] = True
        return inside

    def attended(self, t: int) -> np.ndarray:
        """Share of word t's attention on each box and, last, on no box, (n + 1,).

        A cell's weight is spread evenly over its pixels.
        """
        a = self.A[t].astype(float)
        tall, wide = np.array(self.image.shape) // a.shape
        spread = np.kron(a, np.ones((tall, wide))) / (tall * wide)
        shares = (spread * self.inside()).sum(axis=(1, 2))
        return np.append(shares, max(0.0, spread.sum() - shares.sum()))


def words_and_looks(
    scenes: Mapping[str, DescribedScene],
    *,
    start_scene: str,
    start_word: int | None,
    link: str = "look",
    title: str = "Look and say",
    predict: Prediction | None = None,
) -> Widget:
    """Show where a captioning model looked for each of its words.

    Scenes are keyed by their right captions; what is said of each has the same number
    of words, which count from 1. Without a word to start with, only the first wrong
    word of each scene is shown.
    """
    each = list(scenes.values())
    controls = [select(RIGHT, list(scenes), default=start_scene)]
    if start_word is not None:
        words = range(1, len(each[0].said) + 1)
        controls.append(slider("word", words, default=start_word, play=True))

    def shown(make: Callable[[DescribedScene, int], Any]) -> Any:
        """What `make` gives for a scene and a word, from 0, at every setting."""
        if start_word is None:
            return over(RIGHT, [make(s, s.marks.index("wrong")) for s in each])
        return over(RIGHT, "word", lambda name, word: make(scenes[name], word - 1))

    return Widget(
        title=title,
        controls=controls,
        panels=[
            tokens(
                "the model says",
                over(RIGHT, [s.said for s in each]),
                marks=over(RIGHT, [s.marks for s in each]),
                axis="word",
                half=start_word is None,
            ),
            picture(
                over(RIGHT, [s.image for s in each]),
                shown(lambda scene, t: scene.A[t]),
                over(
                    RIGHT,
                    [f"A picture that shows: {', '.join(s.names)}." for s in each],
                ),
                query=shown(lambda scene, t: scene.said[t]),
                boxes=over(RIGHT, [s.boxes for s in each]),
                names=shown(_shares),
                lit=shown(lambda scene, t: _most(scene.attended(t))),
                box_label="a digit, its share",
                half=start_word is None,
            ),
        ],
        follow={"word": shown(lambda scene, t: t)},
        summary=shown(_sentence),
        link=link,
        predict=predict,
    )


def _most(shares: np.ndarray) -> int:
    """Number of the box that has more than half of the attention, or -1."""
    return next((i for i, share in enumerate(shares[:-1]) if share > 0.5), -1)


def _shares(scene: DescribedScene, t: int) -> list[str]:
    """What stands at each box: the digit, and its share of a word's attention."""
    shares = zip(scene.names, scene.attended(t)[:-1], strict=True)
    return [f"{name} {share:.2f}" for name, share in shares]


def _sentence(scene: DescribedScene, t: int) -> str:
    shares = scene.attended(t)
    most, on_digits = _most(shares), 1 - shares[-1]
    if most >= 0:
        where = f"mostly at the {scene.names[most]} ({shares[most]:.2f})"
    elif on_digits > 0.5:
        where = f"mostly at the digits ({on_digits:.2f} in all), not at one alone"
    else:
        where = f"mostly beside the digits ({shares[-1]:.2f})"
    verdict = " is wrong" if scene.marks[t] == "wrong" else ""
    return f"{scene.said[t]}{verdict}: it looked {where}."
