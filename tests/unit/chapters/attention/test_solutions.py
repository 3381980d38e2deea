"""The solutions a reader unfolds in chapter 2 are right."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    right_by_sureness,
    sure_and_right,
    work_per_word,
    wrong_by_word,
    wrong_looks,
)
from attention_book.data import Pair
from attention_book.metrics import alignment_error_rate, strongest_link
from attention_book.runs import SentenceAttention

N_X, D = 5, 4
rng = np.random.default_rng(0)


def test_the_step_is_torchs_masked_attention():
    s, h, visible = (
        rng.normal(size=D),
        rng.normal(size=(N_X, D)),
        np.array([True, False, True, True, False]),
    )
    c_t, a_t = attention_step(s, h, visible)
    query, inputs, mask = (torch.from_numpy(each)[None] for each in (s, h, visible))
    oracle = F.scaled_dot_product_attention(
        query[:, None], inputs, inputs, attn_mask=mask[:, None], scale=1.0
    )
    np.testing.assert_allclose(c_t, oracle[0, 0].numpy(), atol=1e-12)
    assert a_t.sum() == pytest.approx(1)
    assert (a_t[~visible] == 0).all()


def test_the_masked_softmax_is_torchs():
    e, visible = rng.normal(size=(2, 3, N_X)), rng.random(size=(2, 3, N_X)) < 0.6
    visible[..., 0] = True
    oracle = (
        torch.from_numpy(e)
        .masked_fill(~torch.from_numpy(visible), -torch.inf)
        .softmax(dim=-1)
    )
    np.testing.assert_allclose(masked_softmax(e, visible), oracle.numpy(), atol=1e-12)


def test_the_solution_of_the_step_is_the_one_of_the_mask():
    e, visible = np.array([0.5, -1.0, 2.0]), np.array([True, True, False])
    _, a_t = attention_step(np.array([1.0]), e[:, None], visible)
    np.testing.assert_allclose(a_t, masked_softmax(e, visible))


def test_what_is_hidden_changes_nothing():
    e, visible = rng.normal(size=(3, N_X)), np.array([True, False, True, True, False])
    visible = np.tile(visible, (3, 1))
    A = masked_softmax(np.where(visible, e, 5000.0), visible)
    np.testing.assert_allclose(
        A[visible], masked_softmax(e, visible)[visible], atol=1e-12
    )


def test_one_row_that_may_look_nowhere_is_an_error():
    with pytest.raises(ValueError, match="visible is False in a whole row"):
        masked_softmax(
            np.zeros((2, 3)), np.array([[True, False, True], [False, False, False]])
        )


def test_how_sure_a_look_is_and_whether_it_is_right():
    A = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])
    sure, right = sure_and_right(
        A, {(0, 0), (1, 0), (0, 1)}
    )  # the third word has no gold link
    assert sure.tolist() == [0.6, 0.5]
    assert right.tolist() == [True, False]


def at(*inputs, N_X=4):
    """Weights of which row j is at one input."""
    return np.eye(N_X)[list(inputs)]


def test_who_looks_elsewhere_is_named_with_what_it_looks_at():
    A = at(1, 2, 4, 0, N_X=5)  # only "chat" looks where it should
    look = SentenceAttention(
        source=("the", "big", "cat", "sleeps", "[STOP]"),
        target=("le", "chat", "dort", "[STOP]"),
        alignment=frozenset({(0, 0), (2, 1), (3, 2)}),
        e=A,
        A=A,
        h=A.T,
        said=(),
    )
    assert wrong_looks(look) == [("le", "big"), ("dort", "[STOP]")]


def test_looks_are_sorted_by_their_largest_weight_an_edge_to_the_sort_above():
    sure = np.array([0.3, 0.7, 0.89, 0.95, 0.99, 1.0, 1.0 + 1e-7])
    right = np.array([False, True, False, True, True, True, False])
    assert right_by_sureness(sure, right) == {
        "0.00-0.70": {"words": 1, "right": 0},
        "0.70-0.90": {"words": 2, "right": 0.5},
        "0.90-0.99": {"words": 1, "right": 1},
        "0.99-1.00": {"words": 3, "right": pytest.approx(2 / 3)},
    }


def test_a_sort_without_looks_is_left_out():
    shares = right_by_sureness(np.array([0.6]), np.array([True]), edges=(0, 0.5, 1))
    assert shares == {"0.50-1.00": {"words": 1, "right": 1}}


def test_the_words_looked_up_wrong_most_come_first():
    parce_que = frozenset({(1, 0), (1, 1), (2, 3)})  # no link for the third word
    pair = Pair(tuple("abc"), ("parce", "que", "il", "va"), parce_que)
    read = [at(1, 2, 0, 2), at(1, 0, 0, 2), at(0, 2, 0, 2)]
    assert wrong_by_word(read, [pair] * 3) == {
        "que": {"wrong": 3, "of": 3, "one word too far": 2},
        "parce": {"wrong": 1, "of": 3, "one word too far": 0},
        "va": {"wrong": 0, "of": 3, "one word too far": 0},
    }
    assert list(wrong_by_word(read, [pair] * 3, N_words=1)) == ["que"]


def test_the_next_word_is_too_far_only_beyond_the_last_gold_one():
    pair = Pair(tuple("abc"), ("x", "x"), frozenset({(0, 0), (1, 0), (0, 1), (2, 1)}))
    x = wrong_by_word([at(1, 1)], [pair])["x"]  # the second stands between its links
    assert x == {"wrong": 1, "of": 2, "one word too far": 0}


def test_no_link_on_either_side_is_no_rate():
    with pytest.raises(ValueError, match="nothing to measure"):
        error_rate(np.array([[0.2, 0.8]]), set(), 1)


def test_large_scores_do_not_overflow():
    _, a_t = attention_step(
        np.full(D, 100.0), 10 * rng.normal(size=(N_X, D)), np.ones(N_X, dtype=bool)
    )
    assert np.isfinite(a_t).all()


def test_the_error_rate_is_that_of_the_metrics():
    A = rng.dirichlet(np.ones(N_X), size=4)
    A[3] = [0.1, 0.1, 0.1, 0.1, 0.6]  # looks at [STOP]
    gold = frozenset({(0, 0), (1, 0), (int(A[1].argmax()), 1), (3, 2)})
    for length in (N_X - 1, N_X):
        links = strongest_link(A, length=length)
        assert error_rate(A, gold, length) == pytest.approx(
            alignment_error_rate([links], [gold])
        )
    assert error_rate(A, gold, N_X - 1) != error_rate(A, gold, N_X)


def test_nothing_to_look_at_is_an_error():
    with pytest.raises(ValueError, match="nothing to look at"):
        attention_step(np.ones(D), np.ones((N_X, D)), np.zeros(N_X, dtype=bool))


def test_work_is_counted_as_the_formulas_say():
    assert work_per_word(20, 128, 128, 128) == {
        "dot": 2560,
        "bilinear": 2560,
        "mlp": 18944,
    }
    assert work_per_word(1, 3, 5, 7) == {"dot": 5, "bilinear": 3, "mlp": 28}
