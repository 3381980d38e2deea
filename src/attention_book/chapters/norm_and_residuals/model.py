"""A language model: a stack of blocks that says the next word at each place.

X = words + places      Y = blocks(X), causal      logits = Y W + b
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import layers

Norm = Callable[[Tensor, Tensor, Tensor], Tensor]  # of X, gamma and beta


@dataclass(frozen=True)
class DeepConfig:
    """Sizes and choices of a model.

    The blocks' matrices start as `nn.Linear` would (variance 1 / 3D), times `start`;
    with the root of 3, a product with one keeps a vector's size (variance 1 / D).
    """

    N_words: int
    N_max: int  # words that are read at most
    N_blocks: int
    norm: str  # "pre", "post" or "none"
    start: float = 1.0
    residual: bool = True
    last_norm: bool = True  # behind pre-norm blocks, one norm more
    D: int = 64
    N_heads: int = 4
    D_hidden: int = 128


class DeepModel(nn.Module):
    """Says the next word at every place."""

    def __init__(self, config: DeepConfig):
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.N_words, config.D)
        self.places = layers.LearnedPositions(config.N_max, config.D)
        self.encoder = layers.Encoder(
            config.N_blocks,
            config.D,
            config.N_heads,
            config.D_hidden,
            norm=config.norm,
            residual=config.residual,
            fast=True,
        )
        if not config.last_norm:
            self.encoder.norm = nn.Identity()
        for name, weights in self.encoder.named_parameters():
            if ".W_" in name:
                weights.data *= config.start
        self.read = nn.Linear(config.D, config.N_words)

    def forward(
        self, source: object, source_visible: object, target_in: Int[Tensor, "B N"]
    ) -> Float[Tensor, "B N N_words"]:
        """Give the logits of the word that follows each; the source is not read."""
        X = self.places(self.words(target_in))  # (B, N, D)
        causal = layers.causal_mask(X.shape[1], X.device)
        Y, _ = self.encoder(X, causal)
        return self.read(Y)


class ByFunction(nn.Module):
    """A layer that normalises by a function of X (..., D), gamma (D,) and beta (D,)."""

    def __init__(self, norm: Norm, D: int):
        super().__init__()
        self.norm = norm
        self.gamma = nn.Parameter(torch.ones(D))
        self.beta = nn.Parameter(torch.zeros(D))

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Normalise, scale and shift."""
        return self.norm(X, self.gamma, self.beta)
