"""Networks that look cards up: what is dealt, what they learn and what is measured, and
what the text says of the cards that a reader lays.
"""

from itertools import islice

import numpy as np
import pytest
import torch

from attention_book import layers
from attention_book.chapters.attention_layer import (
    cards,
    experiments,
    networks,
    solutions,
)
from attention_book.chapters.attention_layer.bug import BUG_HUNT
from attention_book.chapters.attention_layer.cards import COLOURS, KINDS, N_CARDS
from attention_book.chapters.attention_layer.tasks import ANSWERS, LookUp
from attention_book.chapters.attention_layer.widgets import TABLE, own_cards
from attention_book.runs import load


@pytest.fixture(scope="module")
def dealt():
    return cards.deal(50, torch.Generator().manual_seed(0))


def test_a_card_is_a_kind_and_a_colour(dealt):
    assert dealt.X.shape == (cards.N_SEEDS, 50, N_CARDS, len(KINDS + COLOURS))
    kinds, colours = dealt.X.split([len(KINDS), len(COLOURS)], dim=-1)
    assert (kinds.sum(dim=-1) == 1).all()
    assert (colours.sum(dim=-1) == 1).all()
    assert kinds.sum(dim=-2).max() == 1, "the kinds on a table differ"


def test_the_answer_is_the_colour_of_the_card_that_is_asked_for(dealt):
    assert {*dealt.asked.flatten().tolist()} == {*range(N_CARDS)}
    for seed in range(cards.N_SEEDS):
        for table in range(50):
            card = dealt.X[seed, table, dealt.asked[seed, table]]
            assert card.nonzero().flatten().tolist() == [
                dealt.kind[seed, table],
                len(KINDS) + dealt.colour[seed, table],
            ]


@pytest.mark.parametrize("typed", ["", "red", "cat red", "red cat, owl", "red cat,"])
def test_what_is_no_card_is_named(typed):
    with pytest.raises(ValueError, match="is no card: expected one such as 'red cat'"):
        cards.lay(typed)


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


def test_two_heaps_are_told_apart_at_the_best_threshold():
    low, high = torch.tensor([0.1, 0.2, 0.3, 0.9]), torch.tensor([0.7, 0.8, 0.85, 1.0])
    assert solutions.told_apart(high, low) == pytest.approx(7 / 8)
    assert solutions.told_apart(low, low) == pytest.approx(1 / 2)


def test_asked_in_vain_a_network_is_less_sure_and_its_score_knows_best():
    rows = solutions.compare_absent_kind(networks.train(8, steps=250), 200)
    there, gone, apart = rows.values()
    for name in there:
        assert there[name] > gone[name]
    assert apart["score"] > apart["weight"] > apart["chance of its answer"] > 0.8


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


def test_the_right_answer_is_the_colour_of_the_card_that_is_asked_for():
    (batch,) = islice(LookUp(4).batches(3, 1), 1)
    for X, kind, said in zip(
        batch.source, batch.target_in, batch.target_out, strict=True
    ):
        (card,) = X[X[:, kind.item()] == 1]  # one card has the kind
        assert ANSWERS.words[said] == COLOURS[card[len(KINDS) :].argmax()]


@pytest.mark.parametrize("matrices", ["K = V", "K, V", "Q, K, V"])
def test_what_it_says_is_what_the_experiments_hear(matrices):
    model = LookUp(4, matrices).model()
    _, X = cards.lay("red cat, blue dog, pink owl")
    with torch.no_grad():
        logits = model(X.expand(2, -1, -1), None, torch.tensor([[1], [6]]))[:, 0]
    chances, _ = experiments.attend(
        model.alone, "red cat, blue dog, pink owl", ["cat", "owl"]
    )
    said = logits.softmax(-1)
    torch.testing.assert_close(said[:, ANSWERS.encode(COLOURS)], chances)
    assert (said[:, :3] == 0).all()


def test_one_matrix_is_too_little_and_two_are_enough():
    one, two = (load(f"cards-{name}").per_seed("right") for name in ("one", "two"))
    assert one.max() < 0.65
    assert two.min() > 0.96


def answered(table, asked):
    """Weights and chances of both networks: K = V, and K, V."""
    widget = own_cards(table, asked)
    shown = (panel.fields["values"].at(widget.index) for panel in widget.panels)
    A, P = shown
    np.testing.assert_allclose([A.sum(axis=1), P.sum(axis=1)], 1, atol=1e-5)
    return A, P, [COLOURS[best] for best in P.argmax(axis=1)]


def test_one_matrix_names_four_of_the_five_cards_and_is_sure_of_none():
    cards = [card.split("-") for card in TABLE.split()]
    said = {kind: answered(TABLE, kind) for _, kind in cards}
    one, two = zip(*(names for _, _, names in said.values()), strict=True)
    assert list(two) == [colour for colour, _ in cards]
    assert [a == b for a, b in zip(one, two, strict=True)] == [1, 0, 1, 1, 1]
    assert max(P[0].max() for _, P, _ in said.values()) < 0.7
    A, _, names = said["dog"]
    assert names == ["pink", "blue"]
    assert (A[0, 2] > 2 * A[0, 1], A[1, 1] > 0.9) == (True, True)


def test_two_owls_share_the_weight_and_the_colours():
    A, P, _ = answered("pink-owl red-owl", "owl")
    assert A[1] == pytest.approx([0.5, 0.5], abs=0.02)
    pink, red = (P[1, COLOURS.index(each)] for each in ("pink", "red"))
    assert pink == pytest.approx(red, abs=0.03)
    A, _, names = answered(TABLE.replace("grey-cow", "grey-owl"), "owl")
    assert A[1, [2, 4]] == pytest.approx(0.43, abs=0.02)
    assert names[1] == "blue", "the colour of neither"


def test_a_table_without_an_owl_has_an_answer_too():
    A, _, names = answered("red-cat", "owl")
    assert (A.tolist(), names) == ([[1], [1]], ["red", "red"])
    A, _, names = answered(TABLE.replace("pink-owl", "pink-pig"), "owl")
    assert (A[:, 1] > 0.5).all()
    assert names == ["blue", "blue"]
