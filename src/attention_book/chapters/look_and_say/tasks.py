"""What chapter 3's recorded models learn, captions of scenes of digits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from attention_book.data import (
    Scene,
    SceneBatch,
    collate_scenes,
    scene_batches,
    scene_vocabulary,
    scenes,
)
from attention_book.data.scenes import SCENE_SIDE
from attention_book.decoding import forced_decoding, greedy
from attention_book.metrics import (
    exact_match,
    pointing_chance,
    pointing_elsewhere,
    pointing_game,
    token_accuracy,
)
from attention_book.models import Captioner, CaptionerConfig
from attention_book.networks import writing
from attention_book.networks.program import Traced
from attention_book.runs import Task

N_DIGITS = (2, 3)  # in a scene
N_TEST = 500  # scenes of each
TEST_SEED = 1
LONGEST = 16  # words of a caption, [STOP] included; the longest there is has 9
MARGIN = 3  # pixels; half a grid cell and one more


@dataclass(frozen=True)
class Captions(Task):
    """Scenes to describe; a picture has no words."""

    # of the captioner's configuration
    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)
    vocabularies: ClassVar = {"target": scene_vocabulary()}

    @cached_property
    def test(self) -> dict[str, Sequence[Scene]]:
        """Scenes of unseen digit images, by how many digits they show."""
        return {
            f"{n} digits": scenes(N_TEST, N_digits=(n,), part="test", seed=TEST_SEED)
            for n in N_DIGITS
        }

    def model(self) -> nn.Module:
        N_words = len(self.vocabularies["target"])
        return Captioner(CaptionerConfig(N_words, **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[SceneBatch]:
        return scene_batches(seed=seed, N_digits=N_DIGITS)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure a model on every bucket."""
        test = self.test.items()
        return {"test": {label: measure_captions(model, some) for label, some in test}}

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model: to look at a picture, then write."""
        return writing(
            model, *[{"source": torch.rand(1, 1, SCENE_SIDE, SCENE_SIDE)}] * 2
        )


def caption(model: Any, some: Sequence[Scene]) -> list[tuple[str, ...]]:
    """Describe scenes greedily, pictures in, words out."""
    decoded = greedy(model, collate_scenes(some).source, None, max_words=LONGEST)
    return [scene_vocabulary().decode(ids) for ids in decoded.ids]


def measure_captions(model: Any, some: Sequence[Scene]) -> dict[str, float]:
    """Measure a captioner on scenes: `exact_match` and `token_accuracy`, 0 to 1.

    For a model that looks at more than one vector also the pointing game while it reads
    the right caption: `pointing` (strict), `pointing_near` (boxes grown by 3 pixels),
    `pointing_elsewhere` (near another digit, and not near its own), and what chance
    gets: `chance`, `chance_near`.
    """
    said = caption(model, some)
    wanted = [scene.caption for scene in some]
    measured = {
        "exact_match": exact_match(said, wanted),
        "token_accuracy": token_accuracy(said, wanted),
    }
    A, boxes, others = _named(model, some)
    if A.shape[1] == 1:
        return measured
    centres = model.grid.centres
    return measured | {
        "pointing": pointing_game(A, centres, boxes),
        "pointing_near": pointing_game(A, centres, boxes, MARGIN),
        "pointing_elsewhere": pointing_elsewhere(A, centres, boxes, others, MARGIN),
        "chance": pointing_chance(centres, boxes),
        "chance_near": pointing_chance(centres, boxes, MARGIN),
    }


def _named(model: Any, some: Sequence[Scene]) -> tuple[np.ndarray, list, list]:
    """For every word that names a digit: its weights, that digit's box, the others."""
    batch = collate_scenes(some)
    along = forced_decoding(model, batch.source, None, batch.target_in)
    rows, boxes, others = [], [], []
    for A, scene in zip(along.attention.numpy(), some, strict=True):
        for t, i in enumerate(scene.mentions):
            if i is not None:
                rows.append(A[t])
                boxes.append(scene.boxes[i])
                others.append(scene.boxes[:i] + scene.boxes[i + 1 :])
    return np.array(rows), boxes, others
