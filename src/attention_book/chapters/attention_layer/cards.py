"""A look-up with a gold answer: *which colour has the owl?*

Six cards lie on a table, each with a kind, all different, and a colour. A card is two
one-hot vectors, side by side. Several networks are trained side by side, a seed each:
where shapes begin with S, the axis counts them.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from attention_book.data import Vocabulary

KINDS = ("bee", "cat", "cow", "dog", "fox", "hen", "owl", "pig")
COLOURS = ("red", "blue", "green", "black", "white", "brown", "pink", "grey")
D_X = len(KINDS) + len(COLOURS)
N_CARDS, N_SEEDS = 6, 5
CARDS = Vocabulary([f"{colour}-{kind}" for kind in KINDS for colour in COLOURS])


class Deal(NamedTuple):
    """Cards on tables, and what is asked at each."""

    X: Float[Tensor, "S B N_X D_X"]  # the cards
    kind: Int[Tensor, "S B"]  # that is asked for
    asked: Int[Tensor, "S B"]  # which card has it
    colour: Int[Tensor, "S B"]  # of that card


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


def lay(table: str) -> tuple[list[list[str]], Float[Tensor, "N_X D_X"]]:
    """Read cards that somebody typed, such as "red cat, blue dog": words and inputs."""
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
