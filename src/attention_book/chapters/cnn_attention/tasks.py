"""What chapter 9's recorded models learn, to say which key a picture has, and what is
measured of them.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import nn

from attention_book.chapters.cnn_attention.model import KeyConfig, KeyModel
from attention_book.chapters.cnn_attention.scenes import (
    ANSWERS,
    CENTRES,
    KEYS,
    KeyBatch,
    answer,
    asked,
    collate,
    distance,
    endless_key_scenes,
    key_of,
    key_scenes,
    put,
)
from attention_book.data import Scene, Vocabulary
from attention_book.data.scenes import SCENE_SIDE
from attention_book.decoding.mode import evaluating
from attention_book.metrics import pointing_game
from attention_book.metrics.pointing import cells_inside
from attention_book.networks.program import Traced
from attention_book.runs import Task
from attention_book.runs.calls import read

N_BATCH = 64
N_TEST = 600  # scenes
TEST_SEED = 1
FIELD = 26  # pixels that a cell sees with one more 3 × 3 convolution in the middle
DISTANCES = (0, 5, 9, 13, 17, 21)  # pixels: where each bin begins
MARGIN = 3  # pixels, as in chapter 3


@dataclass(frozen=True)
class WhichKey(Task):
    """Scenes whose key is to be said at every other digit."""

    middle: str = "attention"  # one of `model.MIDDLES`
    gate: float = 0.0  # where it starts
    always: bool = False  # every scene has a key

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The answers; a picture has no words."""
        return {"target": ANSWERS}

    @cached_property
    def test(self) -> list[Scene]:
        """The scenes that every seed is measured on, of unseen images of digits."""
        return key_scenes(N_TEST, seed=TEST_SEED, always=self.always)

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return KeyModel(KeyConfig(len(ANSWERS), self.middle, self.gate))

    def batches(self, seed: int, steps: int) -> Iterator[KeyBatch]:
        """Batches of fresh scenes, without end: the same for the same seed."""
        stream = endless_key_scenes("train", seed, self.always)
        while True:
            yield collate(list(islice(stream, N_BATCH)))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure a model on the test scenes, as `measured` says."""
        return measured(model, self.test)

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model: the answers of a picture's cells."""
        blank = {"source": torch.zeros(1, 1, SCENE_SIDE, SCENE_SIDE)}
        return {"read": (read, [blank, blank])}

    def keep(self, model: Any) -> dict[str, Any]:
        """Keep where the gate stands."""
        return {"gate": gate_of(model)}


def measured(model: Any, scenes: Sequence[Scene]) -> dict[str, Any]:
    """Measure how often a model is right, and where it looks.

    Returns
    -------
    dict
        All but the `gate` 0 to 1. `right`: of the cells that are asked, of `all`, and
        of those of scenes with a key, `near` it and `far` from it; `by_distance`, where
        bins begin. `exchanged`: when the `key` becomes the other one, or `another`
        digit a new one. For a model that looks also `on_key`, the weight that cells
        which are asked have on the key; `pointing` and `pointing_near`, as the function
        says, strictly and with boxes grown by 3 pixels; and `flat`, right of all, when
        all weights are made equal.
    """
    said, A = attend(model, scenes)
    cells = np.stack([asked(scene) for scene in scenes])
    right = said == answers(scenes)
    keyed = [scene for scene in scenes if key_of(scene) is not None]
    has_key = np.array([[key_of(scene) is not None] for scene in scenes])
    away = np.stack([distance(scene) for scene in scenes])
    is_far, bins = away >= FIELD / 2, np.digitize(away, DISTANCES[1:])
    result = {
        "gate": gate_of(model),
        "right": {
            "all": right[cells].mean(),
            "near": right[cells & ~is_far].mean(),
            "far": right[cells & is_far & has_key].mean(),
        },
        "by_distance": {
            str(begin): right[cells & has_key & (bins == k)].mean()
            for k, begin in enumerate(DISTANCES)
        },
        "exchanged": {
            "key": share_right(model, [*map(with_other_key, keyed, range(N_TEST))]),
            "another": share_right(model, [*map(with_another, keyed, range(N_TEST))]),
        },
    }
    if not has_key.all():
        result["right"]["none"] = right[cells & ~has_key].mean()
    if A is None:
        return result
    with_key = A[has_key[:, 0]]
    on_key = with_key * cells_by_role(keyed)["key"][:, None]
    return result | {
        "on_key": on_key.sum(axis=-1)[cells[has_key[:, 0]]].mean(),
        "pointing": pointing(with_key, keyed),
        "pointing_near": pointing(with_key, keyed, MARGIN),
        "flat": share_right(with_equal_weights(model), scenes),
    }


def gate_of(model: Any) -> float:
    """Where the gate stands; of several gates, their mean."""
    return model.middle.gate.mean().item()


def attend(
    model: Any, scenes: Sequence[Scene]
) -> tuple[np.ndarray, Float[np.ndarray, "N 64 64"] | None]:
    """What a model says at each cell of each scene, (N, 64) words, and where each cell
    looked; None for a model that cannot look.
    """
    with evaluating(model):
        logits, A = model.with_attention(collate(scenes).source)
    said = np.array(ANSWERS.words)[logits.argmax(dim=-1).numpy()]
    return said, None if A is None else A.numpy()


def answers(scenes: Sequence[Scene]) -> np.ndarray:
    """The right answer of each scene, in a column."""
    return np.array([[answer(scene)] for scene in scenes])


def share_right(model: Any, scenes: Sequence[Scene]) -> float:
    """The share of the cells that are asked which say what they should."""
    right = attend(model, scenes)[0] == answers(scenes)
    return float(right[np.stack([asked(scene) for scene in scenes])].mean())


def pointing(
    A: Float[np.ndarray, "N 64 64"], scenes: Sequence[Scene], margin: float = 0
) -> dict[str, float]:
    """Play the pointing game at the keys of scenes, for each of `cells_by_role`."""
    boxes = np.array([[scene.boxes[key_of(scene)]] for scene in scenes])
    boxes = boxes.repeat(len(CENTRES), axis=1)
    return {
        name: pointing_game(A[cells], CENTRES, boxes[cells], margin)
        for name, cells in cells_by_role(scenes).items()
    }


def cells_by_role(scenes: Sequence[Scene]) -> dict[str, Bool[np.ndarray, "N 64"]]:
    """The cells of scenes with a key: those that are asked, by what they should say,
    the "key"'s own, and the "background".
    """
    cells = np.stack([asked(scene) for scene in scenes])
    of_key = np.stack(
        [cells_inside(CENTRES, [scene.boxes[key_of(scene)]])[0] for scene in scenes]
    )
    by_key = {word: cells & (answers(scenes) == word) for word in KEYS.values()}
    return by_key | {"key": of_key, "background": ~cells & ~of_key}


def with_equal_weights(model: Any) -> Any:
    """A copy of a model in which every cell looks at all cells alike."""
    flat = deepcopy(model)
    flat.middle.attend.W_Q.data.zero_()  # so all scores are 0
    return flat


def with_other_key(scene: Scene, seed: int) -> Scene:
    """The scene with the other key in the place of its key."""
    i = key_of(scene)
    return put(scene, 1 - scene.digits[i], *scene.boxes[i][:2], seed)


def with_another(scene: Scene, seed: int) -> Scene:
    """The scene with its first digit that is no key exchanged for the next digit."""
    i = int(key_of(scene) == 0)
    new = 2 + (scene.digits[i] - 1) % 8
    return put(scene, new, *scene.boxes[i][:2], seed)
