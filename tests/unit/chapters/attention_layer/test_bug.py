"""Find the bug, chapter 4: keys in the shape of their transpose learn a little, and
what comes out depends on the order of the cards."""

import torch

from attention_book.chapters.attention_layer import experiments, networks
from attention_book.chapters.attention_layer.bug import BUG_HUNT


def test_only_one_input_or_keys_of_one_number_hide_the_bug():
    generator = torch.Generator().manual_seed(0)
    for N_X, D_Q in ((1, 4), (5, 1), (4, 4), (5, 4)):
        shapes = (2, 3, D_Q), (2, N_X, D_Q), (2, N_X, 7)
        Q, K, V = (torch.randn(shape, generator=generator) for shape in shapes)
        ours, theirs = (f(Q, K, V)[0] for f in (BUG_HUNT.repaired, BUG_HUNT.broken))
        assert ours.shape == theirs.shape
        assert torch.allclose(ours, theirs, atol=1e-6) == (1 in (N_X, D_Q))


def test_it_learns_more_than_the_commonest_and_answers_by_the_order():
    readers = networks.train(8, steps=250, attend=BUG_HUNT.broken)
    right, _ = experiments.look_up(readers)
    assert ((right > experiments.commonest() + 0.02) & (right < 0.5)).all()
    same = experiments.same_in_another_order(readers)
    assert ((same > 0.5) & (same < 0.7)).all()
