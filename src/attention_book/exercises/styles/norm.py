"""Right ways to write layer norm."""

import math

import numpy as np
import torch


def by_loops(x, gamma, beta, eps):
    """Lists of Python numbers."""
    rows = []
    for row in x.tolist():
        mu = sum(row) / len(row)
        root = math.sqrt(sum((value - mu) ** 2 for value in row) / len(row) + eps)
        rows.append([g * (v - mu) / root + b for v, g, b in zip(row, gamma, beta, strict=True)])
    return rows


def with_var(x, gamma, beta, eps):
    """NumPy's mean and var, with any axes in front."""
    return (x - x.mean(-1, keepdims=True)) * (x.var(-1, keepdims=True) + eps) ** -0.5 * gamma + beta


def with_squares(x, gamma, beta, eps):
    """NumPy: the mean of the squares less the square of the mean."""
    mu = np.einsum("...d->...", x)[..., None] / x.shape[-1]
    variance = (x**2).mean(-1, keepdims=True) - mu**2
    return gamma * ((x - mu) / np.sqrt(np.maximum(variance, 0) + eps)) + beta


def with_tensors(x, gamma, beta, eps):
    """Tensors, told to divide by D."""
    variance, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(beta, gamma, (x - mu) * torch.rsqrt(variance + eps))


def with_the_library(x, gamma, beta, eps):
    """torch's own."""
    return torch.nn.functional.layer_norm(x, gamma.shape, gamma, beta, eps)


STYLES = {"layer_norm": (by_loops, with_var, with_squares, with_tensors, with_the_library)}
