"""What is measured of chapter 17's networks: which captions they prefer, what they say
of hidden words and regions, and who looks at whom, with attention as it is and moved.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    DIGIT,
    FIRST,
    MASK,
    N_REGIONS,
    SECOND,
    Scenes,
    absent,
    draw,
    exchanged,
    is_true,
    one_digit_off,
    opposite,
    put,
    relation,
    true_captions,
    turned,
)
from attention_book.decoding.mode import evaluating
from attention_book.networks.changes import Change
from attention_book.networks.program import readable
from attention_book.networks.taps import Taps
from attention_book.shapes import check_count

TEST, N_TEST = 10_000, 1000  # a seed far from those of training, and scenes
N_CAPTIONS, N_EARLIER = 8, 24  # captions to choose from; scenes to take some from
NAMED = [FIRST, SECOND]
WORDS_LOOK, REGIONS_LOOK = "blocks.0.co.words", "blocks.0.co.regions"
Vectors = tuple[Float[Tensor, "N N_T D"], Float[Tensor, "N 4 D"]]


def look(
    model: Any,
    scenes: Scenes,
    captions: Int[Tensor, "N N_T"],
    hidden: Bool[Tensor, "N 3"] | None = None,
    change: Mapping[str, Change] | None = None,
) -> Vectors:
    """Let a network look at scenes and captions.

    `change` has by tap what gives the weights to use.
    """
    if change:
        return attend(model, scenes, captions, hidden, change)[0]
    with evaluating(model):
        features = model.detector.features(scenes.images)
        return model(features, scenes.places, captions, hidden)


def attend(
    model: Any,
    scenes: Scenes,
    captions: Int[Tensor, "N N_T"],
    hidden: Bool[Tensor, "N 3"] | None = None,
    change: Mapping[str, Change] | None = None,
) -> tuple[Vectors, Mapping[str, Float[Tensor, "N N_heads N_Q N_X"]]]:
    """Let a network look, and give all its weights, too, by tap."""
    model = readable(model)
    with Taps(model, change) as taps:
        return look(model, scenes, captions, hidden), taps.seen


def scores(
    model: Any, scenes: Scenes, captions: Int[Tensor, "N N_captions 6"]
) -> Float[Tensor, "N N_captions"]:
    """How well each of several captions fits its scene: logits."""
    with evaluating(model):
        seen = model.detector.features(scenes.images), scenes.places
        each = [model.fits(*model(*seen, some)) for some in captions.unbind(1)]
    return torch.stack(each, dim=1)


@torch.no_grad()
def guess(
    model: Any,
    scenes: Scenes,
    captions: Int[Tensor, "N 6"],
    at: int,
    change: Mapping[str, Change] | None = None,
) -> Int[Tensor, " N"]:
    """Hide a word of each caption, and give the first guess at it."""
    words, _ = look(model, scenes, put(captions, at, MASK), change=change)
    return model.words(words[:, at]).argmax(dim=-1)


@torch.no_grad()
def guess_region(
    model: Any, scenes: Scenes, captions: Int[Tensor, "N 6"]
) -> Int[Tensor, " N"]:
    """Hide the region that each scene's caption names first, and give the first guess
    at its digit.
    """
    first = scenes.named[:, :1]
    _, regions = look(model, scenes, captions, torch.arange(N_REGIONS) == first)
    return model.classes(regions[:, 1:]).argmax(dim=-1).gather(1, first)[:, 0]


def relation_right(model: Any, scenes: Scenes) -> float:
    """Share of hidden relations that are right."""
    captions = true_captions(scenes)
    return share(guess(model, scenes, captions, BETWEEN) == captions[:, BETWEEN])


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
    """For each scene the true caption, and those of the seven scenes before it that are
    false of this one; some may be the same.
    """
    check_count("scenes", len(scenes), N_EARLIER)
    true = true_captions(scenes)
    earlier = torch.stack([true.roll(k, 0) for k in range(1, N_EARLIER)], dim=1)
    false = torch.stack([~is_true(scenes, each) for each in earlier.unbind(1)], dim=1)
    nearest = false.long().argsort(dim=1, descending=True, stable=True)
    seven = nearest[:, : N_CAPTIONS - 1, None]
    return torch.cat([true[:, None], earlier.take_along_dim(seven, dim=1)], dim=1)


def measured(model: Any, scenes: Scenes) -> dict[str, Any]:
    """Measure a network on scenes, all shares.

    Returns
    -------
    dict
        "R@1": the true caption scores highest of eight, seven of them "random" or
        "hard". "over": it scores higher than the one with digits "exchanged" and, of
        five each, with one "other digit".
        "hidden": the first guess at a "relation", at the first digit's "word"
        and at its "region" is right; "of the scene": that word is at least a digit of
        the scene; "follows": when the word is another digit's, the hidden region is
        guessed as that. Where the streams meet,
        also "points" (see `pointing`) and "moved" (see `moved`).
    """
    rng, true = Generator().manual_seed(TEST), true_captions(scenes)
    N = torch.arange(len(scenes))
    hard = scores(model, scenes, hard_captions(rng, scenes))
    easy = scores(model, scenes, random_captions(scenes))
    word = guess(model, scenes, true, FIRST)
    new = absent(scenes)[N, torch.randint(7, (len(N),), generator=rng)]
    told = put(true, FIRST, DIGIT + new)
    shown = DIGIT + scenes.digits
    result = {
        "R@1": {
            "random": share(easy.argmax(dim=1) == 0),
            "hard": share(hard.argmax(dim=1) == 0),
        },
        "over": {
            "exchanged": share(hard[:, 0] > hard[:, 1]),
            "other digit": share(hard[:, :1] > hard[:, 3:]),
        },
        "hidden": {
            "relation": relation_right(model, scenes),
            "word": share(word == true[:, FIRST]),
            "of the scene": share((word[:, None] == shown).any(dim=1)),
            "region": share(
                DIGIT + guess_region(model, scenes, true) == true[:, FIRST]
            ),
            "follows": share(guess_region(model, scenes, told) == new),
        },
    }
    if not model.config.meet:
        return result
    return result | {"points": pointing(model, scenes), "moved": moved(model, scenes)}


def pointing(model: Any, scenes: Scenes) -> dict[str, dict[str, float]]:
    """Who looks at whom, block by block, with the mean weights of all heads.

    Returns
    -------
    dict
        For each block "words": of the regions a digit word looks most at its own;
        "backwards": of the regions its own looks most at it.
    """
    _, weights = attend(model, scenes, true_captions(scenes))
    streams = [
        [weights[f"blocks.{b}.co.{stream}"] for stream in ("words", "regions")]
        for b in range(model.config.N_blocks)
    ]
    return {
        str(b): points(*both, scenes.named) for b, both in enumerate(streams, start=1)
    }


def points(
    A_words: Float[Tensor, "N N_heads 6 4"],
    A_regions: Float[Tensor, "N N_heads 4 6"],
    named: Int[Tensor, "N 2"],
) -> dict[str, float]:
    """Share of digit words that are matched with their region in one block."""
    from_words = A_words.mean(dim=1)[:, NAMED, 1:]  # (N, 2, 3), without [IMG]
    from_regions = A_regions.mean(dim=1)[:, 1:]  # (N, 3, 6)
    return {
        "words": share(from_words.argmax(dim=-1) == named),
        "backwards": share(from_regions[..., NAMED].argmax(dim=1) == named),
    }


def moves(scenes: Scenes) -> dict[str, tuple[str, Change]]:
    """Ways to move block 1's attention: by name a tap and what gives its weights.

    Returns
    -------
    dict
        "the two": the regions that are named exchange what they look at.
        "with the third": the third region and the first named exchange theirs.
        "word": the first digit's word looks at the third region and nothing else.
        "regions", "digit words": these look everywhere alike.
    """
    (first, second), third = scenes.named.unbind(1), scenes.third
    all_at_third = F.one_hot(1 + third, 1 + N_REGIONS)[:, None, None]
    return {
        "the two": (
            REGIONS_LOOK,
            lambda A, step: rows_swapped(A, 1 + first, 1 + second),
        ),
        "with the third": (
            REGIONS_LOOK,
            lambda A, step: rows_swapped(A, 1 + first, 1 + third),
        ),
        "word": (WORDS_LOOK, lambda A, step: set_rows(A, [FIRST], all_at_third.to(A))),
        "regions": (REGIONS_LOOK, lambda A, step: equal(A, range(1, 1 + N_REGIONS))),
        "digit words": (WORDS_LOOK, lambda A, step: equal(A, NAMED)),
    }


def moved(model: Any, scenes: Scenes) -> dict[str, float]:
    """Move block 1's attention as `moves` says, and see what becomes of the guess at a
    hidden relation.

    Returns
    -------
    dict
        "the two": the share of guesses that are the opposite.
        "with the third", "word": the share that are the third region's relation, where
        it matters which of the two regions is meant.
        "regions", "digit words": the share that stay right.
    """
    captions = true_captions(scenes)
    guesses = {
        name: guess(model, scenes, captions, BETWEEN, {tap: change})
        for name, (tap, change) in moves(scenes).items()
    }
    told = captions[:, BETWEEN]
    instead = relation(scenes.places, scenes.third, scenes.named[:, 1])
    differ = instead != told
    follows = "with the third", "word"
    stays = "regions", "digit words"
    return {
        "the two": share(guesses["the two"] == opposite(told)),
        **{name: share((guesses[name] == instead)[differ]) for name in follows},
        **{name: share(guesses[name] == told) for name in stays},
    }


def rows_swapped(A: Tensor, i: Int[Tensor, " N"], j: Int[Tensor, " N"]) -> Tensor:
    """Let two queries of each scene exchange their weights."""
    return swap(A.transpose(1, 2), i, j).transpose(1, 2)


def swap(x: Tensor, i: Int[Tensor, " N"], j: Int[Tensor, " N"]) -> Tensor:
    """Let two entries of each row of (N, count, ...) change places."""
    n, out = torch.arange(len(x)), x.clone()
    out[n, i], out[n, j] = x[n, j], x[n, i]
    return out


def set_rows(A: Tensor, rows: Sequence[int], new: Tensor) -> Tensor:
    """Replace the weights of some queries."""
    A = A.clone()
    A[:, :, list(rows)] = new
    return A


def equal(A: Tensor, rows: Sequence[int]) -> Tensor:
    """Let some queries look everywhere alike."""
    return set_rows(A, rows, torch.tensor(1 / A.shape[-1]))


def share(right: Bool[Tensor, "*axes"]) -> float:
    """Share that is true."""
    return right.double().mean().item()


@cache
def unseen() -> Scenes:
    """The scenes of unseen digits that all networks are measured on."""
    return draw(Generator().manual_seed(TEST), N_TEST, "test")
