"""Two models of one attention layer. One has several heads, and answers four questions
at the last word of a sentence.

    X = words + places      Y, A = heads(X), causal      logits = Y W + b

The other is a small language model, with the causal mask or without: it reads [START]
and the words, and at each place says the next word.

    X = words + places      Y, A = self-attention(X)      logits = (X + Y) W + b
"""

from dataclasses import dataclass

import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.data import PAD


@dataclass(frozen=True)
class HeadsConfig:
    """Sizes of a model."""

    N_words: int
    N_questions: int
    N_max: int  # words of the longest sentence
    D: int = 32
    N_heads: int = 4
    start: float = 0.3  # times N(0, 1): the vectors of words and places


class HeadsModel(nn.Module):
    """Answers several questions with one layer."""

    def __init__(self, config: HeadsConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        self.places = layers.LearnedPositions(config.N_max, D)
        for table in (self.words.weight, self.places.P):
            table.data *= config.start
        self.attend = layers.MultiHeadAttention(D, config.N_heads)
        self.read = nn.Linear(D, config.N_questions * config.N_words)

    def with_attention(
        self, source: Int[Tensor, "B N"], source_visible: Bool[Tensor, "B N"]
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B N_heads N N"]]:
        """Give a vector for each word, and where each head looks."""
        X = self.places(self.words(source))  # (B, N, D)
        causal = layers.causal_mask(X.shape[1], X.device)
        return self.attend(X, causal & source_visible[:, None])

    def forward(
        self,
        source: Int[Tensor, "B N"],
        source_visible: Bool[Tensor, "B N"],
        target_in: object = None,
    ) -> Float[Tensor, "B N_questions N_words"]:
        """Give the logits of all answers, read off the vector of the last word."""
        Y, _ = self.with_attention(source, source_visible)
        last = source_visible.sum(dim=1) - 1  # (B,)
        Y_last = Y[torch.arange(len(Y)), last]  # (B, D)
        logits = self.read(Y_last)
        return rearrange(logits, "b (q w) -> b q w", q=self.config.N_questions)


@dataclass(frozen=True)
class NextWordConfig:
    """Sizes and choices of a model."""

    N_words: int
    N_max: int  # words that are read at most
    causal: bool  # no place looks ahead
    D: int = 48


class NextWord(nn.Module):
    """Says the next word at every place."""

    def __init__(self, config: NextWordConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        self.places = layers.LearnedPositions(config.N_max, D)
        self.attend = layers.SelfAttention(D, D, D)
        self.read = nn.Linear(D, config.N_words)

    def forward(
        self,
        source: object,
        source_visible: object,
        target_in: Int[Tensor, "B N"],
    ) -> Float[Tensor, "B N N_words"]:
        """Give the logits of the word that follows each; the source is not read."""
        X = self.places(self.words(target_in))  # (B, N, D)
        visible = (target_in != PAD)[:, None]  # (B, 1, N)
        if self.config.causal:
            visible = visible & layers.causal_mask(X.shape[1], X.device)  # (B, N, N)
        Y, _ = self.attend(X, visible)
        return self.read(X + Y)
