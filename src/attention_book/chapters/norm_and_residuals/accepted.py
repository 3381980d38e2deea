"""Right ways to normalise vectors over their features."""

import numpy as np
from torch import nn


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


STYLES = {"layer_norm": (number_by_number, with_moments, as_a_module)}
