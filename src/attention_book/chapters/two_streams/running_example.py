"""The scene and the caption that chapter 17 carries through, and the digits that a
reader lays on a sheet.
"""

from collections.abc import Sequence
from itertools import chain

import torch
from jaxtyping import Float
from torch import Tensor

from attention_book.chapters.two_streams.scenes import Scenes, digits_of
from attention_book.data import DIGIT_NAMES
from attention_book.data.scenes import FURTHEST
from attention_book.shapes import check_count, check_shapes

CAPTION = "a three above a seven"
DIGITS, PLACES = (3, 7, 9), ((2, 4), (20, 7), (11, 22))  # top and left, in pixels
# Of each digit, a test image that is easy to read, and that the recorded detector names
# with a probability above 0.9.
READABLE = (12, 0, 32, 2, 8, 10, 3, 23, 97, 65)


def pictures() -> dict[str, Float[Tensor, "8 8"]]:
    """Give one image of each digit, by its name; the networks have not seen it."""
    images, _ = digits_of("test")
    return dict(zip(DIGIT_NAMES, images[list(READABLE)], strict=True))


def scene(
    digits: Sequence[int] = DIGITS, places: Sequence[Sequence[int]] = PLACES
) -> Scenes:
    """Make one scene of three digits, of which a caption names the first two."""
    check_shapes(
        digits=(torch.tensor(digits), "3"), places=(torch.tensor(places), "3 2")
    )
    for digit in digits:
        check_count("digits", digit, 0, len(DIGIT_NAMES) - 1)
    for pixel in chain(*places):
        check_count("places", pixel, 0, FURTHEST)
    images = torch.stack([*pictures().values()])[list(digits)]
    return Scenes(
        images[None],
        torch.tensor([places]),
        torch.tensor([digits]),
        torch.tensor([[0, 1]]),
    )
