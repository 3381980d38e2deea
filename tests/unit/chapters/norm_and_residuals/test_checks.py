"""What readers write about layer normalisation, and what they are told."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.norm_and_residuals.checks import (
    check_layer_norm,
    check_rms_norm,
)


def tutorial(x, gamma, beta, eps):
    return (
        gamma * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta
    )


def torch_variance(x, gamma, beta, eps):
    return (x - x.mean(-1, keepdim=True)) * torch.rsqrt(
        x.var(-1, keepdim=True) + eps
    ) * gamma + beta


def all_but_the_batch(x, gamma, beta, eps):
    return F.layer_norm(x, x.shape[-2:], eps=eps) * gamma + beta


def batch_norm(x, gamma, beta, eps):
    flat = x.reshape(-1, x.shape[-1])
    return F.batch_norm(flat, None, None, gamma, beta, training=True, eps=eps).reshape(
        x.shape
    )


def loop_over_sentences(x, gamma, beta, eps):
    if x.ndim == 2:
        return loop_over_sentences(x[None], gamma, beta, eps)[0]
    return np.stack(
        [gamma * (one - one.mean()) / np.sqrt(one.var() + eps) + beta for one in x]
    )


def axis_of_one_sentence(x, gamma, beta, eps):
    mean, square = x.mean(1, keepdims=True), (x**2).mean(1, keepdims=True)
    return beta + gamma * (x - mean) * (square - mean**2 + eps) ** -0.5


def functional_with_an_eps_of_its_own(x, gamma, beta, eps):
    return F.layer_norm(x, gamma.shape, weight=gamma, bias=beta)


def rms_norm(x, gamma, beta, eps):
    return F.rms_norm(x, gamma.shape, gamma, eps) + beta


def in_place(x, gamma, beta, eps):
    x -= x.mean(-1, keepdim=True)
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x.mul_(gamma).add_(beta)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (tutorial, "1/(D-1), and eps outside the root"),
        (torch_variance, "variance with 1/(D-1)"),
        (all_but_the_batch, "over a whole sentence"),
        (loop_over_sentences, "over a whole sentence"),
        (batch_norm, "batch normalisation"),
        (in_place, "overwrites its input"),
    ],
)
def test_a_known_mistake_is_named_in_any_style(function, diagnosis):
    assert check_layer_norm(function).diagnosis == diagnosis


def median(x, gamma, beta, eps):
    return (
        gamma
        * (x - np.median(x, -1, keepdims=True))
        / np.sqrt(x.var(-1, keepdims=True) + eps)
        + beta
    )


def mean_distance(x, gamma, beta, eps):
    z = x - x.mean(-1, keepdims=True)
    return gamma * z / (np.abs(z).mean(-1, keepdims=True) + eps) + beta


def with_an_affine_step(scale, shift):
    """Normalised rightly; then a scale and a shift that can be wrong."""

    def norm(x, gamma, beta, eps):
        z = F.layer_norm(x, x.shape[-1:], eps=eps)
        return z * scale(gamma, beta) + shift(gamma, beta)

    return norm


def two_digits(x, gamma, beta, eps):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps).round(decimals=2)


def brain_floats(x, gamma, beta, eps):
    x, gamma, beta = (each.bfloat16() for each in (x, gamma, beta))
    return F.layer_norm(x, gamma.shape, gamma, beta, eps).float()


def over_the_first_axis(x, gamma, beta, eps):
    return gamma * (x - x.mean(0)) / np.sqrt(x.var(0) + eps) + beta


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            with_an_affine_step(lambda gamma, beta: beta, lambda gamma, beta: gamma),
            "you exchange gamma, the scale, and beta, the shift",
        ),
        (
            with_an_affine_step(lambda gamma, beta: 1, lambda gamma, beta: beta),
            "your vectors are normalised, but gamma, the scale, is not used",
        ),
        (
            with_an_affine_step(lambda gamma, beta: 1, lambda gamma, beta: 0),
            "gamma and beta are not used",
        ),
        (
            with_an_affine_step(lambda gamma, beta: gamma, lambda gamma, beta: 0),
            "beta, the shift, is not added",
        ),
        (
            with_an_affine_step(
                lambda gamma, beta: gamma, lambda gamma, beta: gamma * beta
            ),
            "you add beta first, so that gamma scales it, too",
        ),
        (
            with_an_affine_step(lambda gamma, beta: -gamma, lambda gamma, beta: beta),
            "they point the other way: take x - mu, and not mu - x",
        ),
        (
            with_an_affine_step(
                lambda gamma, beta: 1 + gamma, lambda gamma, beta: beta
            ),
            "feature 0 is then scaled by 1.5 and shifted by 0.3; due is gamma * z + "
            "beta, here 0.5 and 0.3.",
        ),
        (
            with_an_affine_step(lambda gamma, beta: gamma, lambda gamma, beta: -beta),
            "feature 2 is then scaled by -1 and shifted by -1; due",
        ),
        (
            with_an_affine_step(lambda gamma, beta: gamma**2, lambda gamma, beta: beta),
            "your vectors are normalised, but feature",
        ),
        (
            with_an_affine_step(
                lambda gamma, beta: 1 / gamma, lambda gamma, beta: beta
            ),
            "your vectors are normalised, but feature",
        ),
        (over_the_first_axis, "Subtract from each its own, over axis=-1"),
        (axis_of_one_sentence, "Subtract from each its own, over axis=-1"),
        (rms_norm, "expected 0. (RMSNorm leaves it.)"),
        (median, "before gamma and beta a vector has mean"),
        (mean_distance, "before gamma and beta a vector has mean square"),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(function, says):
    verdict = check_layer_norm(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


def with_kept(kept, key):
    """Normalised rightly, but with some arguments of an earlier call."""
    calls = {}

    def norm(*arguments):
        first = calls.setdefault(key(*arguments), arguments)
        given = [first[i] if i in kept else a for i, a in enumerate(arguments)]
        x, *affine, eps = given
        function = F.layer_norm if len(affine) == 2 else F.rms_norm
        return function(x, x.shape[-1:], *affine, eps)

    return norm


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (
            check_layer_norm,
            functional_with_an_eps_of_its_own,
            "On a larger eps you get what is due with the eps of an earlier call.",
        ),
        (
            check_layer_norm,
            with_kept([1, 2], lambda *_: "once"),
            "On other numbers you get what is due with the gamma and beta of an",
        ),
        (
            check_layer_norm,
            with_kept([1, 2, 3], lambda x, *_: x.shape[-1]),
            "with the gamma and beta and eps of an earlier call. Is something kept",
        ),
        (
            check_rms_norm,
            with_kept([1], lambda x, *_: x.shape[-1]),
            "On other numbers you get what is due with the gamma of an earlier call.",
        ),
    ],
)
def test_what_is_kept_from_an_earlier_call_is_named(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "kept"
    assert says in verdict.says


def filling(reach):
    """Rows that `reach` does not leave out, in an array of zeros."""

    def norm(x, *affine):
        right = (F.layer_norm if len(affine) == 3 else F.rms_norm)(
            torch.as_tensor(x), x.shape[-1:], *map(torch.as_tensor, affine)
        )
        y = torch.zeros_like(right)
        y[reach] = right[reach]
        return y

    return norm


@pytest.mark.parametrize("check", [check_layer_norm, check_rms_norm])
@pytest.mark.parametrize(
    ("reach", "says"),
    [
        (np.s_[:0], "y[0, 0] is zero throughout: was anything written there?"),
        (np.s_[:1], "y[1, 0] is zero throughout"),
        (np.s_[..., :-1, :], "y[0, 2] is zero throughout"),
        (np.s_[..., :-1], "y[..., 3] is zero throughout"),
    ],
)
def test_a_row_that_nothing_was_written_to_is_shown(check, reach, says):
    assert says in check(filling(reach)).says


def test_signs_that_are_lost_are_told_as_such():
    says = check_rms_norm(lambda x, *more: F.rms_norm(x.abs(), x.shape[-1:], *more))
    assert says.says == "Your sizes are right, but signs are lost or turned."


def test_the_root_of_a_negative_number_is_a_cause_of_nan_and_softmax_is_none():
    says = check_rms_norm(lambda x, gamma, eps: x / (x.mean(-1, True) + eps).sqrt())
    assert "the root of a negative number" in says.says
    assert "softmax" not in says.says
    says = check_rms_norm(lambda x, gamma, eps: torch.where(x > 0, x, -torch.inf)).says
    assert "y holds NaN or infinity. Usual causes" in says


@pytest.mark.parametrize("function", [two_digits, brain_floats])
def test_who_lacks_digits_is_told_so_and_nothing_of_the_mean(function):
    says = check_layer_norm(function).says
    assert "our numbers are right to two or three digits" in says


def test_a_division_of_0_by_0_that_nobody_recorded_is_named():
    def two_roots(x, gamma, beta, eps):
        z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True))
        return gamma * z / np.sqrt(1 + eps) + beta

    assert check_layer_norm(two_roots).diagnosis == "NaN"


def test_where_eps_is_forgotten_the_word_of_equal_numbers_is_shown():
    def no_eps(x, gamma, beta, eps):
        mu = x.mean(-1, keepdim=True)
        return gamma * (x - mu) / x.std(-1, keepdim=True, unbiased=False) + beta

    verdict = check_layer_norm(no_eps)
    assert verdict.diagnosis == "no eps"
    assert "nan" in verdict.evidence


def by_the_mean_size(x, gamma, eps):
    return gamma * x / (np.abs(x).mean(-1, keepdims=True) + eps)


def by_the_largest(x, gamma, eps):
    return gamma * x / np.sqrt((x**2).max(-1, keepdims=True) + eps)


@pytest.mark.parametrize("function", [by_the_mean_size, by_the_largest])
def test_another_size_than_the_root_mean_square_breaks_a_law(function):
    verdict = check_rms_norm(function)
    assert verdict.diagnosis == "a law"
    assert "before gamma a vector has mean square" in verdict.says


def rms_and(scale, shift=lambda gamma: 0):
    """Divided rightly; then a scale that can be wrong, and a shift."""
    return lambda x, gamma, eps: (
        F.rms_norm(x, gamma.shape, eps=eps) * scale(gamma) + shift(gamma)
    )


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            rms_and(lambda gamma: 1 + gamma),
            "feature 0 is then scaled by 1.5 and shifted by 0; due is gamma * z, and "
            "nothing added, here 0.5 and 0.",
        ),
        (rms_and(lambda gamma: gamma**2), "your vectors are normalised, but feature"),
        (rms_and(lambda gamma: 1 / gamma), "your vectors are normalised, but feature"),
        (
            rms_and(lambda gamma: gamma, lambda gamma: gamma),
            "feature 1 is then scaled by 2 and shifted by 2;",
        ),
        (
            lambda x, gamma, eps: F.rms_norm(x, gamma.shape, gamma, eps).round(
                decimals=2
            ),
            "your numbers are right to two or three digits",
        ),
    ],
)
def test_what_is_wrong_with_rms_is_said_by_the_law_that_fits(function, says):
    verdict = check_rms_norm(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (
            lambda x, gamma, eps: (
                (x - x.mean(-1, True)) * ((x**2).mean(-1, True) + eps).rsqrt() * gamma
            ),
            "mean taken away above the line",
        ),
        (lambda x, gamma, eps: F.layer_norm(x, gamma.shape, gamma, eps=eps), "mean"),
        (
            lambda x, gamma, eps: x * (x.square().sum(-1, True) + eps).rsqrt() * gamma,
            "length",
        ),
        (lambda x, gamma, eps: x * (x**2).mean(-1, keepdim=True).rsqrt() * gamma, "no"),
    ],
)
def test_a_known_mistake_with_rms_is_named_in_torch(function, diagnosis):
    assert check_rms_norm(function).state == "wrong"
    assert check_rms_norm(function).diagnosis.startswith(diagnosis)
