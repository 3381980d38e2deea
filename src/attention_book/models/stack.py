"""What BERT and GPT have in common: words and learned positions go through a stack of
blocks, and words are read off by the vectors that they were read in with.
"""

from dataclasses import dataclass

from torch import nn

from attention_book.layers import Encoder, LearnedPositions, Variant
from attention_book.layers.block import Dropout
from attention_book.shapes import check_count, check_multiple, check_number, check_share


@dataclass(frozen=True)
class StackConfig:
    """Sizes of a stack over words: small ones, to be trained while one waits.

    Of positions there are `N_positions`; a longer text is refused. `std` is that of
    the vectors of words, positions and segments before training, D^-1/2 unless it is
    given, `eps` that of the norms. Dropout is of the vectors that blocks are given, and
    of what each part of a block adds.
    """

    N_words: int
    D: int = 64  # BERT and GPT-2 have 768, 12 heads, 3072 and 12 blocks
    N_heads: int = 4
    D_hidden: int = 256
    N_blocks: int = 2
    N_positions: int = 48  # BERT has 512, GPT-2 1024
    std: float | None = None  # BERT and GPT-2 have .02
    eps: float = 1e-5
    dropout: float = 0.0

    def __post_init__(self):
        counts = "N_words", "D", "N_heads", "D_hidden", "N_blocks", "N_positions"
        for name in counts:
            check_count(name, getattr(self, name))
        check_multiple("D", self.D, of=self.N_heads)
        check_number("std", self.spread, above=0)
        check_number("eps", self.eps, above=0)
        check_share("dropout", self.dropout)

    @property
    def spread(self) -> float:
        """What `std` is, given or not."""
        return self.D**-0.5 if self.std is None else self.std


class WordStack(nn.Module):
    """The parts, with attention that has biases; how they are joined a model says."""

    def __init__(self, config: StackConfig, norm: str, activation: str):
        super().__init__()
        D = config.D
        variant = Variant(bias=True, activation=activation, eps=config.eps)
        self.embedding = nn.Embedding(config.N_words, D)
        self.positions = LearnedPositions(config.N_positions, D)
        self.encoder = Encoder(
            config.N_blocks,
            D,
            config.N_heads,
            config.D_hidden,
            norm,
            fast=True,
            dropout=config.dropout,
            variant=variant,
        )
        self.dropout = Dropout(config.dropout)
        for weight in (self.embedding.weight, self.positions.P):
            nn.init.normal_(weight, std=config.spread)
