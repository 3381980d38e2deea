"""A scene by hand, a small network, and one that knows the truth."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.chapters.two_streams.model import (
    Detector,
    DetectorConfig,
    TwoStreams,
    TwoStreamsConfig,
)
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    DIGIT,
    FIRST,
    MASK,
    N_DIGITS,
    WORDS,
    Scenes,
    is_true,
)
from attention_book.training import seeded


def images_of(digits):
    """Draw images that tell the digit: each pixel is a tenth of it."""
    return digits[..., None, None].expand(-1, -1, 8, 8) / 10


@pytest.fixture
def scene():
    """Scenes of a three above a seven, and a one to the right of both."""

    def made(first=0, second=1, N=1):
        digits = torch.tensor([[3, 7, 1]])
        return Scenes(
            images=images_of(digits.expand(N, 3)),
            places=torch.tensor([[[2, 4], [20, 6], [10, 24]]]).expand(N, 3, 2),
            digits=digits.expand(N, 3),
            named=torch.tensor([[first, second]]).expand(N, 2),
        )

    return made


@pytest.fixture
def tiny():
    """Make a small network with fresh weights."""

    def made(seed=0, **settings):
        sizes = {"D": 8, "N_heads": 2, "D_hidden": 8} | settings
        with seeded(seed):
            detector = Detector(DetectorConfig(N_channels=2, N_features=4))
            return TwoStreams(TwoStreamsConfig(**sizes), detector)

    return made


class Sees(nn.Module):
    """Reads the digit off an image of `images_of`."""

    def features(self, images):
        return 10 * images[..., :1, 0]


class Knows(nn.Module):
    """A network whose answers are right, on scenes whose images tell the digit.

    At a hidden first digit it says the smallest for which the caption is true; at a
    region that is covered, the digit that the caption names first.
    """

    config = TwoStreamsConfig(meet=False)

    def __init__(self):
        super().__init__()
        self.detector = Sees()

    def forward(self, features, places, ids, hidden=None):
        digits = features[..., 0].round().long()
        scenes = Scenes(images_of(digits), places, digits, digits[:, :2])
        words = F.one_hot(ids, len(WORDS)).float()
        for at, kinds in (
            (FIRST, range(DIGIT, DIGIT + N_DIGITS)),
            (BETWEEN, range(len(WORDS))),
        ):
            asked = ids[:, at] == MASK
            for word in reversed(kinds):
                told = ids.clone()
                told[:, at] = word
                fits = asked & is_true(scenes, told)
                words[fits, at] = F.one_hot(torch.tensor(word), len(WORDS)).float()
        words[:, 0, 0] = is_true(scenes, ids).float() - 0.5
        regions = F.one_hot(digits, len(WORDS)).float()
        if hidden is not None:
            named = F.one_hot((ids[:, FIRST] - DIGIT).clamp(0), len(WORDS)).float()
            regions = torch.where(hidden[..., None], named[:, None], regions)
        return words, torch.cat([regions[:, :1], regions], dim=1)

    def words(self, vectors):
        return vectors

    def classes(self, vectors):
        return vectors

    def fits(self, words, regions):
        return words[:, 0, 0]


@pytest.fixture
def knows():
    return Knows()


@pytest.fixture
def plain_images():
    """Put images in scenes that tell the digit."""

    def with_plain_images(scenes):
        return replace(scenes, images=images_of(scenes.digits))

    return with_plain_images
