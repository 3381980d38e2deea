"""A model that says which word is hidden: word vectors, positions, and the encoder.

    X = sqrt(D) words + positions      Y = encoder(X)      logits = Y words^T + b

Any part of the block can be left out, and the model trained without it.
"""

from dataclasses import dataclass
from math import sqrt

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.layers.attention import weight_matrix
from attention_book.shapes import check_choice

ATTENTIONS = ("full", "mean", "none")


@dataclass(frozen=True)
class MaskedWordsConfig:
    """Sizes and choices of a model."""

    N_words: int
    N_blocks: int
    attention: str = "full"  # or by the "mean" of all words, or "none"
    mlp: bool = True
    residual: bool = True
    positions: bool = True
    norm: str = "pre"  # or "post" or "none"
    last_norm: bool = True  # behind pre-norm blocks, one norm more
    D: int = 64
    N_heads: int = 4
    D_hidden: int = 256  # of the MLP

    def __post_init__(self) -> None:
        check_choice("attention", self.attention, ATTENTIONS)


class MaskedWords(nn.Module):
    """Gives a vector for each word of a sentence, and from it, which word it is."""

    def __init__(self, config: MaskedWordsConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        self.words.weight.data /= sqrt(D)
        self.positions = layers.SinePositions(D) if config.positions else nn.Identity()
        self.encoder = layers.Encoder(
            config.N_blocks,
            D,
            config.N_heads,
            config.D_hidden,
            config.norm,
            config.residual,
            fast=True,
        )
        if not config.last_norm:
            self.encoder.norm = nn.Identity()
        self.b = nn.Parameter(torch.zeros(config.N_words))
        for block in self.encoder.blocks:
            if config.attention != "full":
                means = config.attention == "mean"
                block.attend = MeanOfAll(D) if means else NoAttention()
            if not config.mlp:
                block.mlp = NoMLP()

    def states(
        self, source: Int[Tensor, "B N"], source_visible: Bool[Tensor, "B N"]
    ) -> list[Float[Tensor, "B N D"]]:
        """Give the vectors of the words: first as they enter, then after each block."""
        X = self.positions(self.words(source) * sqrt(self.config.D))
        states = [X]
        for block in self.encoder.blocks:
            X, _ = block(X, source_visible[:, None])
            states.append(X)
        return states

    def forward(
        self,
        source: Int[Tensor, "B N"],
        source_visible: Bool[Tensor, "B N"],
        target_in: object = None,
    ) -> Float[Tensor, "B N N_words"]:
        """Give the logits of the word at each place."""
        return self.read(self.states(source, source_visible)[-1])

    def read(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes N_words"]:
        """Give the logits of the word whose vector the last block has made: the
        encoder's last norm, then products with all words.
        """
        return self.encoder.norm(X) @ self.words.weight.T + self.b


class MeanOfAll(nn.Module):
    """In place of attention: each word is given the mean of all, a bag of words."""

    def __init__(self, D: int):
        super().__init__()
        self.W_V, self.W_O = weight_matrix(D, D), weight_matrix(D, D)

    def forward(
        self, X: Float[Tensor, "B N D"], visible: Bool[Tensor, "B 1 N"]
    ) -> tuple[Float[Tensor, "B N D"], None]:
        """Return the same vector for each word of a sentence."""
        A = visible / visible.sum(dim=-1, keepdim=True)  # (B, 1, N)
        return (A @ X @ self.W_V @ self.W_O).expand(X.shape), None


class NoAttention(nn.Module):
    """In place of attention: it finds nothing."""

    def forward(self, X: Tensor, visible: Tensor) -> tuple[Tensor, None]:
        """Return zeros."""
        return torch.zeros_like(X), None


class NoMLP(nn.Module):
    """In place of the MLP: it finds nothing."""

    def forward(self, X: Tensor) -> Tensor:
        """Return zeros."""
        return torch.zeros_like(X)
