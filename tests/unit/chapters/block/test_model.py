"""The model: who is told of whom, part by part, and what is left out."""

import pytest
import torch

from attention_book.chapters.block.model import MaskedWords, MaskedWordsConfig
from attention_book.chapters.block.recipes import BLOCKS, WITHOUT
from attention_book.models import N_weights
from attention_book.training import seeded

SIZES = {"N_words": 11, "N_blocks": 2, "D": 8, "N_heads": 2, "D_hidden": 12}
SOURCE = torch.tensor([[3, 4, 5, 6, 7], [8, 9, 3, 0, 0]])


def model(**sizes):
    with seeded(0):
        return MaskedWords(MaskedWordsConfig(**SIZES | sizes))


def logits(model, source=SOURCE):
    return model(source, source > 0).detach()


@pytest.mark.parametrize(
    ("sizes", "is_moved"),
    [({}, True), ({"attention": "mean"}, True), ({"attention": "none"}, False)],
)
def test_words_meet_in_attention_alone(sizes, is_moved):
    other = SOURCE.clone()
    other[0, 3] = 10
    moved = (logits(model(**sizes)) - logits(model(**sizes), other)).abs().amax(-1)
    assert (moved[0, [0, 1, 2, 4]] > 1e-4).all() == is_moved
    assert (moved[0, [0, 1, 2, 4]] == 0).all() != is_moved
    assert moved[0, 3] > 1e-4
    assert moved[1].max() == 0


@pytest.mark.parametrize("sizes", [*WITHOUT.values(), {"attention": "mean"}])
def test_filling_moves_no_word(sizes):
    known = {"D_hidden": 12, "N_blocks": 2}
    made = model(**sizes | {name: known[name] for name in known if name in sizes})
    alone = logits(made, SOURCE[1:, :3])[0]
    torch.testing.assert_close(logits(made)[1, :3], alone, atol=1e-5, rtol=0)


def test_the_mean_of_all_tells_a_word_of_the_bag_and_no_more():
    bag = model(attention="mean", positions=False)
    order = [3, 1, 4, 0, 2]
    whole = logits(bag, SOURCE[:1])
    torch.testing.assert_close(logits(bag, SOURCE[:1, order]), whole[:, order])
    found, _ = bag.encoder.blocks[0].attend(torch.randn(2, 5, 8), SOURCE[:, None] > 0)
    assert (found[0] == found[0, 0]).all()


def test_the_states_are_the_vectors_that_the_logits_are_read_from():
    made = model()
    states = made.states(SOURCE, SOURCE > 0)
    assert len(states) == 3
    torch.testing.assert_close(states[0], made.positions(made.words(SOURCE) * 8**0.5))
    Y, _ = made.encoder(states[0], SOURCE[:, None] > 0)
    read = Y @ made.words.weight.T + made.b
    torch.testing.assert_close(read, made(SOURCE, SOURCE > 0))
    torch.testing.assert_close(read[0, 2], made.read(states[-1][0, 2]))


def test_vectors_enter_with_variance_1():
    source = torch.arange(500)[None]
    with seeded(0):
        made = MaskedWords(MaskedWordsConfig(500, 1, positions=False))
    X = made.states(source, source >= 0)[0]
    assert X.var().item() == pytest.approx(1, abs=0.05)


def test_what_is_left_gets_as_many_weights_as_were_taken():
    def N(name):
        config = MaskedWordsConfig(9, **{"N_blocks": BLOCKS} | WITHOUT[name])
        return N_weights(MaskedWords(config).encoder)

    for name in ("no-attention-equal", "no-mlp-equal"):
        assert N(name) == pytest.approx(N("full"), rel=0.01)
        assert N(name.removesuffix("-equal")) < 0.7 * N("full")
