"""Chapter 3's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention_book import data, decoding, metrics, models


def caption_with_attention(
    model: models.Captioner, scene: data.Scene
) -> tuple[list[str], Float[np.ndarray, "N_Y N_side N_side"]]:
    """Caption a scene; return the words, and the weights of each over the grid."""
    decoded = decoding.greedy(model, data.collate_scenes([scene]).source, None)
    caption = data.scene_vocabulary().decode(decoded.ids[0])
    side = model.grid.N_side
    A = decoded.attention[0, : len(caption)].unflatten(-1, (side, side))
    return list(caption), A.numpy()


def same_cell_for_every_word(
    centres: Float[np.ndarray, "N_X 2"],
    scenes: Sequence[data.Scene],
    margin: float = 0,
    N_seen: int = 2000,
) -> float:
    """Score on scenes of a lazy answer: the best cell of N_seen training scenes.

    `margin` grows every box on each side; it and the cells' centres are in pixels.
    """

    def hits(some: Sequence[data.Scene]) -> Float[np.ndarray, "N_X"]:
        boxes = [box for scene in some for box in scene.boxes]  # one word names each
        return metrics.cells_inside(centres, boxes, margin).mean(axis=0)

    best = int(hits(data.scenes(N_seen, part="train", seed=0)).argmax())
    return float(hits(scenes)[best])


def gaze_on(
    model: models.Captioner, scenes: Sequence[data.Scene], place: int
) -> Float[Tensor, "B N_X"]:
    """Weights shared out among the cells of the digit that word `place` names."""
    boxes = [scene.boxes[scene.mentions[place]] for scene in scenes]
    inside = metrics.cells_inside(model.grid.centres, boxes)
    return torch.from_numpy(inside / inside.sum(axis=1, keepdims=True)).float()


def next_word(
    model: models.Captioner,
    scenes: Sequence[data.Scene],
    read: Sequence[str],
    gaze: Float[Tensor, "B N_X"] | None = None,
) -> list[str]:
    """What each caption goes on with after the words `read`, with `gaze` as the weights
    of this word if it is given.
    """
    vocabulary = data.scene_vocabulary()
    forced = None if gaze is None else lambda a_t, visible: gaze
    with torch.no_grad():
        memory = model.encode(data.collate_scenes(scenes).source)
        s = model.initial_state(memory)
        *before, last = (
            torch.full((len(scenes),), word)
            for word in vocabulary.encode(read, start=True)
        )
        for word in before:
            _, s, _ = model.step(word, memory, s)
        logits, _, _ = model.step(last, memory, s, intervene=forced)
    return [vocabulary.words[i] for i in logits.argmax(dim=-1)]


def right_with_gaze(
    model: models.Captioner,
    scenes: Sequence[data.Scene],
    said: Sequence[Sequence[str]],
    verdicts: Sequence[str],
) -> int:
    """How many misread digit words are right once all weight lies on their digit.

    There is a verdict for each digit word of the captions, in the order of
    `attended_digits`.
    """
    words = [
        (scene, caption, t)
        for scene, caption in zip(scenes, said, strict=True)
        for t, _ in digit_words(scene, caption)
    ]
    right = 0
    for (scene, caption, t), verdict in zip(words, verdicts, strict=True):
        if verdict == "misread":
            gaze = gaze_on(model, [scene], t)
            right += next_word(model, [scene], caption[:t], gaze) == [scene.caption[t]]
    return right


def digits_where_due(scene: data.Scene, said: Sequence[str]) -> bool:
    """Whether a caption has digit words just where the right one has them.

    Not so where it says *left of* for *above*, which is a word longer.
    """
    named = [word in data.DIGIT_NAMES for word in said]
    return named == [i is not None for i in scene.mentions]


def digit_words(scene: data.Scene, said: Sequence[str]) -> list[tuple[int, int]]:
    """Digit words of a caption, as (t, i): word t is to name digit i.

    A caption of another form than the right one has none.
    """
    due = scene.mentions if digits_where_due(scene, said) else ()
    return [(t, i) for t, i in enumerate(due) if i is not None]


def attended_digits(
    scenes: Sequence[data.Scene],
    said: Sequence[Sequence[str]],
    attention: Float[Tensor, "B N_Y N_X"],
    centres: Float[np.ndarray, "N_X 2"],
    margin: float,
) -> Iterator[tuple[int, str, str, str | None]]:
    """For each digit word: digits in its scene, what was said, meant and looked at.

    Captions of another form than the right one are left out. The centre of the
    strongest cell may lie `margin` pixels from a digit's box; where two digits are that
    near, the one that was meant counts.
    """
    for scene, caption, A in zip(scenes, said, attention, strict=True):
        near = metrics.cells_inside(centres, scene.boxes, margin=margin)
        for t, i in digit_words(scene, caption):
            hit = np.flatnonzero(near[:, int(A[t].argmax())])
            k = min(hit, key=lambda k: k != i, default=None)
            at = None if k is None else data.DIGIT_NAMES[scene.digits[k]]
            yield len(scene.digits), caption[t], scene.caption[t], at


def with_encode(
    model: models.Captioner, encode: Callable[[models.Captioner, Tensor], object]
) -> models.Captioner:
    """Give a copy of a captioner, with the same weights, another way to encode."""
    trial = copy(model)
    trial.encode = lambda images, visible: encode(trial, images)
    return trial


def right_by_slot(
    model: models.Captioner, scenes: Sequence[data.Scene], N_slots: int = 64
) -> Float[np.ndarray, "N_slots"]:
    """Share of scenes that are captioned right in each slot of a batch of copies."""
    right = []
    for scene in scenes:
        pictures = data.collate_scenes([scene] * N_slots).source
        ids = decoding.greedy(model, pictures, None).ids
        said = [data.scene_vocabulary().decode(row) for row in ids]
        right.append([words == scene.caption for words in said])
    return np.mean(right, axis=0)


def over_slots(right: Float[np.ndarray, "N_slots"]) -> dict[str, float | str]:
    """A row of a table: the mean of the shares by slot, and their range."""
    by_slot = f"{right.min():.2f} - {right.max():.2f}"
    return {"captions right": float(right.mean()), "by slot": by_slot}
