"""What is measured of networks that look cards up."""

import numpy as np
import pytest

from attention_book import layers
from attention_book.chapters.attention_layer import experiments, networks
from attention_book.chapters.attention_layer.cards import COLOURS, N_CARDS


@pytest.fixture(scope="module")
def readers():
    return networks.train(16, steps=250)


def test_whoever_does_not_hear_the_question_is_right_as_often_as_the_commonest_colour():
    tables = np.indices([len(COLOURS)] * N_CARDS).reshape(N_CARDS, -1)  # every one
    counts = np.stack(
        [(tables == colour).sum(axis=0) for colour in range(len(COLOURS))]
    )
    expected = counts.max(axis=0).mean() / N_CARDS
    assert experiments.commonest(4000) == pytest.approx(expected, abs=0.01)


def test_a_set_has_no_order_and_a_look_at_the_first_card_has(readers):
    assert (experiments.same_in_another_order(readers, 100) == 1).all()

    def the_first(Q, K, V):
        return V[..., :1, :] + 0 * Q.sum(), layers.attention(Q, K, V)[1]

    first = networks.train(16, steps=20, attend=the_first)
    assert (experiments.same_in_another_order(first, 100) < 0.6).all()
