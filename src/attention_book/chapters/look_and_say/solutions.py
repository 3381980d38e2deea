"""Chapter 3, *Look and say*: worked solutions."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention_book import data
from attention_book.chapters.look_and_say import experiments


def receptive_field(layers: Sequence[tuple[int, int]]) -> int:
    """Count the pixels along one side that an entry sees, after (kernel, stride)s."""
    size, step = 1, 1  # one pixel; neighbours are one pixel apart
    for kernel, stride in layers:
        size += (kernel - 1) * step
        step *= stride
    return size


def pointing(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Float[np.ndarray, "N_X 2"],
    boxes: Sequence[Sequence[int]],
) -> float:
    """Share of rows of A whose strongest cell has its centre in the row's box."""
    hits = 0
    for weights, (top, left, height, width) in zip(A, boxes, strict=True):
        y, x = centres[weights.argmax()]
        hits += top <= y < top + height and left <= x < left + width
    return float(hits / len(A))


def misread_or_mislooked(said: str, meant: str, attended: str | None) -> str:
    """Name what went wrong with one digit word, or say that it is right."""
    if said == meant:
        return "right"
    if attended is None:
        return "looked nowhere"
    return "misread" if attended == meant else "looked at another"


def verdicts_by_digits(
    rows: Iterable[tuple[int, str, str, str | None]],
) -> dict[int, Counter[str]]:
    """Count what went wrong with digit words, by the number of digits in their scene.

    `rows` has for each word: digits in its scene, what was said, meant and looked at.
    """
    verdicts: dict[int, Counter[str]] = {}
    for N_digits, said, meant, attended in rows:
        verdict = misread_or_mislooked(said, meant, attended)
        verdicts.setdefault(N_digits, Counter())[verdict] += 1
    return dict(sorted(verdicts.items()))


def which_image(
    picture: Float[np.ndarray, "N_pixels N_pixels"],
    box: Sequence[int],
    images: Float[np.ndarray, "N 8 8"],
) -> int:
    """Find the image that was pasted into a box: the nearest, as there is noise."""
    top, left, height, width = box
    patch = picture[top : top + height, left : left + width]
    return int(((images - patch) ** 2).sum(axis=(1, 2)).argmin())


def shown_and_wrong(
    scenes: Sequence[data.Scene],
    said: Sequence[Sequence[str]],
    due: Sequence[bool],
    images: Float[np.ndarray, "N 8 8"],
) -> tuple[Counter[int], Counter[int]]:
    """Count for each image how often it is shown, and how often its word is wrong.

    Both count by the image's index. `due` says of each scene whether its caption has
    the digit words where they belong; where not, the scene is left out.
    """
    shown, wrong = Counter(), Counter()
    for scene, caption, whole in zip(scenes, said, due, strict=True):
        for t, i in enumerate(scene.mentions if whole else []):
            if i is not None:
                k = which_image(scene.image, scene.boxes[i], images)
                shown[k] += 1
                if caption[t] != scene.caption[t]:
                    wrong[k] += 1
    return shown, wrong


def unluckiest_by_chance(
    shown: Counter[int], N_wrong: int, N_draws: int = 1000
) -> tuple[float, int]:
    """Let chance choose the wrong words: how many the unluckiest image gets.

    Returned are the mean and the most, over the draws.
    """
    rng = np.random.default_rng(0)
    words = np.array([*shown.elements()])  # for each word its image
    unluckiest = [
        max(Counter(rng.choice(words, N_wrong, replace=False).tolist()).values())
        for _ in range(N_draws)
    ]
    return float(np.mean(unluckiest)), max(unluckiest)


def encode(model: Any, images: Float[Tensor, "B 1 N_pixels N_pixels"]) -> Any:
    """Turn pictures into the sets that a decoder looks at, each cell with its place."""
    h = model.grid.cnn(images).flatten(2).mT  # (B, N_X, D_H)
    # (N_X, D_H): a row for each cell, the same for every picture
    h = h + model.grid.position
    return model.make_memory(h, None, h.mean(dim=1))


@torch.no_grad()
def differences(
    model: Any,
    program: Callable[[Any, Tensor], Any],
    images: Float[Tensor, "B 1 N_pixels N_pixels"],
) -> list[float]:
    """Largest differences in h: a picture in a batch or alone; all from the model's.

    One for each picture, then that of the whole batch from `model.encode`.
    """
    h, expected = program(model, images).h, model.encode(images).h  # (B, N_X, D_H)
    alone = torch.cat([program(model, picture[None]).h for picture in images])
    from_alone = (h - alone).abs().amax(dim=(1, 2))
    return [*from_alone.tolist(), (h - expected).abs().max().item()]


def compared_by_slot(
    model: Any, scenes: Sequence[data.Scene]
) -> dict[str, list[Float[np.ndarray, "N_slots"]]]:
    """Share of scenes captioned right in each slot, repaired and without any places."""

    def no_places(model, images):
        h = model.grid.cnn(images).flatten(2).mT  # (B, N_X, D_H)
        return model.make_memory(h, None, h.mean(dim=1))

    programs = {"repaired": encode, "no places at all": no_places}
    return {
        label: [experiments.right_by_slot(experiments.with_encode(model, each), scenes)]
        for label, each in programs.items()
    }
