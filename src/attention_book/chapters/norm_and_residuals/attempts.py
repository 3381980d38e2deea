"""Attempts to normalise vectors over their features, with and without their mean."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.exercises.verdict import RIGHT


def number_by_number(x, gamma, beta, eps):
    """Lists: what stands in front is taken apart until there are numbers."""
    if np.ndim(x[0]):
        return [number_by_number(part, gamma, beta, eps) for part in x]
    mu = sum(x) / len(x)
    sigma = (sum((x_j - mu) ** 2 for x_j in x) / len(x) + eps) ** 0.5
    triples = zip(x, gamma, beta, strict=True)
    return [g * (x_j - mu) / sigma + b for x_j, g, b in triples]


def with_moments(x, gamma, beta, eps):
    """NumPy: mean of squares minus square of mean; one factor, one shift."""
    mu = np.einsum("...d->...", x)[..., None] / x.shape[-1]
    variance = np.mean(x * x, -1, keepdims=True) - mu * mu
    scale = gamma / np.sqrt(np.maximum(variance, 0) + eps)
    return x * scale + (beta - mu * scale)


def as_a_module(x, gamma, beta, eps):
    """torch's own module, with the weights put in."""
    norm = nn.LayerNorm(x.shape[-1], eps=eps)
    norm.load_state_dict({"weight": gamma, "bias": beta})
    return norm(x)


def rms_number_by_number(x, gamma, eps):
    """Lists: what stands in front is taken apart until there are numbers."""
    if np.ndim(x[0]):
        return [rms_number_by_number(part, gamma, eps) for part in x]
    root = (sum(x_j**2 for x_j in x) / len(x) + eps) ** 0.5
    return [g * x_j / root for x_j, g in zip(x, gamma, strict=True)]


def by_length(x, gamma, eps):
    """NumPy: by the length, and the square root of D."""
    D = x.shape[-1]
    length = np.sqrt((x * x).sum(-1, keepdims=True) + D * eps)
    return gamma * (np.sqrt(D) * x / length)


def rms_as_a_module(x, gamma, eps):
    """torch's own module, with the weights put in."""
    norm = nn.RMSNorm(x.shape[-1], eps=eps)
    norm.load_state_dict({"weight": gamma})
    return norm(x)


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


def axis_of_one_sentence(x, gamma, beta, eps):
    mean, square = x.mean(1, keepdims=True), (x**2).mean(1, keepdims=True)
    return beta + gamma * (x - mean) * (square - mean**2 + eps) ** -0.5


def rms_norm(x, gamma, beta, eps):
    return F.rms_norm(x, gamma.shape, gamma, eps) + beta


def in_place(x, gamma, beta, eps):
    x -= x.mean(-1, keepdim=True)
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x.mul_(gamma).add_(beta)


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


def with_an_affine_step(step):
    """Normalised rightly; then a scale and a shift that can be wrong."""

    def norm(x, gamma, beta, eps):
        scale, shift = step(gamma, beta)
        return F.layer_norm(x, x.shape[-1:], eps=eps) * scale + shift

    return norm


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


def by_the_mean_size(x, gamma, eps):
    return gamma * x / (np.abs(x).mean(-1, keepdims=True) + eps)


def rms_and(step):
    """Divided rightly; then a scale and a shift that can be wrong."""

    def norm(x, gamma, eps):
        scale, shift = step(gamma)
        return F.rms_norm(x, gamma.shape, eps=eps) * scale + shift

    return norm


def with_two_roots(x, gamma, beta, eps):
    z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True))
    return gamma * z / np.sqrt(1 + eps) + beta


def gamma_before_the_norm(x, gamma, beta, eps):
    return F.layer_norm(gamma * x, gamma.shape, eps=eps) + beta


def two_digits(x, gamma, beta, eps):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps).round(decimals=2)


def brain_floats(x, gamma, beta, eps):
    x, gamma, beta = (each.bfloat16() for each in (x, gamma, beta))
    return F.layer_norm(x, gamma.shape, gamma, beta, eps).float()


def without_the_mean(x, gamma, eps):
    return (x - x.mean(-1, True)) * ((x**2).mean(-1, True) + eps).rsqrt() * gamma


def by_layer_norm(x, gamma, eps):
    return F.layer_norm(x, gamma.shape, gamma, eps=eps)


def by_the_length(x, gamma, eps):
    return x * (x.square().sum(-1, True) + eps).rsqrt() * gamma


def of_sizes(x, gamma, eps):
    return F.rms_norm(x.abs(), gamma.shape, gamma, eps)


def with_two_digits(x, gamma, eps):
    return F.rms_norm(x, gamma.shape, gamma, eps).round(decimals=2)


def root_of_the_mean(x, gamma, eps):
    return x / (x.mean(-1, True) + eps).sqrt()


def scores_are_no_norm(x, gamma, eps):
    return torch.where(x > 0, x, -torch.inf)


def functional_with_an_eps_of_its_own(x, gamma, beta, eps):
    return F.layer_norm(x, gamma.shape, weight=gamma, bias=beta)


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


ATTEMPTS = {
    "layer_norm": {
        number_by_number: RIGHT,
        with_moments: RIGHT,
        as_a_module: RIGHT,
        tutorial: "as a well-known tutorial does",
        torch_variance: "the sum of squares by D - 1",
        all_but_the_batch: "for all words of a sentence",
        in_place: "writes into x",
        axis_of_one_sentence: "Subtract from each its own, over axis=-1",
        rms_norm: "expected 0. (RMSNorm leaves it.)",
        median: "before gamma and beta a vector has mean",
        mean_distance: "before gamma and beta a vector has mean square",
        with_two_roots: "y holds NaN or infinity",
        gamma_before_the_norm: "gamma comes before the norm",
        functional_with_an_eps_of_its_own: "with the eps of an earlier call",
        with_kept([1, 2], lambda *_: "once"): "with the gamma and beta of an earlier",
        two_digits: "right to two or three digits",
        brain_floats: "right to two or three digits",
        filling(np.s_[:1]): "y[1, 0] is zero throughout: was anything written there?",
        filling(np.s_[..., :-1]): "y[..., 3] is zero throughout",
        with_an_affine_step(lambda gamma, beta: (beta, gamma)): "you exchange gamma",
        with_an_affine_step(lambda gamma, beta: (1, beta)): "the scale, is not used",
        with_an_affine_step(lambda gamma, beta: (1, 0)): "gamma and beta are not used",
        with_an_affine_step(lambda gamma, beta: (gamma, 0)): "the shift, is not added",
        with_an_affine_step(lambda gamma, beta: (gamma, gamma * beta)): "beta first",
        with_an_affine_step(lambda gamma, beta: (-gamma, beta)): "and not mu - x",
        with_an_affine_step(lambda gamma, beta: (1 + gamma, beta)): "here 0.5 and 0.3.",
    },
    "rms_norm": {
        rms_number_by_number: RIGHT,
        by_length: RIGHT,
        rms_as_a_module: RIGHT,
        without_the_mean: "You take the mean away. RMS norm leaves it",
        by_layer_norm: "layer norm without its shift",
        by_the_length: "the vector's length",
        by_the_mean_size: "before gamma a vector has mean square",
        of_sizes: "Your sizes are right, but signs are lost or turned.",
        root_of_the_mean: "the root of a negative number",
        scores_are_no_norm: "y holds NaN or infinity. Usual causes",
        filling(np.s_[:1]): "y[1, 0] is zero throughout",
        with_kept([1], lambda x, *_: x.shape[-1]): "with the gamma of an earlier call",
        rms_and(lambda gamma: (1 + gamma, 0)): "due is gamma * z, and nothing added",
        rms_and(lambda gamma: (gamma, gamma)): "scaled by 2 and shifted by 2;",
        with_two_digits: "right to two or three digits",
    },
}
