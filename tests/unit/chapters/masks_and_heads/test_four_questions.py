"""What is measured of heads: on networks of which the answer is known."""

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads.sentences import collate
from attention_book.chapters.masks_and_heads.tasks import four_questions
from attention_book.chapters.masks_and_heads.tasks.four_questions import FourQuestions
from attention_book.training import seeded


@pytest.fixture(scope="module")
def task():
    return FourQuestions(N_heads=4, D=16)


def fresh(task):
    with seeded(0):
        return task.model()


def pointed(task, places):
    """A model whose head k looks at the place places[k], and at nothing else."""
    model = fresh(task)
    model.words.weight.data *= 0
    model.places.P.data *= 0
    for W in (model.attend.W_Q, model.attend.W_K):
        W.data *= 0
    for k, place in enumerate(places):
        model.attend.W_Q.data[0, 4 * k] = 1
        model.attend.W_K.data[1 + k, 4 * k] = 100
        model.places.P.data[place, 1 + k] = 1
    model.places.P.data[:, 0] = 1  # what asks
    return model


def test_pointing_counts_where_the_largest_weight_is(task):
    found = four_questions.pointing(pointed(task, [0, 2, 5, 2]), task.test)
    assert found.shape == (4, 4)
    assert found[0].tolist() == [1, 0, 0, 0]
    assert found[1].tolist() == found[3].tolist() == [0, 1, 0, 0]
    there = np.mean([each.gold[3] == 5 for each in task.test if each.gold[3]])
    assert found[2].tolist() == [0, 0, 0, pytest.approx(there)]
    assert there > 0.05


def test_no_word_looks_ahead_or_at_padding(task):
    model, batch = fresh(task), collate(task.test[:20])
    was = model(batch.source, batch.source_visible)
    filled = batch.source.clone()
    filled[~batch.source_visible] = 7
    torch.testing.assert_close(model(filled, batch.source_visible), was)
    _, A = model.with_attention(batch.source, batch.source_visible)
    assert (A.triu(1) == 0).all()
    rows = four_questions.last_rows(model, task.test[:20])
    for row, weights, each in zip(rows, A, task.test, strict=False):
        assert (row[:, len(each.words) :] == 0).all()
        last = weights[:, len(each.words) - 1].detach().numpy()
        np.testing.assert_array_equal(row, last)


@torch.no_grad()
def test_a_silent_head_adds_nothing_and_the_others_what_they_did(task):
    model, batch = fresh(task), collate(task.test[:20])
    before = model.attend.W_O.clone()
    kept = four_questions.without(model, [0, 2])
    (whole, A), (left, A_left) = (
        each.with_attention(batch.source, batch.source_visible)
        for each in (model, kept)
    )
    gone, _ = four_questions.without(model, [1, 3]).with_attention(
        batch.source, batch.source_visible
    )
    torch.testing.assert_close(left + gone, whole)
    torch.testing.assert_close(A_left, A)
    assert left.norm() > 0.1 < gone.norm()
    assert torch.equal(model.attend.W_O, before), "the model itself keeps its heads"


def test_shares_are_those_of_right_answers(task):
    model, batch = fresh(task), collate(task.test)
    model.read.weight.data *= 0
    model.read.bias.data *= 0
    answers = batch.target_out[0]  # those of the first sentence, for all sentences
    for k, answer in enumerate(answers):
        model.read.bias.data.view(4, -1)[k, answer] = 1
    due = [
        (batch.target_out[:, k] == answer).double().mean()
        for k, answer in enumerate(answers)
    ]
    assert four_questions.right(model, batch) == pytest.approx([*map(float, due)])
    assert min(due) > 0.02


def test_heads_are_pruned_from_the_one_that_is_missed_least(task):
    """Only head 2 says anything: it is the last to go."""
    model, batch = fresh(task), collate(task.test[:200])
    model = four_questions.without(model, [0, 1, 3])
    shares = four_questions.pruned(model, batch, batch)
    whole = four_questions.right(model, batch).mean()
    assert shares[1:] == pytest.approx([whole] * 4)
    assert shares[0] == pytest.approx(
        four_questions.right(four_questions.without(model, [2]), batch).mean()
    )
    assert shares[0] != pytest.approx(whole)
