"""Chapter 7's experiments, where the answer is known beforehand."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import layers
from attention_book.chapters.masks_and_heads import experiments
from attention_book.chapters.masks_and_heads.sentences import (
    ADJECTIVES,
    NAMES,
    WORDS,
    collate,
)
from attention_book.chapters.masks_and_heads.tasks.four_questions import (
    FourQuestions,
    last_rows,
    pointing,
    right,
    without,
)
from attention_book.training import seeded


def hide_scores(E, V, visible):
    return E.masked_fill(~visible, -torch.inf).softmax(-1) @ V


def hide_weights(E, V, visible):
    return (E.softmax(-1) * visible) @ V


def hide_nothing(E, V, visible):
    return E.softmax(-1) @ V


def stand_in(E, V, visible):
    return E.masked_fill(~visible, -1e4).softmax(-1) @ V


def zero(E, V, visible):
    return (E * visible).softmax(-1) @ V


@pytest.mark.parametrize(
    ("program", "sums_to_1", "hides", "leaks", "hides_lower"),
    [
        (hide_scores, True, True, False, True),
        (hide_weights, False, True, True, True),
        (hide_nothing, True, False, True, False),
        (stand_in, True, True, False, False),
        (zero, True, False, True, False),
    ],
)
def test_each_program_is_found_out_by_what_it_does(
    program, sums_to_1, hides, leaks, hides_lower
):
    (row,) = experiments.compare({"it": program}).values()
    sums, hidden, changed, hidden_lower = row
    assert (sums == "1.00-1.00") == sums_to_1
    assert (hidden == 0) == hides
    assert (changed > 1e-12) == leaks
    assert (hidden_lower == 0) == hides_lower


def test_a_blind_row_is_nan_zeros_or_an_error():
    found = [*experiments.blind_row().values()]
    assert found == ["NaN", "zeros", "NaN", "zeros", "ValueError"]


@pytest.mark.parametrize("N_heads", [1, 2, 4])
def test_one_head_after_the_other_is_all_heads_at_once(N_heads):
    with seeded(0):
        layer = layers.MultiHeadAttention(8, N_heads).double()
        X, visible = torch.randn(5, 8).double(), layers.causal_mask(5)
    Y = experiments.head_by_head(layer, X, visible)
    torch.testing.assert_close(Y, layer(X, visible)[0])


@pytest.mark.parametrize("N_heads", [1, 2, 8])
def test_work_does_not_depend_on_the_number_of_heads(N_heads):
    D, N = 16, 5
    work = 4 * N * D * D + 2 * N * N * D
    assert experiments.cost(N_heads, D, N) == [4 * D * D, work, N_heads * N * N]


@pytest.fixture(scope="module")
def model():
    with seeded(0):
        return FourQuestions(N_heads=2, D=8).model()


@pytest.fixture(scope="module")
def tested():
    return FourQuestions(N_heads=2, D=8).test[:400]


def test_exchanged_amounts_are_those_of_two_places_alone():
    with seeded(1):
        model = FourQuestions(N_heads=1).model().eval()
    X = torch.randn(2, 7, 32)
    visible = torch.ones(2, 7, 7, dtype=torch.bool)
    layer, exchanged = model.attend, experiments.AmountsExchanged(model)
    _, A = layer(X, visible)
    (Y, same), P = exchanged(X, visible), model.places.P[:7]
    assert torch.equal(A, same)
    words = A[:, 0] @ (X - P) @ layer.W_V
    amounts = A[:, 0].clone()
    amounts[..., 0], amounts[..., 2] = A[:, 0, :, 2], A[:, 0, :, 0]
    expected = (words + amounts @ P @ layer.W_V) @ layer.W_O
    torch.testing.assert_close(Y, expected)


class Says(torch.nn.Module):
    """Gives these answers, one row for each sentence."""

    def __init__(self, ids):
        super().__init__()
        self.ids = ids

    def forward(self, source, source_visible):
        return F.one_hot(self.ids, len(WORDS))


def test_names_said_counts_sentences_with_two_names(tested):
    some = [e for e in tested if {e.words[0], e.words[2]} <= {*NAMES}]
    assert 0 < len(some) < len(tested)
    gold = collate(some).target_out
    right = experiments.names_said(Says(gold), tested)
    assert right == {"both names right": 1, "exchanged": 0, "before": 1, "noun": 1}
    exchanged = experiments.names_said(Says(gold[:, [1, 0, 2, 3]]), tested)
    assert exchanged == right | {"both names right": 0, "exchanged": 1}


def test_the_weight_of_a_name_is_that_of_its_sentences(model, tested):
    found = experiments.weight_by_name(model, tested)
    assert {*found} == {*NAMES}
    assert [*found.values()] == sorted(found.values())
    rows = last_rows(model, tested)[:, 0]
    for place, k in ((0, 0), (2, 1)):
        of_ben = [
            a[place]
            for a, s in zip(rows, tested, strict=True)
            if s.words[place] == "ben"
        ]
        assert found["ben"][k] == pytest.approx(np.mean(of_ben), rel=1e-4)


def test_nouns_by_kind_add_up_to_all_that_fit(model, tested):
    rows = experiments.noun_by_kind(model, tested, silent=1)
    fits = [each for each in tested if each.gold[3] is not None]
    N_of = [
        sum(each.words[-1] in adjectives for each in fits)
        for adjectives in ADJECTIVES.values()
    ]
    assert sum(N_of) == len(fits)
    for column, due in (
        ("head 1", pointing(model, fits)[0, 3]),
        ("right", right(model, collate(fits))[3]),
        ("without 2", right(without(model, [1]), collate(fits))[3]),
    ):
        shares = [row[column] for row in rows.values()]
        assert np.average(shares, weights=N_of) == pytest.approx(due)
