"""Chapter 7's experiments, where the answer is known beforehand."""

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads import experiments
from attention_book.chapters.masks_and_heads.sentences import NAMES
from attention_book.chapters.masks_and_heads.tasks.four_questions import (
    FourQuestions,
    last_rows,
)
from attention_book.training import seeded

PROGRAMS = {  # and: sums to 1, hides, leaks, hides lower scores
    "scores": (
        lambda E, V, v: E.masked_fill(~v, -torch.inf).softmax(-1) @ V,
        (1, 1, 0, 1),
    ),
    "weights": (lambda E, V, v: (E.softmax(-1) * v) @ V, (0, 1, 1, 1)),
    "nothing": (lambda E, V, v: E.softmax(-1) @ V, (1, 0, 1, 0)),
    "stand-in": (
        lambda E, V, v: E.masked_fill(~v, -1e4).softmax(-1) @ V,
        (1, 1, 0, 0),
    ),
}


def test_each_program_is_found_out_by_what_it_does():
    rows = experiments.compare({name: each for name, (each, _) in PROGRAMS.items()})
    for name, (sums, hidden, changed, lower) in rows.items():
        found = sums == "1.00-1.00", hidden == 0, changed > 1e-12, lower == 0
        assert found == PROGRAMS[name][1], name


def test_a_blind_row_is_nan_zeros_or_an_error():
    found = [*experiments.blind_row().values()]
    assert found == ["NaN", "zeros", "NaN", "zeros", "ValueError"]


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
