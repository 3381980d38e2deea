"""The look-up: what is dealt, what is asked, and that seeds stay apart."""

import numpy as np
import pytest
import torch

from attention_book import layers
from attention_book.chapters.attention_layer import cards
from attention_book.chapters.attention_layer.cards import COLOURS, KINDS


@pytest.fixture(scope="module")
def dealt():
    return cards.deal(50, torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def readers():
    return cards.train(16, steps=250)


def test_a_card_is_a_kind_and_a_colour(dealt):
    assert dealt.X.shape == (cards.N_SEEDS, 50, cards.N_CARDS, len(KINDS + COLOURS))
    kinds, colours = dealt.X.split([len(KINDS), len(COLOURS)], dim=-1)
    assert (kinds.sum(dim=-1) == 1).all()
    assert (colours.sum(dim=-1) == 1).all()
    assert kinds.sum(dim=-2).max() == 1, "the kinds on a table differ"


def test_the_answer_is_the_colour_of_the_card_that_is_asked_for(dealt):
    assert {*dealt.asked.flatten().tolist()} == {*range(cards.N_CARDS)}
    for seed in range(cards.N_SEEDS):
        for table in range(50):
            card = dealt.X[seed, table, dealt.asked[seed, table]]
            assert card.nonzero().flatten().tolist() == [
                dealt.kind[seed, table],
                len(KINDS) + dealt.colour[seed, table],
            ]


def test_whoever_does_not_hear_the_question_is_right_as_often_as_the_commonest_colour():
    assert 1 / len(COLOURS) < cards.commonest() < 0.4


@pytest.mark.parametrize(
    ("matrices", "expected"),
    [("K = V", 64), ("K, V", 2 * 64), ("Q, K, V", 2 * 64 + 16)],
)
def test_a_reader_has_as_many_matrices_as_it_says(matrices, expected):
    readers = cards.train(4, matrices, steps=0)
    assert readers.N_weights == expected + 4 * len(COLOURS)


def test_with_one_matrix_keys_are_values_and_stay_so():
    readers = cards.train(4, matrices="K = V", steps=3)
    seen = []

    def attend(Q, K, V):
        seen.append(torch.equal(K, V))
        return layers.attention(Q, K, V)

    cards.CardReader(4, "K = V", attend)(
        torch.randn(2, 1, 4), torch.randn(2, 6, cards.D_X)
    )
    assert seen == [True]
    assert {*readers.weights} == {"W_K", "W_Y"}


def test_it_learns_to_look_up(readers):
    right, on_asked = cards.look_up(readers, 200)
    assert (right > 0.95).all()
    assert (on_asked > 0.5).all()
    assert len(readers.loss) == 250
    assert np.mean(readers.loss[-1]) < 0.3 < np.mean(readers.loss[0])


def test_side_by_side_each_network_is_what_it_is_alone():
    """A network by itself says what it says among the five."""
    both = cards.train(4, steps=2)
    assert len({tuple(w.flatten().tolist()) for w in both.weights["W_K"]}) == 5
    lone = cards.CardReader(4)
    lone.load_state_dict({name: W[3] for name, W in both.weights.items()})
    dealt = cards.deal(7, torch.Generator().manual_seed(0))
    Q = both.codes[3][dealt.kind[3]].unsqueeze(1)
    logits, A = (each.squeeze(1) for each in lone(Q, dealt.X[3]))
    with torch.no_grad():
        theirs = both(dealt.X, dealt.kind)
    torch.testing.assert_close(logits, theirs[0][3])
    torch.testing.assert_close(A, theirs[1][3])


def test_as_many_are_trained_and_asked_as_one_wants():
    readers = cards.train(4, steps=1, N_seeds=7)
    right, on_asked = cards.look_up(readers, 10)
    assert right.shape == on_asked.shape == (7,)


def test_without_the_division_the_scores_are_larger_by_the_root():
    divided, plain = (cards.train(16, steps=0, divided=each) for each in (True, False))
    torch.testing.assert_close(plain.codes, 4 * divided.codes)
    torch.testing.assert_close(plain.weights["W_K"], divided.weights["W_K"])


def test_keys_can_begin_with_variance_1():
    readers = cards.train(64, steps=0, W_K_times=cards.UNIT)
    dealt = cards.deal(500, torch.Generator().manual_seed(0))
    K = dealt.X @ readers.weights["W_K"].unsqueeze(1)
    assert K.pow(2).mean().item() == pytest.approx(1, abs=0.05)


def test_the_matrix_of_the_queries_can_be_taken_in_by_that_of_the_keys():
    three = cards.train(4, matrices="Q, K, V", steps=5)
    two = cards.without_W_Q(three)
    dealt = cards.deal(20, torch.Generator().manual_seed(0))
    assert {*two.weights} == {"W_K", "W_V", "W_Y"}
    with torch.no_grad():
        both = two(dealt.X, dealt.kind), three(dealt.X, dealt.kind)
    for ours, theirs in zip(*both, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_a_set_has_no_order_and_a_look_at_the_first_card_has(readers):
    assert (cards.same_in_another_order(readers, 100) == 1).all()

    def the_first(Q, K, V):
        return V[..., :1, :] + 0 * Q.sum(), layers.attention(Q, K, V)[1]

    first = cards.train(16, steps=20, attend=the_first)
    assert (cards.same_in_another_order(first, 100) < 0.6).all()


def test_a_reader_can_be_asked_in_words(readers):
    said = cards.ask(readers, "red cat, blue dog, pink owl, green hen", "owl")
    *table, answer = said.splitlines()
    assert [line[:12].strip() for line in table] == [
        "red cat",
        "blue dog",
        "pink owl",
        "green hen",
    ]
    assert answer.startswith("It says pink")


def test_a_row_of_the_map_is_a_kind_that_is_asked_for(readers):
    table, kinds = "red cat, blue dog, pink owl", ["owl", "cat"]
    chances, A = cards.look(readers, table, kinds)
    assert A.argmax(dim=1).tolist() == [2, 0]
    said = [COLOURS[best] for best in chances.argmax(dim=1)]
    assert said == ["pink", "red"]
    torch.testing.assert_close(chances.sum(dim=1), torch.ones(2))


@pytest.mark.parametrize("typed", ["", "red", "cat red", "red cat, owl", "red cat,"])
def test_what_is_no_card_is_named(readers, typed):
    with pytest.raises(ValueError, match="is no card: expected one such as 'red cat'"):
        cards.ask(readers, typed, "owl")


def test_a_number_of_matrices_that_there_is_not(as_a_reader):
    with pytest.raises(ValueError, match="matrices is 'Q'"):
        cards.CardReader(4, matrices="Q")
