"""Chapter 4's experiments with cards: what its cells measure and show."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from attention_book.chapters.attention_layer.cards import (
    KINDS,
    N_SEEDS,
    Deal,
    deal,
    lay,
)
from attention_book.chapters.attention_layer.networks import Readers
from attention_book.shapes import check_choice


def fresh_tables(N_seeds: int, N_tables: int) -> Deal:
    """Tables that no network was trained on, the same at each call."""
    return deal(N_tables, torch.Generator().manual_seed(1), N_seeds)


@torch.no_grad()
def look_up(
    readers: Readers, N_tables: int = 1000
) -> tuple[Float[Tensor, "S"], Float[Tensor, "S"]]:
    """Ask at fresh tables: the share of right colours, and the weight on the card."""
    dealt = fresh_tables(readers.N_seeds, N_tables)
    logits, A = readers(dealt.X, dealt.kind)
    right = (logits.argmax(dim=-1) == dealt.colour).float().mean(dim=1)
    return right, A.gather(-1, dealt.asked[..., None])[..., 0].mean(dim=1)


@torch.no_grad()
def right_by_kind(readers: Readers, N_tables: int = 1000) -> Float[Tensor, "S N_kinds"]:
    """The share of right colours, for each kind that is asked for."""
    dealt = fresh_tables(readers.N_seeds, N_tables)
    logits, _ = readers(dealt.X, dealt.kind)
    right = logits.argmax(dim=-1) == dealt.colour
    of_kind = [dealt.kind == kind for kind in range(len(KINDS))]
    shares = [(right & some).sum(dim=1) / some.sum(dim=1) for some in of_kind]
    return torch.stack(shares, dim=1)


def commonest(N_tables: int = 1000) -> float:
    """Share of tables at which the commonest colour is the right answer."""
    dealt = fresh_tables(N_SEEDS, N_tables)
    counts = dealt.X[..., len(KINDS) :].sum(dim=2)
    return float((counts.argmax(dim=-1) == dealt.colour).float().mean())


@torch.no_grad()
def same_in_another_order(readers: Readers, N_tables: int = 1000) -> Float[Tensor, "S"]:
    """The share of tables whose cards, laid in reverse, bring the same answer."""
    dealt = fresh_tables(readers.N_seeds, N_tables)
    said, turned = (
        readers(X, dealt.kind)[0].argmax(dim=-1) for X in (dealt.X, dealt.X.flip(2))
    )
    return (said == turned).float().mean(dim=1)


@torch.no_grad()
def attend(
    readers: Readers, table: str, kinds: Sequence[str], seed: int = 0
) -> tuple[Float[Tensor, "N_Q N_colours"], Float[Tensor, "N_Q N_X"]]:
    """Ask one network for several kinds at one table: chances of colours, weights."""
    for kind in kinds:
        check_choice("kind", kind, KINDS)
    _, X = lay(table)
    asked = torch.tensor([KINDS.index(kind) for kind in kinds]).expand(
        readers.N_seeds, -1
    )
    logits, A = readers(X.expand(*asked.shape, -1, -1), asked)
    return logits[seed].softmax(dim=-1), A[seed]
