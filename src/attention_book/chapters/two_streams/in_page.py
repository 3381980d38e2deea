"""What a page asks of chapter 17's networks: of a sheet with three digits and what lies
on it, of captions, and of questions.

A sheet is its pixels. `laid` has a row for each digit: which one, its top and its left.
The first two are those that the sheet's own caption names.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention_book.chapters.two_streams.experiments import REGIONS_LOOK, WORDS_LOOK
from attention_book.chapters.two_streams.model import TwoStreams
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    DIGIT,
    FIRST,
    MASK,
    N_DIGITS,
    N_REGIONS,
    N_TOKENS,
    RELATION,
    RELATIONS,
    SECOND,
    caption,
    lies,
)
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import FURTHEST, MARGIN, SCENE_SIDE
from attention_book.networks.program import Named, Traced
from attention_book.networks.taps import Taps

SHOWN = FIRST, BETWEEN, SECOND  # the words whose weights are shown
UNUSUAL = (  # what no picture was that the networks learned from
    "",
    "Two digits are the same: they have seen no such picture. ",
    "Boxes overlap: they have seen no such picture. ",
    "Two digits lie almost diagonally: they have seen no such picture. ",
)
Sheet = Float[Tensor, "1 32 32"]
Laid = Int[Tensor, "1 3 3"]


def name_digits(model: Any, images: Float[Tensor, "1 3 8 8"]) -> Named:
    """Give the "logits" (1, 3, 10) of the digit in each box."""
    return {"logits": model(images)}


def cut(sheet: Sheet, laid: Laid) -> Float[Tensor, "1 3 8 8"]:
    """Cut the boxes out of a sheet."""
    side = torch.arange(DIGIT_SIDE)
    rows = laid[0, :, 1, None, None] + side[:, None]
    columns = laid[0, :, 2, None, None] + side
    return sheet[0][rows, columns][None]


def unusual(laid: Laid) -> Int[Tensor, "1 1"]:
    """Tell what is unlike all pictures of training: the number of a text."""
    digits, places = laid[..., 0], laid[..., 1:]
    found = torch.zeros_like(digits[:, :1])
    for i, j in ((0, 1), (0, 2), (1, 2)):
        away = (places[:, i] - places[:, j]).abs()
        rows, columns = away[:, :1], away[:, 1:]
        oblique = (rows - columns).abs() < MARGIN
        overlap = (rows < DIGIT_SIDE) & (columns < DIGIT_SIDE)
        same = digits[:, i, None] == digits[:, j, None]
        found = torch.where(oblique & (found == 0), 3, found)
        found = torch.where(overlap & (found != 1), 2, found)
        found = torch.where(same, 1, found)
    return found


def read(
    model: TwoStreams, sheet: Sheet, laid: Laid, captions: Int[Tensor, "1 N 6"]
) -> Named:
    """Look at a sheet with its own, true caption, and with others.

    Returns
    -------
    dict
        Of its own caption "named" (1, 3), the ids of its two digits and what is between
        them; who looks at whom in block 1, mean over heads: "words" (1, 3, 3) at the
        regions, and "regions" (1, 3, 3) at these words; "hidden" (1, 4), the chances of
        the four relations where it is hidden. Of the others, "fits" (1, N), logits;
        "yes or no" (1, 2), the chances that the first of them fits, and not. "unusual"
        (1, 1): see there.
    """
    digits, places = laid[..., 0], laid[..., 1:]
    first, second = digits[:, 0], digits[:, 1]
    own = caption(first, lies(places[:, 0], places[:, 1]), second)
    hidden = caption(first, torch.zeros_like(first) + MASK, second)
    ids = torch.cat([own, hidden, captions[0]])
    features = model.detector.features(cut(sheet, laid))
    with Taps(model) as taps:
        words, regions = model(
            features.expand(len(ids), -1, -1), places.expand(len(ids), -1, -1), ids
        )
    at_regions, at_words = (
        taps.seen[tap][:1].mean(dim=1) for tap in (WORDS_LOOK, REGIONS_LOOK)
    )
    relations = slice(RELATION, RELATION + len(RELATIONS))
    fits = model.fits(words, regions)[2:]
    yes = fits[:1].sigmoid()
    return {
        "named": torch.stack([own[:, at] for at in SHOWN], dim=1),
        "words": torch.stack([at_regions[:, at, 1:] for at in SHOWN], dim=1),
        "regions": torch.stack([at_words[:, 1:, at] for at in SHOWN], dim=2),
        "hidden": model.words(words[1:2, BETWEEN])[:, relations].softmax(dim=-1),
        "fits": fits[None],
        "yes or no": torch.stack([yes, 1 - yes], dim=1),
        "unusual": unusual(laid),
    }


def answer(
    model: Any, sheet: Sheet, laid: Laid, question: Int[Tensor, "1 7"]
) -> Named:
    """Answer a question about a sheet: the "chances" (1, 12) of the answers."""
    network = model.network
    features = network.detector.features(cut(sheet, laid))
    seen = network.together(*network(features, laid[..., 1:], question))
    return {"chances": model.answers(seen).softmax(dim=-1)}


def _sheet() -> Named:
    drawn = torch.Generator().manual_seed(0)
    places = torch.randint(FURTHEST + 1, (1, N_REGIONS, 2), generator=drawn)
    digits = torch.arange(N_REGIONS)[None, :, None]
    return {
        "sheet": torch.rand(1, SCENE_SIDE, SCENE_SIDE, generator=drawn),
        "laid": torch.cat([digits, places], dim=2),
    }


def calls() -> dict[str, Traced]:
    """What is asked of a network of two streams."""
    several = [
        _sheet() | {"captions": torch.full((1, N, N_TOKENS), DIGIT)}
        for N in (N_DIGITS - 3, N_DIGITS)
    ]
    return {"read": (read, several)}


def calls_to_answer() -> dict[str, Traced]:
    """What is asked of one that has learned to answer."""
    one = _sheet() | {"question": torch.full((1, N_TOKENS + 1), DIGIT)}
    return {"read": (answer, [one, one])}
