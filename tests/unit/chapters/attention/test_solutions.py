"""The solutions a reader unfolds in chapter 2 are right."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    sure_and_right,
    work_per_word,
)
from attention_book.metrics import alignment_error_rate, strongest_link

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
