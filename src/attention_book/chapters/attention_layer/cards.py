"""A look-up with a gold answer: *which colour has the owl?*

Six cards lie on a table, each with a kind, all different, and a colour. A card is two
one-hot vectors, side by side. The query is a code for one of the kinds, drawn at random
for each network: it has nothing in common with a card, so what a key must be has to be
learned, and what a value must be, too.

Several networks are trained side by side, a seed each: where shapes begin with S, the
axis counts them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn.functional import cross_entropy, one_hot

from attention_book import layers
from attention_book.layers.attention import learned_matrix
from attention_book.shapes import check_choice
from attention_book.training import seeded

KINDS = ("bee", "cat", "cow", "dog", "fox", "hen", "owl", "pig")
COLOURS = ("red", "blue", "green", "black", "white", "brown", "pink", "grey")
D_X = len(KINDS) + len(COLOURS)
N_CARDS, N_SEEDS = 6, 5
BATCH, RATE = 32, 0.01
UNIT = sqrt(3 / 2 * D_X)  # times this, W_K begins with keys of variance 1

MATRICES = ("K = V", "K, V", "Q, K, V")
Attend = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


class CardReader(nn.Module):
    """An attention layer and a linear read-out: a query names a kind, out come colours.

    Parameters
    ----------
    D : int
        Width of queries, keys and values.
    matrices : {"K = V", "K, V", "Q, K, V"}
        What has a matrix: keys and values one together; each its own, which is the
        layer; queries, too.
    attend : callable
        `attend(Q, K, V)` gives outputs and weights.
    """

    def __init__(
        self, D: int, matrices: str = "K, V", attend: Attend = layers.attention
    ):
        super().__init__()
        check_choice("matrices", matrices, MATRICES)
        self.W_K = learned_matrix(D_X, D)
        self.W_V = self.W_K if matrices == "K = V" else learned_matrix(D_X, D)
        self.W_Q = learned_matrix(D, D) if matrices == "Q, K, V" else None
        self.W_Y = learned_matrix(D, len(COLOURS))
        self.attend = attend

    def forward(
        self, Q: Float[Tensor, "B N_Q D"], X: Float[Tensor, "B N_X D_X"]
    ) -> tuple[Float[Tensor, "B N_Q N_colours"], Float[Tensor, "B N_Q N_X"]]:
        """Return a logit for each colour, and the weights on the cards."""
        Q = Q if self.W_Q is None else Q @ self.W_Q
        Y, A = self.attend(Q, X @ self.W_K, X @ self.W_V)
        return Y @ self.W_Y, A


class Deal(NamedTuple):
    """Cards on tables, and what is asked at each.

    Attributes
    ----------
    X : (S, B, N_X, D_X)
        The cards.
    kind : (S, B)
        The kind that is asked for.
    asked, colour : (S, B)
        Which card has it, and that card's colour.
    """

    X: Float[Tensor, "S B N_X D_X"]
    kind: Int[Tensor, "S B"]
    asked: Int[Tensor, "S B"]
    colour: Int[Tensor, "S B"]


def deal(B: int, generator: torch.Generator, N_seeds: int = N_SEEDS) -> Deal:
    """Lay cards on B tables for each seed, and ask for one card of each."""
    mixed = torch.rand(N_seeds, B, len(KINDS), generator=generator).argsort(dim=-1)
    kinds = mixed[..., :N_CARDS]
    colours = torch.randint(len(COLOURS), kinds.shape, generator=generator)
    asked = torch.randint(N_CARDS, kinds.shape[:2], generator=generator)
    kind, colour = (
        each.gather(-1, asked[..., None])[..., 0] for each in (kinds, colours)
    )
    return Deal(cards(kinds, colours), kind, asked, colour)


def cards(
    kinds: Int[Tensor, "*axes N_X"], colours: Int[Tensor, "*axes N_X"]
) -> Float[Tensor, "*axes N_X D_X"]:
    """Write each card as two one-hot vectors, side by side."""
    both = one_hot(kinds, len(KINDS)), one_hot(colours, len(COLOURS))
    return torch.cat(both, dim=-1).float()


@dataclass(frozen=True)
class Readers:
    """Networks trained side by side, one a seed.

    Attributes
    ----------
    network : CardReader
        What they have in common; its own numbers are not used.
    weights : mapping
        Name of a matrix -> those of all seeds, (S, ...).
    codes : (S, N_kinds, D)
        The query for each kind.
    loss : list of S numbers for each step
        In nats for a question.
    """

    network: CardReader
    weights: Mapping[str, Tensor]
    codes: Float[Tensor, "S N_kinds D"]
    loss: list[list[float]]

    def __call__(
        self, X: Float[Tensor, "S B N_X D_X"], kind: Int[Tensor, "S B"]
    ) -> tuple[Float[Tensor, "S B N_colours"], Float[Tensor, "S B N_X"]]:
        """Ask each network for kinds, one a table: logits of colours, and weights."""

        def call(weights: dict[str, Tensor], Q: Tensor, X: Tensor) -> Any:
            return functional_call(self.network, weights, (Q, X))

        seeds = torch.arange(len(kind))[:, None]
        Q = self.codes[seeds, kind].unsqueeze(2)  # one query a table
        logits, A = vmap(call)(dict(self.weights), Q, X)
        return logits.squeeze(2), A.squeeze(2)

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

    Parameters
    ----------
    D, matrices, attend
        As for `CardReader`.
    divided : bool
        If not, queries are multiplied by the root of D, which undoes the division.
    W_K_times : float
        What the first W_K is multiplied by.
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
    readers = Readers(networks[0], weights, codes, [])
    adam = torch.optim.Adam(weights.values(), lr=RATE)
    for _ in range(steps):
        dealt = deal(BATCH, generator, N_seeds)
        logits, _ = readers(dealt.X, dealt.kind)
        losses = cross_entropy(logits.transpose(1, 2), dealt.colour, reduction="none")
        adam.zero_grad()
        losses.mean(dim=1).sum().backward()  # a sum: no seed feels the others
        adam.step()
        readers.loss.append(losses.mean(dim=1).tolist())
    return readers


@torch.no_grad()
def look_up(
    readers: Readers, N_tables: int = 1000
) -> tuple[Float[Tensor, "S"], Float[Tensor, "S"]]:
    """Ask at fresh tables: the share of right colours, and the weight on the card."""
    dealt = deal(N_tables, torch.Generator().manual_seed(1), len(readers.codes))
    logits, A = readers(dealt.X, dealt.kind)
    right = (logits.argmax(dim=-1) == dealt.colour).float().mean(dim=1)
    return right, A.gather(-1, dealt.asked[..., None])[..., 0].mean(dim=1)


def commonest(N_tables: int = 1000) -> float:
    """Score the best answer of one that does not hear the question: the commonest."""
    dealt = deal(N_tables, torch.Generator().manual_seed(1))
    counts = dealt.X[..., len(KINDS) :].sum(dim=2)
    return float((counts.argmax(dim=-1) == dealt.colour).float().mean())


def without_W_Q(readers: Readers) -> Readers:
    """Multiply W_Q into W_K: the same scores, of two matrices.

    (q W_Q) · (x W_K) = q · (x W_K W_Q^T)
    """
    weights = dict(readers.weights)
    weights["W_K"] = weights["W_K"] @ weights.pop("W_Q").mT
    two = CardReader(readers.codes.shape[-1])
    return Readers(two, weights, readers.codes, [])


def lay(table: str) -> tuple[list[list[str]], Float[Tensor, "N_X D_X"]]:
    """Read cards that somebody typed, such as "red cat, blue dog": words and inputs.

    Raises
    ------
    ValueError
        If a card is not a colour and a kind, or there is none.
    """
    words = [card.split() for card in table.split(",")]
    for card in words:
        if len(card) != 2 or card[0] not in COLOURS or card[1] not in KINDS:
            raise ValueError(
                f"{' '.join(card)!r} is no card: expected one such as 'red cat', of "
                f"the colours {', '.join(COLOURS)} and the kinds {', '.join(KINDS)}"
            )
    colours = torch.tensor([COLOURS.index(colour) for colour, _ in words])
    kinds = torch.tensor([KINDS.index(kind) for _, kind in words])
    return words, cards(kinds, colours)


@torch.no_grad()
def look(
    readers: Readers, table: str, kinds: Sequence[str], seed: int = 0
) -> tuple[Float[Tensor, "N_Q N_colours"], Float[Tensor, "N_Q N_X"]]:
    """Ask one network for several kinds at one table: chances of colours, weights."""
    _, X = lay(table)
    asked = torch.tensor([KINDS.index(kind) for kind in kinds]).expand(N_SEEDS, -1)
    logits, A = readers(X.expand(*asked.shape, -1, -1), asked)
    return logits[seed].softmax(dim=-1), A[seed]


def ask(readers: Readers, table: str, kind: str) -> str:
    """Ask the first network about cards that somebody typed.

    Raises
    ------
    ValueError
        As `lay`.
    """
    words, _ = lay(table)
    (chance,), (a,) = look(readers, table, [kind])
    lines = [
        f"{' '.join(card):12}{weight:.2f} {'█' * round(20 * weight)}"
        for card, weight in zip(words, a.tolist(), strict=True)
    ]
    best = int(chance.argmax())
    return "\n".join([*lines, f"It says {COLOURS[best]} ({chance[best]:.2f})."])


@torch.no_grad()
def same_in_another_order(readers: Readers, N_tables: int = 1000) -> Float[Tensor, "S"]:
    """The share of tables whose cards, laid in reverse, bring the same answer."""
    dealt = deal(N_tables, torch.Generator().manual_seed(1))
    said, turned = (
        readers(X, dealt.kind)[0].argmax(dim=-1) for X in (dealt.X, dealt.X.flip(2))
    )
    return (said == turned).float().mean(dim=1)
