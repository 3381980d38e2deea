"""What is measured of chapter 17's networks."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    FIRST,
    MASK,
    Scenes,
    draw,
    exchanged,
    is_true,
    one_digit_off,
    put,
    true_captions,
    turned,
)
from attention_book.decoding.mode import evaluating
from attention_book.networks.program import readable
from attention_book.networks.taps import Taps

TEST, N_TEST = 10_000, 1000  # a seed far from those of training, and scenes
N_CAPTIONS = 8


def look(
    model: Any,
    scenes: Scenes,
    captions: Int[Tensor, "N N_T"],
    hidden: Bool[Tensor, "N 3"] | None = None,
) -> tuple[Float[Tensor, "N N_T D"], Float[Tensor, "N 4 D"]]:
    """Let a network look at scenes and captions."""
    with evaluating(model):
        features = model.detector.features(scenes.images)
        return model(features, scenes.places, captions, hidden)


def scores(
    model: Any, scenes: Scenes, captions: Int[Tensor, "N N_captions 6"]
) -> Float[Tensor, "N N_captions"]:
    """How well each of several captions fits its scene: logits."""
    with evaluating(model):
        each = [model.fits(*look(model, scenes, some)) for some in captions.unbind(1)]
    return torch.stack(each, dim=1)


def guess(
    model: Any, scenes: Scenes, captions: Int[Tensor, "N 6"], at: int
) -> Int[Tensor, " N"]:
    """Hide a word of each caption, and give the first guess at it."""
    words, _ = look(model, scenes, put(captions, at, MASK))
    with evaluating(model):
        return model.words(words[:, at]).argmax(dim=-1)


def hidden_word(model: Any, scenes: Scenes, at: int) -> Bool[Tensor, " N"]:
    """Tell where the first guess at a hidden word of the true caption is right."""
    captions = true_captions(scenes)
    return guess(model, scenes, captions, at) == captions[:, at]


def hard_captions(rng: Generator, scenes: Scenes) -> Int[Tensor, "N 8 6"]:
    """For each scene the true caption, the two with digits exchanged and the opposite
    relation, and five, all different, with one other digit.
    """
    true, (others, false) = true_captions(scenes), one_digit_off(scenes)
    drawn = torch.rand(false.shape, generator=rng) * false
    five = drawn.topk(N_CAPTIONS - 3, dim=1).indices
    others = others.take_along_dim(five[..., None], dim=1)
    close = torch.stack([true, exchanged(true), turned(true)], dim=1)
    return torch.cat([close, others], dim=1)


def random_captions(scenes: Scenes) -> Int[Tensor, "N 8 6"]:
    """For each scene the true caption, and seven of other scenes, false of this one."""
    true, N = true_captions(scenes), len(scenes)
    shifted = torch.stack([true.roll(k, 0) for k in range(1, 3 * N_CAPTIONS)], dim=1)
    false = torch.stack([~is_true(scenes, each) for each in shifted.unbind(1)], dim=1)
    first = false.long().argsort(dim=1, descending=True, stable=True)
    seven = shifted.take_along_dim(first[:, : N_CAPTIONS - 1, None], dim=1)
    return torch.cat([true[:, None], seven], dim=1)


def measured(model: Any) -> dict[str, Any]:
    """Measure on unseen scenes."""
    scenes = unseen()
    hard = scores(model, scenes, hard_captions(Generator().manual_seed(TEST), scenes))
    easy = scores(model, scenes, random_captions(scenes))
    return {
        "R@1": {"random": share(easy.argmax(1) == 0), "hard": share(hard.argmax(1) == 0)},
        "over": {
            "exchanged": share(hard[:, 0] > hard[:, 1]),
            "opposite": share(hard[:, 0] > hard[:, 2]),
            "other digit": share(hard[:, :1] > hard[:, 3:]),
        },
        "hidden": {
            "relation": share(hidden_word(model, scenes, BETWEEN)),
            "word": share(hidden_word(model, scenes, FIRST)),
        },
    }


def share(right: Bool[Tensor, "*axes"]) -> float:
    """Share that is true."""
    return right.double().mean().item()


@cache
def unseen() -> Scenes:
    """The scenes of unseen digits that all networks are measured on."""
    return draw(Generator().manual_seed(TEST), N_TEST, "test")
