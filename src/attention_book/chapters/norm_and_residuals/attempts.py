"""Right ways to normalise vectors over their features, with and without their mean."""

import numpy as np
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


ATTEMPTS = {
    "layer_norm": {
        number_by_number: RIGHT,
        with_moments: RIGHT,
        as_a_module: RIGHT,
    },
    "rms_norm": {
        rms_number_by_number: RIGHT,
        by_length: RIGHT,
        rms_as_a_module: RIGHT,
    },
}
