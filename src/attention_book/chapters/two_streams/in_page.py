"""What a page asks of chapter 17's networks: of a sheet with three digits and what lies
on it, of captions, and of questions.

A sheet is its pixels. `laid` has a row for each digit: which one, its top and its left.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention_book.chapters.two_streams.experiments import REGIONS_LOOK, WORDS_LOOK
from attention_book.chapters.two_streams.model import TwoStreams
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    BETWEEN,
    DIGIT,
    FIRST,
    MASK,
    N_DIGITS,
    N_REGIONS,
    N_TOKENS,
    NO,
    RELATION,
    RELATIONS,
    SECOND,
    WHAT,
    YES,
    lies,
)
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import FURTHEST, MARGIN, SCENE_SIDE
from attention_book.networks.program import Named, Traced
from attention_book.networks.taps import Taps

SHOWN = FIRST, BETWEEN, SECOND  # the words whose weights are shown
UNUSUAL = (  # what no picture was that the networks have learned from
    "",
    "Two digits lie nearly diagonally",
    "Two digits overlap",
    "Two digits are the same",
)
RIGHT = (
    *ANSWERS,
    "none, since no digit is there",
    "none, since more than one digit is there",
    "none, since the digit in the question is not in the picture",
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
    others = torch.cat([laid[:, 1:], laid[:, :1]], dim=1)  # of each digit, the next
    digit, rows, columns = (laid - others).abs().unbind(-1)
    overlap = (rows < DIGIT_SIDE) & (columns < DIGIT_SIDE)
    oblique = (rows - columns).abs() < MARGIN
    found = torch.where(digit == 0, 3, torch.where(overlap, 2, oblique))
    return found.amax(dim=1, keepdim=True)


def read(
    model: TwoStreams, sheet: Sheet, laid: Laid, captions: Int[Tensor, "1 N 6"]
) -> Named:
    """Look at a sheet with captions.

    Returns
    -------
    dict
        "fits" (1, N), a logit for each caption; "first true" (1, 1), the number of the
        first that is true of the sheet, N where none is; "unusual" (1, 1): see there;
        "several" (1, 1): 0 where the first and the last caption begin with one digit.
        Of the first caption: "yes or no" (1, 2), the chances that it fits, and not;
        "hidden" (1, 4), those of the four relations where its own is hidden; who looks
        at whom in block 1, mean over heads: "words" (1, 3, 3), its digits and relation
        at the regions, and "regions" (1, 3, 3), the regions at these words.
    """
    N, first = captions.shape[1], captions[0, :1]
    hidden = torch.where(torch.arange(N_TOKENS) == BETWEEN, MASK, first)
    ids = torch.cat([captions[0], hidden])
    places = laid[..., 1:]
    features = model.detector.features(cut(sheet, laid))
    with Taps(model) as taps:
        words, regions = model(
            features.expand(N + 1, -1, -1), places.expand(N + 1, -1, -1), ids
        )
    at_regions, at_words = (
        taps.seen[tap][:1].mean(dim=1) for tap in (WORDS_LOOK, REGIONS_LOOK)
    )
    relations = slice(RELATION, RELATION + len(RELATIONS))
    fits = model.fits(words, regions)[:-1]
    own = fits[:1]
    after = -(torch.arange(N)[:, None] - N)  # a caption, and those after it
    true = right(laid, captions[0]) == YES
    return {
        "words": torch.stack([at_regions[:, at, 1:] for at in SHOWN], dim=1),
        "regions": torch.stack([at_words[:, 1:, at] for at in SHOWN], dim=2),
        "hidden": model.words(words[-1:, BETWEEN])[:, relations].softmax(dim=-1),
        "fits": fits[None],
        "first true": -(true * after).amax(dim=0, keepdim=True) + N,
        "yes or no": torch.stack([own, -own], dim=1).sigmoid(),
        "unusual": unusual(laid),
        "several": captions[:, -1:, FIRST] - captions[:, :1, FIRST],
    }


def answer(model: Any, sheet: Sheet, laid: Laid, question: Int[Tensor, "1 7"]) -> Named:
    """Answer a question about a sheet: the "chances" (1, 12) of the answers, and the
    number of the one that is "right" (1, 1) among RIGHT.
    """
    features = model.network.detector.features(cut(sheet, laid))
    chances = model.read(features, laid[..., 1:], question).softmax(dim=-1)
    return {"chances": chances, "right": right(laid, question)}


def right(laid: Laid, question: Int[Tensor, "N N_T"]) -> Int[Tensor, "N 1"]:
    """Answer questions by what lies on the sheet: the numbers of entries of RIGHT.

    A caption is a question of yes or no.
    """
    laid = laid.expand(question.shape[0], -1, -1)
    digits, places = laid[..., 0], laid[..., 1:]
    first, second = (question[:, at, None] - DIGIT for at in (FIRST, SECOND))
    is_first, is_second = digits == first, digits == second
    place = (places * is_second[..., None]).sum(dim=1, keepdim=True)
    relations = lies(places, place.expand(-1, N_REGIONS, -1))
    holds = (relations == question[:, BETWEEN, None]) & ~is_second

    def count(which: Tensor) -> Tensor:
        return which.sum(dim=1, keepdim=True)

    nothing, several, missing = range(len(ANSWERS), len(RIGHT))
    found, digit = count(holds), count(digits * holds)
    what = torch.where(found == 1, digit, torch.where(found > 1, several, nothing))
    what = torch.where(count(is_second) == 0, missing, what)
    whether = torch.where(count(holds & is_first) > 0, YES, NO)
    return torch.where(question[:, 1:2] == WHAT, what, whether)


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
