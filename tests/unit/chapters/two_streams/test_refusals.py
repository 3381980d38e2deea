"""What the chapter's functions refuse, and what they say then."""

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams import running_example
from attention_book.chapters.two_streams.experiments import random_captions
from attention_book.chapters.two_streams.model import Detector, DetectorConfig
from attention_book.chapters.two_streams.scenes import draw, false_captions
from attention_book.chapters.two_streams.tasks import Pretraining


def rng():
    return Generator().manual_seed(0)


REFUSED = {
    "lesson": (lambda: Pretraining(lesson=-5), "lesson is -5, expected at least 0"),
    "hide_relation": (
        lambda: Pretraining(hide_relation=7.0),
        "hide_relation is 7.0, expected 0 to 1",
    ),
    "hard": (lambda: false_captions(rng(), draw(rng(), 5), 3), "hard is 3, expected 0"),
    "detector": (lambda: DetectorConfig(N_features=0), "N_features is 0, expected at"),
    "images": (
        lambda: Detector(DetectorConfig()).features(torch.zeros(1, 3, 16, 16)),
        r"images has shape \(1, 3, 16, 16\), expected",
    ),
    "few scenes": (
        lambda: random_captions(draw(rng(), 23)),
        "scenes is 23, expected at least 24",
    ),
    "place": (
        lambda: running_example.scene(places=((2, 4), (20, 7), (11, 25))),
        "places is 25, expected 0 to 24",
    ),
    "digit": (lambda: running_example.scene((3, 7, -1)), "digits is -1, expected 0 to"),
}


@pytest.mark.parametrize(("build", "says"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_named(as_a_reader, build, says):
    with pytest.raises(ValueError, match=says):
        build()
