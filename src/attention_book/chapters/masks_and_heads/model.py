"""A model that is one attention layer with several heads, and answers four questions at
the last word of a sentence.

    X = words + places      Y, A = heads(X), causal      logits = Y W + b
"""

from dataclasses import dataclass

import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers


@dataclass(frozen=True)
class HeadsConfig:
    """Sizes of a model.

    Attributes
    ----------
    N_words, N_questions, N_max : int
        Size of the vocabulary, questions to the last word, words of the longest
        sentence.
    D, N_heads : int
        Width of everything, and the number of heads.
    start : float
        The words' and places' vectors are drawn from N(0, 1), and multiplied by it.
    """

    N_words: int
    N_questions: int
    N_max: int
    D: int = 32
    N_heads: int = 4
    start: float = 0.3


class HeadsModel(nn.Module):
    """Answers several questions with one layer.

    Parameters
    ----------
    config : HeadsConfig
        The sizes.
    """

    def __init__(self, config: HeadsConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        self.places = layers.LearnedPositions(config.N_max, D)
        for table in (self.words.weight, self.places.P):
            table.data *= config.start
        self.attend = layers.MultiHeadSelfAttention(D, config.N_heads)
        self.read = nn.Linear(D, config.N_questions * config.N_words)

    def look(
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
        Y, _ = self.look(source, source_visible)
        last = source_visible.sum(dim=1) - 1  # (B,)
        Y_last = Y[torch.arange(len(Y)), last]  # (B, D)
        logits = self.read(Y_last)
        return rearrange(logits, "b (q w) -> b q w", q=self.config.N_questions)
