"""The solutions a reader unfolds in chapter 2 are right."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.exercises.attention import attention_step, error_rate, work_per_word
from attention_book.metrics import alignment_error_rate, strongest_link

N_X, D = 5, 4
rng = np.random.default_rng(0)


def test_the_step_is_torchs_masked_attention():
    s, h, visible = rng.normal(size=D), rng.normal(size=(N_X, D)), np.array([True, False, True, True, False])
    c_t, a_t = attention_step(s, h, visible)
    query, inputs, mask = (torch.from_numpy(each)[None] for each in (s, h, visible))
    oracle = F.scaled_dot_product_attention(query[:, None], inputs, inputs, attn_mask=mask[:, None], scale=1.0)
    np.testing.assert_allclose(c_t, oracle[0, 0].numpy(), atol=1e-12)
    assert a_t.sum() == pytest.approx(1)
    assert (a_t[~visible] == 0).all()


def test_large_scores_do_not_overflow():
    _, a_t = attention_step(np.full(D, 100.0), 10 * rng.normal(size=(N_X, D)), np.ones(N_X, dtype=bool))
    assert np.isfinite(a_t).all()


def test_the_error_rate_is_that_of_the_metrics():
    A = rng.dirichlet(np.ones(N_X), size=4)
    A[3] = [0.1, 0.1, 0.1, 0.1, 0.6]  # looks at [STOP]
    gold = frozenset({(0, 0), (1, 0), (int(A[1].argmax()), 1), (3, 2)})
    for N_words in (N_X - 1, N_X):
        links = strongest_link(A, N_words=N_words)
        assert error_rate(A, gold, N_words) == pytest.approx(alignment_error_rate([links], [gold]))
    assert error_rate(A, gold, N_X - 1) != error_rate(A, gold, N_X)


def test_nothing_to_look_at_is_an_error():
    with pytest.raises(ValueError, match="nothing to look at"):
        attention_step(np.ones(D), np.ones((N_X, D)), np.zeros(N_X, dtype=bool))


def test_work_is_counted_as_the_formulas_say():
    assert work_per_word(20, 128, 128, 128) == {"dot": 2560, "bilinear": 2560, "mlp": 18944}
    assert work_per_word(1, 3, 5, 7) == {"dot": 5, "bilinear": 3, "mlp": 28}
