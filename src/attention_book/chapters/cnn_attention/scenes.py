"""Scenes with a key or without: three digits, of which at most one is a zero or a one,
the *key*. At each of the other digits is to be said which key the picture has.

What is to be said at a digit cannot be seen there: it depends on the key alone, which
may stand anywhere. Scenes are those of `data.scenes` that fit: a third with a zero, a
third with a one, and a third with neither. Without those it would do to look for zeros:
where there is none there is a one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.data import DIGIT_NAMES, PAD, Scene, Vocabulary, digit_images
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import NOISE, endless_scenes
from attention_book.metrics.pointing import cells_inside
from attention_book.shapes import check_count, check_filled

N_SIDE, CELL = 8, 4  # cells along a side of the grid, pixels along a side of a cell
KEYS = {0: "zero", 1: "one"}
NONE = "none"
ANSWERS = Vocabulary([*KEYS.values(), NONE])
CENTRES = CELL * (np.stack(np.divmod(np.arange(N_SIDE**2), N_SIDE), axis=1) + 0.5)


def key_scenes(n: int, *, seed: int, always: bool = False) -> list[Scene]:
    """Draw scenes of unseen digits, the same for a seed; `always`: each has a key."""
    check_count("n", n, 0)
    return list(islice(endless_key_scenes("test", seed, always), n))


def endless_key_scenes(part: str, seed: int, always: bool = False) -> Iterator[Scene]:
    """Scenes without end, of digits of "train" or of "test"; see `key_scenes`."""
    stream = endless_scenes((3,), part, seed)
    for wanted in cycle([[key] for key in KEYS] + ([] if always else [[]])):
        yield next(
            scene
            for scene in stream
            if [digit for digit in scene.digits if digit in KEYS] == wanted
        )


def key_of(scene: Scene) -> int | None:
    """Which of the scene's digits is the key, counted from 0; None without a key."""
    return next((i for i, digit in enumerate(scene.digits) if digit in KEYS), None)


def names_of(scene: Scene) -> list[str]:
    """What the digits of a scene are."""
    return [DIGIT_NAMES[digit] for digit in scene.digits]


def answer(scene: Scene) -> str:
    """What is to be said at every digit but the key: "zero", "one" or "none"."""
    i = key_of(scene)
    return NONE if i is None else KEYS[scene.digits[i]]


def asked(scene: Scene) -> Bool[np.ndarray, "N_X"]:
    """The cells that are asked: whose centre lies in the box of a digit but the key."""
    i = key_of(scene)
    boxes = [box for k, box in enumerate(scene.boxes) if k != i]
    return cells_inside(CENTRES, boxes).any(axis=0)


def covers(scene: Scene) -> Float[np.ndarray, "N_digits N_X"]:
    """Which part of each cell lies in the box of each digit."""
    inside = np.zeros((len(scene.boxes), *scene.image.shape))
    for mask, (top, left, height, width) in zip(inside, scene.boxes, strict=True):
        mask[top : top + height, left : left + width] = 1
    parts = inside.reshape(-1, N_SIDE, CELL, N_SIDE, CELL).mean(axis=(2, 4))
    return parts.reshape(-1, N_SIDE**2)


def distance(scene: Scene) -> Float[np.ndarray, "N_X"]:
    """How far each cell's centre is from the key's box, in pixels.

    The larger of rows and columns, 0 inside; infinite without a key. A cell that sees s
    pixels along each side sees none of a key that is s / 2 away or more.
    """
    i = key_of(scene)
    if i is None:
        return np.full(len(CENTRES), np.inf)
    top, left, height, width = scene.boxes[i]
    before = (top, left) - CENTRES
    after = CENTRES - (top + height, left + width)
    return np.maximum(before, after).max(axis=1).clip(0)


def put(scene: Scene, digit: int, top: int, left: int, seed: int) -> Scene:
    """Put an unseen image of a digit into a scene; one at the very place goes.

    The new scene has no caption.
    """
    images, labels = digit_images("test")
    rng, side = np.random.default_rng(seed), DIGIT_SIDE
    ink = images[rng.choice(np.flatnonzero(labels == digit))]
    kept = [i for i, box in enumerate(scene.boxes) if box[:2] != (top, left)]
    for i in kept:
        if np.abs(np.subtract(scene.boxes[i][:2], (top, left))).max() < side:
            raise ValueError(
                f"a digit at ({top}, {left}) would overlap with the {scene.digits[i]} "
                f"at {scene.boxes[i][:2]}: expected rows or columns that are {side} or "
                "more apart"
            )
    image = scene.image.copy()
    noise = NOISE * rng.standard_normal((side, side))
    image[top : top + side, left : left + side] = ink + noise
    boxes = (*(scene.boxes[i] for i in kept), (top, left, side, side))
    digits = (*(scene.digits[i] for i in kept), digit)
    return replace(
        scene, image=image, boxes=boxes, digits=digits, caption=(), mentions=()
    )


@dataclass(frozen=True)
class KeyBatch:
    """B pictures, with an answer at each cell that is asked."""

    source: Float[Tensor, "B 1 32 32"]
    source_visible: None  # the model reads nothing else
    target_in: None
    target_out: Int[Tensor, "B N_X"]  # PAD, which does not count, if not asked


def collate(scenes: Sequence[Scene]) -> KeyBatch:
    """One batch of scenes."""
    check_filled("scenes", scenes, "scene")
    ids = ANSWERS.encode([answer(scene) for scene in scenes])
    rows = [
        np.where(asked(scene), id, PAD) for scene, id in zip(scenes, ids, strict=True)
    ]
    images = torch.from_numpy(np.stack([scene.image for scene in scenes]))
    return KeyBatch(images[:, None], None, None, torch.tensor(np.stack(rows)))
