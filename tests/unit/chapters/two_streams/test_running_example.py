"""What the chapter says of its running example, by the network that is shown."""

import pytest
import torch

from attention_book import runs
from attention_book.chapters.two_streams import experiments, running_example
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    FIRST,
    SECOND,
    exchanged,
    is_true,
    text,
    true_captions,
    turned,
)
from attention_book.data import DIGIT_NAMES

SCENE = running_example.scene()
CAPTION = true_captions(SCENE)


@pytest.fixture(scope="module")
def network():
    return runs.load("two-streams").model()


def test_the_caption_is_true_and_fits_better_than_its_neighbours(network):
    assert text(CAPTION[0]) == running_example.CAPTION
    others = torch.cat([exchanged(CAPTION), turned(CAPTION)])
    assert not any(is_true(SCENE, each[None]) for each in others)
    fits = experiments.scores(network, SCENE, torch.cat([CAPTION, others])[None])[0]
    assert fits[0] > 0 > fits[1:].max()
    swapped = running_example.scene((7, 3, 9))
    after = experiments.scores(network, swapped, torch.cat([CAPTION, others])[None])[0]
    assert after[1:].min() > 0 > after[0]


def test_both_digit_words_look_at_the_three_and_regions_at_their_own_words(network):
    _, weights = experiments.attend(network, SCENE, CAPTION)
    words = weights[experiments.WORDS_LOOK].mean(dim=1)[0, :, 1:]
    regions = weights[experiments.REGIONS_LOOK].mean(dim=1)[0, 1:]
    assert words[[FIRST, SECOND]].argmax(dim=-1).tolist() == [0, 0]
    assert regions[:2].argmax(dim=-1).tolist() == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (None, "above"),
        (dict([experiments.moves(SCENE)["the two"]]), "below"),
    ],
)
def test_the_hidden_relation_turns_round_with_the_regions_weights(
    network, change, said
):
    guess = experiments.guess(network, SCENE, CAPTION, BETWEEN, change)
    assert text(guess) == said


def test_the_detector_names_the_readers_digits(network):
    images = torch.stack([*running_example.pictures().values()])
    sure = network.detector(images).softmax(dim=-1).diagonal()
    assert len(sure) == len(DIGIT_NAMES)
    assert sure.min() > 0.9
