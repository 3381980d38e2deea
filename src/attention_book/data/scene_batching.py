"""Batches of scenes: pictures, and captions that are filled up as in `batching`.

Scenes cost little to draw, so every step of training sees new ones: no scene comes
twice, though its digits do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention_book.shapes import PAD, check_count, check_filled

from .batching import pad
from .scenes import Scene, endless_scenes, scene_vocabulary


@dataclass(frozen=True)
class SceneBatch:
    """B pictures with their captions; it can be learned from as a `Batch` can."""

    source: Float[Tensor, "B 1 32 32"]
    source_visible: None  # every cell of a picture may be looked at
    target_in: Int[Tensor, "B N_Y"]  # START, words, PAD: what the decoder reads
    target_out: Int[Tensor, "B N_Y"]  # words, STOP, PAD: what it should write

    def __len__(self) -> int:
        return len(self.source)

    @property
    def N_target_tokens(self) -> int:
        """Target tokens that count in the loss: words and STOP, without padding."""
        return int((self.target_out != PAD).sum())


def collate_scenes(scenes: Sequence[Scene]) -> SceneBatch:
    """One batch of scenes, in the ids of `scene_vocabulary`."""
    if isinstance(scenes, Scene):
        raise TypeError(
            "scenes must be a sequence of Scene, got one Scene: write [scene]"
        )
    check_filled("scenes", scenes, "scene")
    encode = scene_vocabulary().encode
    ids = [encode(scene.caption, start=True, stop=True) for scene in scenes]
    pictures = torch.from_numpy(np.stack([scene.image for scene in scenes]))
    return SceneBatch(
        source=pictures.unsqueeze(1),
        source_visible=None,
        target_in=pad([row[:-1] for row in ids]),
        target_out=pad([row[1:] for row in ids]),
    )


def scene_batches(
    *, N_batch: int = 64, seed: int, N_digits: Sequence[int] = (2, 3)
) -> Iterator[SceneBatch]:
    """Batches of `N_batch` new training scenes, without end.

    They are those that `scenes` gives for the seed and `N_digits`, in order.
    """
    check_count("N_batch", N_batch)
    stream = endless_scenes(N_digits, "train", seed)
    return (collate_scenes(tuple(islice(stream, N_batch))) for _ in count())
