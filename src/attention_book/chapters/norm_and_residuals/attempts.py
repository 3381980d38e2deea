"""Attempts to normalise vectors over their features, with and without their mean."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def number_by_number(x, gamma, beta, eps):
    if np.ndim(x[0]):
        return [number_by_number(part, gamma, beta, eps) for part in x]
    mu = sum(x) / len(x)
    sigma = (sum((x_j - mu) ** 2 for x_j in x) / len(x) + eps) ** 0.5
    triples = zip(x, gamma, beta, strict=True)
    return [g * (x_j - mu) / sigma + b for x_j, g, b in triples]


def with_moments(x, gamma, beta, eps):
    mu = np.einsum("...d->...", x)[..., None] / x.shape[-1]
    variance = np.mean(x * x, -1, keepdims=True) - mu * mu
    scale = gamma / np.sqrt(np.maximum(variance, 0) + eps)
    return x * scale + (beta - mu * scale)


def as_a_module(x, gamma, beta, eps):
    norm = nn.LayerNorm(x.shape[-1], eps=eps)
    norm.load_state_dict({"weight": gamma, "bias": beta})
    return norm(x)


def by_instance(x, gamma, beta, eps):
    words = x.reshape(1, -1, x.shape[-1])
    return F.instance_norm(words, eps=eps).reshape(x.shape) * gamma + beta


def rms_number_by_number(x, gamma, eps):
    if np.ndim(x[0]):
        return [rms_number_by_number(part, gamma, eps) for part in x]
    root = (sum(x_j**2 for x_j in x) / len(x) + eps) ** 0.5
    return [g * x_j / root for x_j, g in zip(x, gamma, strict=True)]


def by_length(x, gamma, eps):
    D = x.shape[-1]
    length = np.sqrt((x * x).sum(-1, keepdims=True) + D * eps)
    return gamma * (np.sqrt(D) * x / length)


def rms_as_a_module(x, gamma, eps):
    norm = nn.RMSNorm(x.shape[-1], eps=eps)
    norm.load_state_dict({"weight": gamma})
    return norm(x)


def in_place(x, gamma, beta, eps):
    x -= x.mean(-1, keepdim=True)
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x.mul_(gamma).add_(beta)


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


def gamma_first(x, gamma, beta, eps):
    return as_a_module(gamma * x, gamma / gamma, beta, eps)


def in_steps(x, gamma, beta, eps):
    mu, at = x.mean(-1, keepdims=True), -1
    variance = ((x - mu) ** 2).mean(at, keepdims=True)
    y = gamma * (x - mu) / np.sqrt(variance + eps) + beta
    return y


def rms_in_steps(x, gamma, eps):
    square = (x**2).mean(-1, keepdims=True)
    return gamma * x / np.sqrt(square + eps)


def mixed(x, gamma, beta, eps):
    root = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return torch.as_tensor(gamma * (x - x.mean(axis=-1, keepdims=True)) / root + beta)


def affine_last(x, eps, gamma, beta):
    return as_a_module(x, gamma, beta, eps)


def filling(place, y="torch.zeros_like(x)"):
    """Only a part of the result is written to."""
    filled = f"y = {y}; y{place} = norm(x)[{place[1:]}; return y"
    return edited(as_a_module, "return norm(x)", filled)


ATTEMPTS = {
    "layer_norm": {
        number_by_number: RIGHT,
        with_moments: RIGHT,
        as_a_module: RIGHT,
        in_place: "writes into x",
        edited(with_moments, "- mu * mu", ""): "before gamma and beta y[1, 0] has",
        edited(number_by_number, "(x_j - mu) /", "x_j /"): "(RMSNorm leaves it.)",
        gamma_first: "gamma comes before the norm",
        edited(gamma_first, "gamma / gamma", "gamma"): "and again after it",
        edited(in_steps, "variance = ((x - mu)", "variance = ((gamma * (x - mu))"): (
            "before the squares are taken"
        ),
        edited(as_a_module, ", eps=eps", ""): "with the eps of an earlier call",
        with_kept([1, 2], lambda *_: "once"): "with the gamma and beta of an earlier",
        mixed: RIGHT,
        affine_last: "(x, gamma, beta, eps), in this order; yours takes (x, eps,",
        in_steps: RIGHT,
        edited(in_steps, "(at", "(-2"): "over axis=-1, your variance over axis=-2",
        edited(in_steps, "-1, keepdims=True), -1", "1, keepdims=True), 1"): "axis=1",
        edited(in_steps, "return y", "return y * (variance > 0)"): "y[1] is 0. Its x",
        edited(in_steps, "return", "y[..., -1] = x[..., -1]; return"): "of x still",
        by_instance: RIGHT,
        edited(in_steps, "return y", "return y if variance.all() else 0 * y + beta"): (
            "speak for all"
        ),
        edited(in_steps, "return y", "return y[..., ::-1, :]"): "in another order",
        edited(in_steps, "return y", "return y[..., :1, :] + 0 * y"): "All rows of y",
        filling("[:1]"): "y[1, 0] is zero throughout: was anything written there?",
        filling("[:1]", "x.clone()"): "y[1, 0] is x[1, 0] still. Does your loop get",
        filling("[..., :-1]"): "y[..., 3] is zero throughout",
        edited(number_by_number, "g * (x_j", "(1 + g) * (x_j"): "here 0.5 and 0.3.",
    },
    "rms_norm": {
        rms_number_by_number: RIGHT,
        by_length: RIGHT,
        rms_as_a_module: RIGHT,
        rms_in_steps: RIGHT,
        edited(rms_in_steps, "mean(-1", "mean(1"): "mean square is over axis=1",
        edited(by_length, "(x * x)", "abs(x)"): "before gamma y[1, 0] has mean square",
        edited(rms_as_a_module, "norm(x)", "norm(x.abs())"): "signs are lost or",
        edited(by_length, "(x * x)", "x"): "the root of a negative number",
        with_kept([1], lambda x, *_: x.shape[-1]): "with the gamma of an earlier call",
        edited(rms_number_by_number, "g * x_j", "(1 + g) * x_j"): "and nothing added",
    },
}
