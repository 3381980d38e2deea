"""A model that is little more than one self-attention layer. It says at each word how
German calls what *it* is there; only at adjectives is it asked.

    X = words + places      Y, A = self-attention(X)      logits = Y W + b
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers


@dataclass(frozen=True)
class PronounConfig:
    """Sizes and choices of a model."""

    N_words: int
    N_answers: int
    N_max: int  # words of the longest sentence
    D: int = 32  # width of words, queries, keys and values
    # Vectors of words and places are drawn from N(0, 1) times this. From 1, the default
    # of nn.Embedding, some seeds are stuck.
    start: float = 0.3
    flat: bool = False  # all words get the same weight, whatever they are


class PronounModel(nn.Module):
    """One self-attention layer, and an answer read off what it gives."""

    def __init__(self, config: PronounConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        self.places = layers.LearnedPositions(config.N_max, D)
        for table in (self.words.weight, self.places.P):
            table.data *= config.start
        self.attend = (FlatAttention if config.flat else layers.SelfAttention)(D, D, D)
        self.answer: nn.Module = nn.Linear(D, config.N_answers)

    def with_attention(
        self,
        source: Int[Tensor, "B N_X"],
        visible: Bool[Tensor, "B #N_X N_X"],
    ) -> tuple[Float[Tensor, "B N_X N_answers"], Float[Tensor, "B N_X N_X"]]:
        """Give the logits of the answers at each word, and the attention weights."""
        X = self.places(self.words(source))  # (B, N_X, D)
        Y, A = self.attend(X, visible)  # (B, N_X, D), (B, N_X, N_X)
        return self.answer(Y), A

    def forward(
        self,
        source: Int[Tensor, "B N_X"],
        source_visible: Bool[Tensor, "B N_X"],
        target_in: object = None,
    ) -> Float[Tensor, "B N_X N_answers"]:
        """Give the logits alone, as `training.token_cross_entropy` asks for them."""
        return self.with_attention(source, source_visible[:, None])[0]


class OwnWordModel(PronounModel):
    """The word itself is let through: an MLP reads the answer off Y and X."""

    def __init__(self, config: PronounConfig):
        super().__init__(config)
        D = config.D
        hidden, last = nn.Linear(2 * D, 2 * D), nn.Linear(2 * D, config.N_answers)
        self.answer = nn.Sequential(hidden, nn.ReLU(), last)

    def with_attention(
        self,
        source: Int[Tensor, "B N_X"],
        visible: Bool[Tensor, "B #N_X N_X"],
    ) -> tuple[Float[Tensor, "B N_X N_answers"], Float[Tensor, "B N_X N_X"]]:
        """Give the logits of the answers at each word, and the attention weights."""
        X = self.places(self.words(source))  # (B, N_X, D)
        Y, A = self.attend(X, visible)  # (B, N_X, D), (B, N_X, N_X)
        return self.answer(torch.cat([Y, X], dim=-1)), A


class FlatAttention(layers.SelfAttention):
    """Self-attention whose queries are 0: every word looks at all alike."""

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D_X"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D_V"], Float[Tensor, "*axes N_X N_X"]]:
        """Return the mean of the visible values for each input, and the weights."""
        Q, K, V = self.project(X)
        return layers.attention(0 * Q, K, V, visible)
