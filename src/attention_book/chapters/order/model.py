"""A reader of sentences that is told in one of several ways, or not at all, where each
word stands.

    X = words, with positions
    X = X + self-attention(X)      X = X + MLP(X)      twice
    logits = X W + b               at the last word alone

The MLP works on each vector by itself, so words meet in the attention only.
"""

from dataclasses import dataclass
from functools import partial

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.shapes import check_choice

# With "mask", a word looks at itself and the words before it, and is told nothing else;
# "relative" has numbers up to the distance 8.
KINDS = ("none", "mask", "sine", "learned", "beside")
KINDS += ("relative", "relative-16", "rotary")


@dataclass(frozen=True)
class ReaderConfig:
    """Sizes and choices of a reader."""

    N_words: int
    positions: str  # one of KINDS
    N_layers: int = 2
    D: int = 32  # the width of everything
    N_max: int = 64  # words of the longest sentence, for learned positions

    def __post_init__(self):
        check_choice("positions", self.positions, KINDS)


class Block(nn.Module):
    """Self-attention, then an MLP for each vector; each adds to what it was given."""

    def __init__(self, attend: layers.SelfAttention, D: int):
        super().__init__()
        self.attend = attend
        self.mlp = nn.Sequential(nn.Linear(D, 2 * D), nn.ReLU(), nn.Linear(2 * D, D))

    def forward(
        self,
        X: Float[Tensor, "*axes N D"],
        visible: Bool[Tensor, "... N"] | None = None,
    ) -> Float[Tensor, "*axes N D"]:
        """Return a new vector for each input."""
        Y, _ = self.attend(X, visible)
        X = X + Y
        return X + self.mlp(X)


class Reader(nn.Module):
    """Reads a sentence, and says one word."""

    def __init__(self, config: ReaderConfig):
        super().__init__()
        self.config, kind, D = config, config.positions, config.D
        beside = D // 2 if kind == "beside" else 0
        self.words = nn.Embedding(config.N_words, D - beside)
        self.positions = {
            "sine": lambda: layers.SinePositions(D),
            "learned": lambda: layers.LearnedPositions(config.N_max, D),
            "beside": lambda: layers.ConcatenatedPositions(beside),
        }.get(kind, nn.Identity)()
        attention = {
            "relative": layers.RelativeSelfAttention,
            "relative-16": partial(layers.RelativeSelfAttention, clip=16),
            "rotary": layers.RotarySelfAttention,
        }.get(kind, layers.SelfAttention)
        self.blocks = nn.ModuleList(
            Block(attention(D, D, D), D) for _ in range(config.N_layers)
        )
        self.read = nn.Linear(D, config.N_words)

    def states(
        self, words: Int[Tensor, "B N"], visible: Bool[Tensor, "B N"] | None = None
    ) -> Float[Tensor, "B N D"]:
        """Read: a vector for each word, which has seen the others."""
        X = self.positions(self.words(words))
        see = None if visible is None else visible[:, None]  # (B, 1, N): for all rows
        if self.config.positions == "mask":
            N = words.shape[1]
            before = layers.causal_mask(N, words.device)
            see = before if see is None else see & before
        for block in self.blocks:
            X = block(X, see)
        return X

    def forward(
        self,
        words: Int[Tensor, "B N"],
        visible: Bool[Tensor, "B N"] | None = None,
        target_in: object = None,
    ) -> Float[Tensor, "B 1 N_words"]:
        """Return the logits of the one word it says; what it said before is nothing."""
        return self.read(self.states(words, visible)[:, -1:])
