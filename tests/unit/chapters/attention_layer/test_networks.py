"""The networks: their matrices, and that seeds stay apart."""

import pytest
import torch

from attention_book.chapters.attention_layer import cards, networks
from attention_book.chapters.attention_layer.cards import COLOURS


@pytest.mark.parametrize(
    ("matrices", "expected"),
    [("K = V", 64), ("K, V", 2 * 64), ("Q, K, V", 2 * 64 + 16)],
)
def test_a_reader_has_as_many_matrices_as_it_says(matrices, expected):
    readers = networks.train(4, matrices, steps=0)
    assert readers.N_weights == expected + 4 * len(COLOURS)


def test_with_one_matrix_keys_are_values_and_stay_so():
    readers = networks.train(4, matrices="K = V", steps=3)
    assert {*readers.weights} == {"W_K", "W_Y"}
    assert readers.network.W_V is readers.network.W_K


def test_side_by_side_each_network_is_what_it_is_alone():
    """A network by itself says what it says among the five."""
    both = networks.train(4, steps=2)
    assert len({tuple(w.flatten().tolist()) for w in both.weights["W_K"]}) == 5
    lone = networks.CardReader(4)
    lone.load_state_dict({name: W[3] for name, W in both.weights.items()})
    dealt = cards.deal(7, torch.Generator().manual_seed(0))
    Q = both.codes[3][dealt.kind[3]].unsqueeze(1)
    logits, A = (each.squeeze(1) for each in lone(Q, dealt.X[3]))
    with torch.no_grad():
        theirs = both(dealt.X, dealt.kind)
    torch.testing.assert_close(logits, theirs[0][3])
    torch.testing.assert_close(A, theirs[1][3])


def test_the_matrix_of_the_queries_can_be_taken_in_by_that_of_the_keys():
    three = networks.train(4, matrices="Q, K, V", steps=5)
    two = networks.without_W_Q(three)
    dealt = cards.deal(20, torch.Generator().manual_seed(0))
    assert {*two.weights} == {"W_K", "W_V", "W_Y"}
    with torch.no_grad():
        both = two(dealt.X, dealt.kind), three(dealt.X, dealt.kind)
    for ours, theirs in zip(*both, strict=True):
        torch.testing.assert_close(ours, theirs)
