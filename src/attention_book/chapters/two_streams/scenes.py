"""Scenes of three different digits, as regions, and captions of two of them.

    [CLS] a three above a seven        above, below, left-of or right-of: what holds
                                       along the larger of the two offsets

A region is what a detector would have found: an image of 8 × 8 pixels, and where its
upper left corner is in a picture of 32 × 32. Boxes do not overlap, and between any two
of a scene's digits the relation is visible: the offsets differ by `MARGIN` or more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

from attention_book.data import DIGIT_NAMES, START, Vocabulary, digit_images
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import FURTHEST, MARGIN
from attention_book.shapes import check_chance, check_choice, check_count

N_REGIONS, N_DIGITS = 3, len(DIGIT_NAMES)
RELATIONS = ("above", "below", "left-of", "right-of")
QUESTION_WORDS = ("what", "is", "?")
ANSWERS = (*DIGIT_NAMES, "yes", "no")
YES, NO = (ANSWERS.index(word) for word in ("yes", "no"))
CLS = START  # BERT's name for what opens a text
WORDS = Vocabulary(["[MASK]", *DIGIT_NAMES, *RELATIONS, "a", *QUESTION_WORDS])
MASK, DIGIT, RELATION, A, WHAT, IS, ASKED = WORDS.encode(
    ["[MASK]", "zero", RELATIONS[0], "a", *QUESTION_WORDS]
)  # a digit's id is DIGIT + what it is
FIRST, BETWEEN, SECOND = 2, 3, 5  # where a caption has its digits and their relation
N_TOKENS = 6
PARTS = ("train", "development", "test")
ONE_IN = 5  # of the training digits, that many are for development


@dataclass(frozen=True)
class Scenes:
    """N scenes of three digits, of which a caption names two."""

    images: Float[Tensor, "N 3 8 8"]  # 0 is paper, 1 is ink
    places: Int[Tensor, "N 3 2"]  # top and left, in pixels
    digits: Int[Tensor, "N 3"]
    named: Int[Tensor, "N 2"]  # which region the caption names first, and which second

    def __len__(self) -> int:
        return len(self.digits)

    def __getitem__(self, which: Tensor | slice) -> "Scenes":
        return Scenes(*(each[which] for each in vars(self).values()))

    @property
    def third(self) -> Int[Tensor, " N"]:
        """The region that no caption names."""
        return N_REGIONS - self.named.sum(dim=1)


def draw(rng: Generator, N: int, part: str = "train") -> Scenes:
    """Draw scenes of images that only this part has."""
    check_count("N", N)
    images, of_digit, counts = _images(part)
    digits = _shuffled(rng, N, N_DIGITS)[:, :N_REGIONS]
    chance = torch.rand((N, N_REGIONS), generator=rng)
    chosen = of_digit[digits, (chance * counts[digits]).long()]
    named = _shuffled(rng, N, N_REGIONS)[:, :2]
    return Scenes(images[chosen], _places(rng, N), digits, named)


def _places(rng: Generator, N: int) -> Int[Tensor, "N 3 2"]:
    """All three anew where they do not fit: every layout that does is as likely."""
    found: list[Tensor] = []
    i, j = torch.triu_indices(N_REGIONS, N_REGIONS, 1)
    while sum(map(len, found)) < N:
        some = torch.randint(FURTHEST + 1, (4 * N, N_REGIONS, 2), generator=rng)
        rows, columns = (some[:, i] - some[:, j]).abs().unbind(-1)  # of each pair
        apart = torch.maximum(rows, columns) >= DIGIT_SIDE
        found.append(some[(apart & ((rows - columns).abs() >= MARGIN)).all(dim=1)])
    return torch.cat(found)[:N]


def _shuffled(rng: Generator, N: int, count: int) -> Int[Tensor, "N count"]:
    """Draw an order of so many things for each scene."""
    return torch.rand((N, count), generator=rng).argsort(dim=1)


@cache
def digits_of(part: str) -> tuple[Float[Tensor, "N 8 8"], Int[Tensor, " N"]]:
    """All images of a part, and the digit that each shows.

    One in five of the training images of `data.digit_images` is for development.
    """
    check_choice("part", part, PARTS)
    pixels, labels = digit_images("test" if part == "test" else "train")
    images, digits = torch.tensor(pixels), torch.tensor(labels).long()
    if part == "test":
        return images, digits
    held_out = torch.arange(len(digits)) % ONE_IN == 0
    chosen = held_out if part == "development" else ~held_out
    return images[chosen], digits[chosen]


@cache
def _images(part: str) -> tuple[Tensor, Tensor, Tensor]:
    """The images, and for each digit the numbers of its own and how many these are."""
    images, digits = digits_of(part)
    own = [(digits == d).nonzero()[:, 0] for d in range(N_DIGITS)]
    table = torch.nn.utils.rnn.pad_sequence(own, batch_first=True)
    return images, table, torch.tensor([len(each) for each in own])


def relation(
    places: Int[Tensor, "N 3 2"], i: Int[Tensor, " N"], j: Int[Tensor, " N"]
) -> Int[Tensor, " N"]:
    """Say how region i lies to region j: the id of a word."""
    n = torch.arange(len(places))
    return lies(places[n, i], places[n, j])


def lies(
    one: Int[Tensor, "*axes 2"], other: Int[Tensor, "*axes 2"]
) -> Int[Tensor, "*axes"]:
    """Say how one place lies to another: the id of a word."""
    rows, columns = (one - other).unbind(-1)
    vertical = rows.abs() > columns.abs()
    return RELATION + torch.where(vertical, rows > 0, 2 + (columns > 0).long())


def caption(
    first: Int[Tensor, " N"], between: Int[Tensor, " N"], second: Int[Tensor, " N"]
) -> Int[Tensor, "N 6"]:
    """Write captions of two digits, 0 to 9, and the id of their relation."""
    a = torch.zeros_like(first) + A
    cls = torch.zeros_like(first) + CLS
    return torch.stack([cls, a, DIGIT + first, between, a, DIGIT + second], dim=1)


def true_captions(scenes: Scenes) -> Int[Tensor, "N 6"]:
    """Say of each scene what it shows of its two named digits."""
    first, second = scenes.digits.gather(1, scenes.named).unbind(1)
    return caption(first, relation(scenes.places, *scenes.named.unbind(1)), second)


def exchanged(captions: Int[Tensor, "N 6"]) -> Int[Tensor, "N 6"]:
    """Exchange the two digits: the caption then says the opposite of what it did."""
    order = torch.arange(N_TOKENS)
    order[[FIRST, SECOND]] = order[[SECOND, FIRST]]
    return captions[:, order]


def opposite(between: Int[Tensor, " N"]) -> Int[Tensor, " N"]:
    """Give the opposite relation: below for above, right-of for left-of."""
    return RELATION + ((between - RELATION) ^ 1)


def put(
    captions: Int[Tensor, "*N N_T"], at: int, word: int | Tensor
) -> Int[Tensor, "*N N_T"]:
    """Write another word at a place of captions."""
    new = captions.clone()
    new[..., at] = word
    return new


def turned(captions: Int[Tensor, "N 6"]) -> Int[Tensor, "N 6"]:
    """Put the opposite relation."""
    return put(captions, BETWEEN, opposite(captions[:, BETWEEN]))


def is_true(scenes: Scenes, captions: Int[Tensor, "N 6"]) -> Bool[Tensor, " N"]:
    """Tell whether a caption is true of its scene."""
    first, second = (
        scenes.digits == captions[:, [at]] - DIGIT for at in (FIRST, SECOND)
    )
    i, j = (there.long().argmax(dim=1) for there in (first, second))
    there = first.any(dim=1) & second.any(dim=1) & (i != j)
    return there & (relation(scenes.places, i, j) == captions[:, BETWEEN])


def one_digit_off(scenes: Scenes) -> tuple[Int[Tensor, "N 16 6"], Bool[Tensor, "N 16"]]:
    """Write another digit for one of the two, in all ways: first those with the third
    digit of the scene, then those with one that it does not show.

    Returns the captions, and which of them are false: the third digit may be in the
    same relation.
    """
    third = scenes.digits.gather(1, scenes.third[:, None])
    others = DIGIT + torch.cat([third, absent(scenes)], dim=1)  # (N, 8)
    captions = true_captions(scenes)
    all_ways = torch.stack(
        [put(captions, at, other) for other in others.T for at in (FIRST, SECOND)],
        dim=1,
    )
    false = [~is_true(scenes, each) for each in all_ways.unbind(1)]
    return all_ways, torch.stack(false, dim=1)


def absent(scenes: Scenes) -> Int[Tensor, "N 7"]:
    """The digits that a scene does not show, in their order."""
    there = torch.zeros(len(scenes), N_DIGITS).scatter(1, scenes.digits, 1.0)
    return there.argsort(dim=1, stable=True)[:, : N_DIGITS - N_REGIONS]


def false_captions(
    rng: Generator, scenes: Scenes, hard: float = 0.5
) -> Int[Tensor, "N 6"]:
    """Change each scene's caption so that it is false.

    A share of `hard` has its digits exchanged or, as often, the opposite relation. The
    others have one digit replaced: by the third one of the scene (one in four), or by
    one that it does not show.
    """
    check_chance("hard", hard)
    captions, N = true_captions(scenes), len(scenes)
    kind, at, which = torch.rand((3, N), generator=rng)
    other = torch.where(
        which < 0.25,
        scenes.digits.gather(1, scenes.third[:, None])[:, 0],
        absent(scenes)[torch.arange(N), (4 / 3 * (which - 0.25) * 7).long()],
    )
    replaced = torch.where(
        (at < 0.5)[:, None],
        put(captions, FIRST, DIGIT + other),
        put(captions, SECOND, DIGIT + other),
    )
    found = torch.where((kind < hard)[:, None], turned(captions), replaced)
    is_swapped = (kind < hard / 2) | is_true(scenes, found)
    return torch.where(is_swapped[:, None], exchanged(captions), found)


def text(ids: Sequence[int] | Tensor) -> str:
    """Write a caption or question as a reader sees it, without [CLS]."""
    return " ".join(WORDS.decode(map(int, ids)))
