"""A network of one of the ways to process a sequence, otherwise the same.

    X = words (+ sine positions for both kinds of attention)
    X = X + mix(X)      X = X + MLP(X)      N_layers times
    logits = X W + b

Words meet in `mix` alone; the MLP works on each vector by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.shapes import check_choice, check_count


class CausalSelfAttention(layers.SelfAttention):
    """Self-attention to a place and what stands before it."""

    def forward(self, X: Float[Tensor, "*axes N D"]) -> tuple[Tensor, Tensor]:
        """Return a new vector for each input, and the weights."""
        return super().forward(X, layers.causal_mask(X.shape[-2], X.device))


def open_gru(D: int) -> layers.GRU:
    """Make a GRU whose gate z is near 1 at first, so that it keeps its state."""
    gru = layers.GRU(D, D)
    gru.cell.from_input.bias.data[D : 2 * D] += 4  # the middle third belongs to z
    return gru


WAYS: dict[str, Callable[[int, int], nn.Module]] = {  # of the width and the layer
    "gru": lambda D, number: layers.GRU(D, D),
    "open-gru": lambda D, number: open_gru(D),
    "convolution": lambda D, number: layers.Convolution(D, D, k=3),
    "dilated": lambda D, number: layers.Convolution(D, D, k=3, dilation=2**number),
    "attention": lambda D, number: CausalSelfAttention(D, D, D),
    "restricted": lambda D, number: layers.WindowSelfAttention(D, D, D, r=16),
}


@dataclass(frozen=True)
class NetworkConfig:
    """Sizes and choices of a network."""

    N_words: int
    way: str  # one of WAYS
    N_layers: int
    D: int = 32

    def __post_init__(self) -> None:
        check_choice("way", self.way, WAYS)
        check_count("N_layers", self.N_layers)


class Network(nn.Module):
    """Reads words, and says one at each place."""

    def __init__(self, config: NetworkConfig):
        super().__init__()
        self.config, D = config, config.D
        self.words = nn.Embedding(config.N_words, D)
        attends = config.way in ("attention", "restricted")
        self.positions = layers.SinePositions(D) if attends else nn.Identity()
        self.mixes = nn.ModuleList(
            WAYS[config.way](D, number) for number in range(config.N_layers)
        )
        self.mlps = nn.ModuleList(
            nn.Sequential(nn.Linear(D, 2 * D), nn.ReLU(), nn.Linear(2 * D, D))
            for _ in range(config.N_layers)
        )
        self.read = nn.Linear(D, config.N_words)

    def forward(
        self,
        words: Int[Tensor, "B N"],
        visible: Bool[Tensor, "B N"] | None = None,
        target_in: object = None,
    ) -> Float[Tensor, "B N N_words"]:
        """Return logits at each place; rows are of one length, so nothing is hidden."""
        return self.read(self.states(self.words(words)))

    def states(self, X: Float[Tensor, "B N D"]) -> Float[Tensor, "B N D"]:
        """Let the vectors of the words meet: what the logits are read from."""
        X = self.positions(X)
        for mix, mlp in zip(self.mixes, self.mlps, strict=True):
            Y = mix(X)
            X = X + (Y if isinstance(Y, Tensor) else Y[0])
            X = X + mlp(X)
        return X
