"""The attention step: against torch's, against our NumPy, and the laws it obeys."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from attention_book import reference
from attention_book.layers import BilinearScore, DotScore, MLPScore, attention_weights

B, N_Y, N_X, D_S, D_H = 2, 3, 5, 4, 7
VISIBLE = torch.tensor(
    [[True, True, True, False, False], [True, False, True, True, True]]
)
KINDS = {
    "dot": (DotScore, D_S),
    "bilinear": (BilinearScore, D_H),
    "mlp": (MLPScore, D_H),
}


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


@pytest.fixture(params=KINDS)
def scored(request):
    """A score function with its states and inputs."""
    kind, width = KINDS[request.param]
    return kind(D_S, width).double(), leaf(B, N_Y, D_S), leaf(B, N_X, width)


@pytest.mark.parametrize("visible", [None, VISIBLE], ids=["all visible", "padded"])
def test_a_dot_product_step_is_torchs_attention_in_value_and_gradient(visible):
    s, h = leaf(B, N_Y, D_S), leaf(B, N_X, D_S)
    s_too, h_too = (
        s.detach().clone().requires_grad_(),
        h.detach().clone().requires_grad_(),
    )
    score, pull = DotScore(D_S, D_S), torch.randn(B, N_Y, D_S, dtype=torch.float64)
    mask = None if visible is None else visible.unsqueeze(1)
    ours = attention_weights(score(s, score.project_keys(h)), mask) @ h
    theirs = F.scaled_dot_product_attention(
        s_too, h_too, h_too, attn_mask=mask, scale=1.0
    )
    (ours * pull).sum().backward()
    (theirs * pull).sum().backward()
    for our, their in [(ours, theirs), (s.grad, s_too.grad), (h.grad, h_too.grad)]:
        torch.testing.assert_close(our, their, atol=1e-12, rtol=0)


REFERENCE = {
    "dot": (reference.dot_score, lambda score: {}),
    "bilinear": (
        reference.bilinear_score,
        lambda score: {"W": score.W.weight.detach().numpy()},
    ),
    "mlp": (
        reference.mlp_score,
        lambda score: {
            "W": score.W.weight.detach().numpy().T,
            "U": score.U.weight.detach().numpy().T,
            "v": score.v.weight.detach().numpy()[0],
        },
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_all_steps_at_once_agree_with_the_numpy_loop(name):
    kind, width = KINDS[name]
    score, s, h = kind(D_S, width).double(), leaf(B, N_Y, D_S), leaf(B, N_X, width)
    if name == "mlp":
        torch.nn.init.zeros_(score.U.bias)  # the lectures' form has none
    f_att, weights = REFERENCE[name]
    e = score(s, score.project_keys(h))
    a = attention_weights(e)
    c = a @ h
    for b in range(B):
        for t in range(N_Y):
            c_t, a_t, e_t = reference.attend(
                f_att, s[b, t].detach().numpy(), h[b].detach().numpy(), **weights(score)
            )
            for ours, theirs in [(c[b, t], c_t), (a[b, t], a_t), (e[b, t], e_t)]:
                np.testing.assert_allclose(
                    ours.detach().numpy(), theirs, atol=1e-12, rtol=0
                )


def test_the_mlp_has_the_bias_that_its_formula_has():
    score, s, h = MLPScore(D_S, D_H).double(), leaf(B, N_Y, D_S), leaf(B, N_X, D_H)
    W, U, v, b = score.W.weight, score.U.weight, score.v.weight[0], score.U.bias
    by_hand = torch.stack([v @ torch.tanh(W @ s[1, 2] + U @ h_i + b) for h_i in h[1]])
    torch.testing.assert_close(
        score(s, score.project_keys(h))[1, 2], by_hand, atol=1e-12, rtol=0
    )


def test_weights_sum_to_one_over_the_inputs(scored):
    score, s, h = scored
    a = attention_weights(score(s, score.project_keys(h)), VISIBLE[:, None])
    assert a.shape == (B, N_Y, N_X)
    torch.testing.assert_close(
        a.sum(dim=-1), torch.ones(B, N_Y).double(), atol=1e-12, rtol=0
    )


def test_what_is_not_visible_gets_no_weight_and_no_gradient(scored):
    score, s, h = scored
    a = attention_weights(score(s, score.project_keys(h)), VISIBLE[:, None])
    (a @ h).pow(2).sum().backward()
    assert (a[~VISIBLE.unsqueeze(1).expand(-1, N_Y, -1)] == 0).all()
    assert (h.grad[~VISIBLE] == 0).all()
    assert (h.grad[VISIBLE] != 0).any(dim=-1).all()


def test_the_inputs_are_a_set(scored):
    """Reordered inputs give reordered weights, and the same context."""
    score, s, h = scored
    order = torch.tensor([3, 0, 4, 1, 2])
    a = attention_weights(score(s, score.project_keys(h)))
    moved = attention_weights(score(s, score.project_keys(h[:, order])))
    torch.testing.assert_close(moved, a[..., order], atol=1e-12, rtol=0)
    torch.testing.assert_close(moved @ h[:, order], a @ h, atol=1e-12, rtol=0)


@given(shift=st.floats(-50, 50))
def test_adding_a_number_to_all_scores_changes_nothing(shift):
    e = torch.linspace(-2, 3, N_Y * N_X, dtype=torch.float64).reshape(1, N_Y, N_X)
    torch.testing.assert_close(
        attention_weights(e + shift), attention_weights(e), atol=1e-12, rtol=0
    )


def test_scores_are_left_as_they_were():
    e = torch.randn(B, N_Y, N_X)
    before = e.clone()
    attention_weights(e, VISIBLE[:, None])
    assert (e == before).all()


def test_a_score_with_nothing_to_learn_says_that_widths_must_agree():
    with pytest.raises(ValueError, match="D_S is 4 but D_H is 7"):
        DotScore(4, 7)


NOWHERE = VISIBLE.clone()
NOWHERE[1] = False


@pytest.mark.parametrize(
    ("visible", "says"),
    [
        (VISIBLE.float(), "torch.float32.*expected bool"),
        (VISIBLE[:, :-1], r"shape \(2, 1, 4\), expected \(2, 3, 5\)"),
        (NOWHERE, "row 1: there is nothing to look at"),
    ],
)
def test_a_bad_mask_is_named(as_a_reader, visible, says):
    with pytest.raises(ValueError, match=says):
        attention_weights(torch.zeros(B, N_Y, N_X), visible[:, None])


def test_the_numpy_step_names_inputs_of_the_wrong_shape(as_a_reader):
    with pytest.raises(ValueError, match=r"h has shape \(0, 4\)"):
        reference.attend(reference.dot_score, np.zeros(4), np.zeros((0, 4)))
