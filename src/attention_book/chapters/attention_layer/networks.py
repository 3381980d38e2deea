"""Networks that look cards up: what they are made of, and how they are trained.

The query is a code for one of the kinds, drawn at random for each network: it has
nothing in common with a card, so what a key must be has to be learned, and what a value
must be, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn.functional import cross_entropy

from attention_book import layers
from attention_book.chapters.attention_layer.cards import (
    COLOURS,
    D_X,
    KINDS,
    N_SEEDS,
    deal,
)
from attention_book.layers.attention import weight_matrix
from attention_book.shapes import check_choice
from attention_book.training import seeded

BATCH, RATE = 32, 0.01
# Times this, W_K begins with keys of variance 1: an entry of a key is a sum of two of
# its numbers, each of variance 1 / (3 D_X).
TO_VARIANCE_1 = sqrt(3 / 2 * D_X)

MATRICES = ("K = V", "K, V", "Q, K, V")
Attend = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


class CardReader(nn.Module):
    """An attention layer and a linear read-out: a query names a kind, out come colours.

    Queries, keys and values are D wide. `matrices` is "K = V" (one matrix makes both),
    "K, V" (each has its own; a query is used as it is) or "Q, K, V" (a third for
    queries).
    `attend(Q, K, V)` gives outputs and weights.
    """

    def __init__(
        self, D: int, matrices: str = "K, V", attend: Attend = layers.attention
    ):
        super().__init__()
        check_choice("matrices", matrices, MATRICES)
        self.W_K = weight_matrix(D_X, D)
        self.W_V = self.W_K if matrices == "K = V" else weight_matrix(D_X, D)
        self.W_Q = weight_matrix(D, D) if matrices == "Q, K, V" else None
        self.W_Y = weight_matrix(D, len(COLOURS))
        self.attend = attend

    def forward(
        self, Q: Float[Tensor, "B N_Q D"], X: Float[Tensor, "B N_X D_X"]
    ) -> tuple[Float[Tensor, "B N_Q N_colours"], Float[Tensor, "B N_Q N_X"]]:
        """Return a logit for each colour, and the weights on the cards."""
        Q = Q if self.W_Q is None else Q @ self.W_Q
        Y, A = self.attend(Q, X @ self.W_K, X @ self.W_V)
        return Y @ self.W_Y, A


@dataclass(frozen=True)
class Readers:
    """Networks trained side by side, one a seed."""

    network: CardReader  # whose own numbers are not used
    weights: Mapping[str, Tensor]  # name of a matrix -> those of all seeds, (S, ...)
    codes: Float[Tensor, "S N_kinds D"]  # the query for each kind

    def __call__(
        self, X: Float[Tensor, "S B N_X D_X"], kind: Int[Tensor, "S B"]
    ) -> tuple[Float[Tensor, "S B N_colours"], Float[Tensor, "S B N_X"]]:
        """Ask each network for kinds, one a table: logits of colours, and weights."""

        def call(weights, Q, X):
            return functional_call(self.network, weights, (Q, X))

        seeds = torch.arange(len(kind))[:, None]
        Q = self.codes[seeds, kind].unsqueeze(2)  # one query a table
        logits, A = vmap(call)(dict(self.weights), Q, X)
        return logits.squeeze(2), A.squeeze(2)

    @property
    def N_seeds(self) -> int:
        """How many networks there are."""
        return len(self.codes)

    @property
    def N_weights(self) -> int:
        """How many numbers one network learns."""
        return sum(each[0].numel() for each in self.weights.values())


def train(
    D: int,
    matrices: str = "K, V",
    *,
    steps: int = 500,
    N_seeds: int = N_SEEDS,
    divided: bool = True,
    W_K_times: float = 1.0,
    attend: Attend = layers.attention,
) -> Readers:
    """Train a network for each seed.

    If they are not `divided`, queries are multiplied by the root of D, which undoes the
    division. `W_K_times` is what the first W_K is multiplied by.
    """
    networks = []
    for seed in range(N_seeds):
        with seeded(seed):
            networks.append(CardReader(D, matrices, attend))
    weights, _ = stack_module_state(networks)
    weights["W_K"].data *= W_K_times
    generator = torch.Generator().manual_seed(0)
    codes = torch.randn(N_seeds, len(KINDS), D, generator=generator)
    codes *= 1 if divided else sqrt(D)
    readers = Readers(networks[0], weights, codes)
    adam = torch.optim.Adam(weights.values(), lr=RATE)
    for _ in range(steps):
        dealt = deal(BATCH, generator, N_seeds)
        logits, _ = readers(dealt.X, dealt.kind)
        losses = cross_entropy(logits.transpose(1, 2), dealt.colour, reduction="none")
        adam.zero_grad()
        losses.mean(dim=1).sum().backward()  # a sum: no seed feels the others
        adam.step()
    return readers


def without_W_Q(readers: Readers) -> Readers:
    """Multiply W_Q into W_K: the same scores, of two matrices.

    (q W_Q) · (x W_K) = q · (x W_K W_Q^T)
    """
    weights = dict(readers.weights)
    weights["W_K"] = weights["W_K"] @ weights.pop("W_Q").mT
    two = CardReader(readers.codes.shape[-1])
    return Readers(two, weights, readers.codes)
