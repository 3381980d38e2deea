"""The attention step: against torch's, against our NumPy, and the laws it obeys."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from parity import agree, leaf, slopes

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


@pytest.fixture(params=KINDS)
def scored(request):
    """A score function with its states and inputs."""
    kind, width = KINDS[request.param]
    return kind(D_S, width).double(), leaf(B, N_Y, D_S), leaf(B, N_X, width)


@pytest.mark.parametrize("visible", [None, VISIBLE], ids=["all visible", "padded"])
def test_a_dot_product_step_is_torchs_attention_in_value_and_gradient(visible):
    s, h = leaf(B, N_Y, D_S), leaf(B, N_X, D_S)
    score, mask = DotScore(D_S, D_S), None if visible is None else visible[:, None]
    ours = attention_weights(score(s, score.project_keys(h)), mask) @ h
    theirs = F.scaled_dot_product_attention(s, h, h, attn_mask=mask, scale=1.0)
    agree(ours, theirs)
    agree(slopes(ours, [s, h]), slopes(theirs, [s, h]))


REFERENCE = {
    "dot": (reference.dot_score, lambda score: {}),
    "bilinear": (reference.bilinear_score, lambda score: {"W": score.W.weight}),
    "mlp": (
        reference.mlp_score,
        lambda score: {
            "W": score.W.weight.T,
            "U": score.U.weight.T,
            "v": score.v.weight[0],
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
    W = {name: each.detach().numpy() for name, each in weights(score).items()}
    e = score(s, score.project_keys(h))
    a = attention_weights(e)
    found = [each.detach() for each in (a @ h, a, e)]
    for b, t in np.ndindex(B, N_Y):
        arrays = s[b, t].detach().numpy(), h[b].detach().numpy()
        step = reference.attend(f_att, *arrays, **W)
        for ours, theirs in zip(found, step, strict=True):
            np.testing.assert_allclose(ours[b, t], theirs, atol=1e-12, rtol=0)


def test_the_mlp_has_the_bias_that_its_formula_has():
    score, s, h = MLPScore(D_S, D_H).double(), leaf(B, N_Y, D_S), leaf(B, N_X, D_H)
    W, U, v, b = score.W.weight, score.U.weight, score.v.weight[0], score.U.bias
    by_hand = torch.stack([v @ torch.tanh(W @ s[1, 2] + U @ h_i + b) for h_i in h[1]])
    agree(score(s, score.project_keys(h))[1, 2], by_hand)


def test_weights_sum_to_one_over_what_is_visible_and_nothing_else_counts(scored):
    score, s, h = scored
    a = attention_weights(score(s, score.project_keys(h)), VISIBLE[:, None])
    agree(a.sum(dim=-1), torch.ones(B, N_Y).double())
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
    agree(moved, a[..., order])
    agree(moved @ h[:, order], a @ h)


@given(shift=st.floats(-50, 50))
def test_adding_a_number_to_all_scores_changes_nothing(shift):
    e = torch.linspace(-2, 3, N_Y * N_X, dtype=torch.float64).reshape(1, N_Y, N_X)
    agree(attention_weights(e + shift), attention_weights(e))


def test_scores_are_left_as_they_were():
    e = torch.randn(B, N_Y, N_X)
    before = e.clone()
    attention_weights(e, VISIBLE[:, None])
    assert (e == before).all()


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


def test_widths_and_inputs_of_another_shape_are_named(as_a_reader):
    with pytest.raises(ValueError, match="D_S is 4 but D_H is 7"):
        DotScore(4, 7)
    with pytest.raises(ValueError, match=r"h has shape \(0, 4\)"):
        reference.attend(reference.dot_score, np.zeros(4), np.zeros((0, 4)))
