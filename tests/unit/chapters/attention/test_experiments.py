"""Chapter 2's experiments measure what they say, with a model that nobody trained."""

import numpy as np
import pytest
import torch

from attention_book import data, decoding, models, training
from attention_book.chapters.attention import experiments

PAIRS = [
    data.Pair(("a", "b", "c"), ("x", "y"), frozenset({(0, 0), (2, 1)})),
    data.Pair(("c", "a"), ("z", "y", "x"), frozenset({(1, 2)})),
]
VOCABULARIES = data.Vocabulary([*"abc"]), data.Vocabulary([*"xyz"])


@pytest.fixture
def model():
    sizes = map(len, VOCABULARIES)
    with training.seeded(0):
        model = models.Translator(models.TranslatorConfig(*sizes, 5, 8))
    with torch.no_grad():
        model.output[-1].bias[
            : data.STOP + 1
        ] = -99.0  # it writes words, up to the limit
    return model


def test_attention_on_gold_is_averaged_over_words_that_have_a_link(model):
    def on_gold(pairs):
        return experiments.on_gold(model, pairs, VOCABULARIES)

    (one, other), linked = map(on_gold, ([pair] for pair in PAIRS)), (2, 1)
    assert 0 < one != other < 1
    assert on_gold(PAIRS) == pytest.approx(np.average([one, other], weights=linked))


def test_gold_weights_replace_at_these_words_or_at_all_others():
    at_x, at_others = (
        experiments.gold_at(PAIRS, ["x"], each) for each in (True, False)
    )
    a_t = torch.tensor([[0.2, 0.7, 0.05, 0.05], [0.4, 0.3, 0.2, 0.1]])
    # where gold looks; without a link, at [STOP]: 3 in the first pair, 2 in the other
    steps = (0, 0, 2), (1, 2, 2), (2, 3, 1), (3, 3, 2), (9, 3, 2)
    for t, *looks in steps:
        gold = torch.eye(4)[looks]
        due = torch.tensor([[t == 0], [t == 2]])  # x, in each of the pairs
        assert torch.equal(at_x(a_t, None, t), torch.where(due, gold, a_t))
        assert torch.equal(at_others(a_t, None, t), torch.where(due, a_t, gold))


def test_without_a_mask_only_the_sentences_with_padding_change(model):
    inputs = data.encode_sources([pair.source for pair in PAIRS], VOCABULARIES[0])
    masked, not_masked = (
        decoding.greedy(each, *inputs).attention
        for each in (model, experiments.without_mask(model))
    )
    assert masked[1, 0, -1] == 0 < not_masked[1, 0, -1]
    torch.testing.assert_close(masked[0, 0], not_masked[0, 0])
