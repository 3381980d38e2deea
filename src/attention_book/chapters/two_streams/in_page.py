"""What a page asks of chapter 17's networks: of a picture, three images of digits and
where they are, and of captions, in which hidden words are [MASK].
"""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.chapters.two_streams.model import TwoStreams
from attention_book.chapters.two_streams.scenes import DIGIT, N_REGIONS, N_TOKENS, WORDS
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import FURTHEST
from attention_book.networks.program import Named, Traced


def name_digits(model: Any, images: Float[Tensor, "1 3 8 8"]) -> Named:
    """Give the "logits" (1, 3, 10) of the digit in each box."""
    return {"logits": model(images)}


def read(
    model: TwoStreams,
    images: Float[Tensor, "1 3 8 8"],
    places: Int[Tensor, "1 3 2"],
    source: Int[Tensor, "1 6"],
    covered: Bool[Tensor, "1 3"],
) -> Named:
    """Look at a picture, of which regions may be covered, and a caption.

    Returns "fits" (1, 1), a logit; "logits" (1, 6, N_words) of the word at each place;
    "digits" (1, 3, 10), logits of the digit in each region.
    """
    features = model.detector.features(images)
    words, regions = model(features, places, source, covered)
    return {
        "fits": model.fits(words, regions)[:, None],
        "logits": model.words(words),
        "digits": model.classes(regions[:, 1:]),
    }


def choose(
    model: TwoStreams,
    images: Float[Tensor, "1 3 8 8"],
    places: Int[Tensor, "1 3 2"],
    captions: Int[Tensor, "1 N 6"],
) -> Named:
    """Give for several captions how well each "fits" (1, N) one picture: logits."""
    N = captions.shape[1]
    features = model.detector.features(images).expand(N, -1, -1)
    words, regions = model(features, places.expand(N, -1, -1), captions[0])
    return {"fits": model.fits(words, regions)[None]}


def calls() -> dict[str, Traced]:
    """What is asked of a network of two streams."""
    drawn = torch.Generator().manual_seed(0)

    def ids(*axes: int) -> Tensor:
        return torch.randint(DIGIT, len(WORDS), axes, generator=drawn)

    picture = {
        "images": torch.rand(1, N_REGIONS, DIGIT_SIDE, DIGIT_SIDE, generator=drawn),
        "places": torch.randint(FURTHEST + 1, (1, N_REGIONS, 2), generator=drawn),
    }
    one = picture | {
        "source": ids(1, N_TOKENS),
        "covered": torch.tensor([[False, True, False]]),
    }
    several = [picture | {"captions": ids(1, N, N_TOKENS)} for N in (7, 9)]
    return {"read": (read, [one, one]), "choose": (choose, several)}
