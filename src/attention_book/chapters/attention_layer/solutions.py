"""Chapter 4, *From alignment to a layer*: worked solutions."""

from math import sqrt

import torch
from jaxtyping import Float
from torch import Tensor

from attention_book.chapters.attention_layer import cards, networks


def attend(
    Q: Float[Tensor, "*axes N_Q D_Q"],
    K: Float[Tensor, "*axes N_X D_Q"],
    V: Float[Tensor, "*axes N_X D_V"],
) -> tuple[Float[Tensor, "*axes N_Q D_V"], Float[Tensor, "*axes N_Q N_X"]]:
    """Compare, weigh and mix; return outputs and weights."""
    E = Q @ K.mT / sqrt(Q.shape[-1])
    A = E.softmax(dim=-1)
    return A @ V, A


@torch.no_grad()
def compare_absent_kind(
    readers: networks.Readers, N_tables: int = 1000
) -> dict[str, dict[str, float]]:
    """Ask for a kind that lies on the table, and for one that does not.

    For both the means of the largest weight, of the largest score and of how likely the
    network finds its answer; and how well each of these tells the two questions apart:
    the share of right guesses at best.
    """
    generator = torch.Generator().manual_seed(2)
    dealt = cards.deal(N_tables, generator, readers.N_seeds)
    lies_there = dealt.X[..., : len(cards.KINDS)].sum(dim=2)
    luck = 0.5 * torch.rand(lies_there.shape, generator=generator)
    absent = (lies_there + luck).argmin(dim=-1)  # one of the two that do not
    found = {
        "on the table": largest(readers, dealt.X, dealt.kind),
        "not there": largest(readers, dealt.X, absent),
    }
    rows = {
        name: {key: float(values.mean()) for key, values in each.items()}
        for name, each in found.items()
    }
    both = zip(*(each.items() for each in found.values()), strict=True)
    rows["told apart by it"] = {
        key: told_apart(there, gone) for (key, there), (_, gone) in both
    }
    return rows


def largest(readers: networks.Readers, X: Tensor, kind: Tensor) -> dict[str, Tensor]:
    """The largest weight, score and chance of a colour, for each table."""
    logits, A = readers(X, kind)
    Q = readers.codes[torch.arange(len(kind))[:, None], kind]
    K = X @ readers.weights["W_K"].unsqueeze(1)
    E = (K @ Q.unsqueeze(-1))[..., 0] / sqrt(Q.shape[-1])
    each = {"weight": A, "score": E, "chance of its answer": logits.softmax(dim=-1)}
    return {name: values.max(dim=-1).values for name, values in each.items()}


def told_apart(there: Tensor, gone: Tensor) -> float:
    """The share of right guesses if all above the best threshold are taken as there."""
    shares = []
    for threshold in torch.cat([there, gone]).quantile(torch.linspace(0, 1, 201)):
        shares.append(((there > threshold).float() + (gone <= threshold)).mean() / 2)
    return float(max(shares))
