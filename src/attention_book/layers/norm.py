"""Norms: each vector gets a size that later layers can count on [ba2016layer].

    mu = mean_j x_j      sigma^2 = mean_j (x_j - mu)^2
    y  = gamma * (x - mu) / sqrt(sigma^2 + eps) + beta

`LayerNorm` is the twin of `reference.layer_norm`. `RMSNorm` takes no mean away
[zhang2019rms].
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.shapes import check_counts, check_number, check_shapes


class LayerNorm(nn.Module):
    """Mean 0 and spread 1 for each vector, then a scale and a shift of each feature."""

    def __init__(self, D: int, eps: float = 1e-5):
        super().__init__()
        check_counts(D=D)
        check_number("eps", eps, above=0)
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(D))
        self.beta = nn.Parameter(torch.zeros(D))

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Normalise over the last axis, then scale and shift."""
        check_shapes(X=(X, "*axes D"), gamma=(self.gamma, "D"))
        centred = X - X.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return self.gamma * (centred / torch.sqrt(variance + self.eps)) + self.beta


class FastLayerNorm(LayerNorm):
    """The same layer by torch's kernel, which goes through the vectors fewer times."""

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Normalise over the last axis, then scale and shift."""
        gamma, beta = self.gamma, self.beta
        check_shapes(X=(X, "*axes D"), gamma=(gamma, "D"))
        return torch.layer_norm(X, gamma.shape, gamma, beta, self.eps)


class RMSNorm(nn.Module):
    """Each vector by the root of its mean square, then a scale for each feature."""

    def __init__(self, D: int, eps: float = 1e-5):
        super().__init__()
        check_counts(D=D)
        check_number("eps", eps, above=0)
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(D))

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Divide by the root of the mean square, then scale."""
        check_shapes(X=(X, "*axes D"), gamma=(self.gamma, "D"))
        mean_square = (X * X).mean(dim=-1, keepdim=True)
        return self.gamma * (X / torch.sqrt(mean_square + self.eps))
