"""Look-up experiments: what is said after a key, which heads find the pair, and what is
said without them.

A head is named by its block and its number there, from 1, such as "2.1".
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Generator, Tensor

from attention_book.chapters.generation.codes import (
    FIRST_KEY,
    FIRST_VALUE,
    KEYS,
    N_PAIRS,
    VALUES,
    WORDS,
    commonest,
    draw,
    showings,
    split,
)
from attention_book.decoding.mode import evaluating
from attention_book.models import heads, silenced
from attention_book.models.silence import WAYS
from attention_book.shapes import check_count

N_TEST, N_OTHER, N_WATCHED = 1000, 500, 100  # sequences
# far from the seeds of training
TEST, FOUND, OTHER, WATCHED = (10_000_000 + k for k in range(4))
SHOWN = (1, 2, 3, 4)
OTHER_N_KEYS = (2, 16, 32)
CONFLICTS = {"v0 v1": (0, 1), "v0 v0 v1": (0, 0, 1), "v0 v1 v1": (0, 1, 1)}


@cache
def sequences(seed: int, B: int = N_TEST, **sizes: int) -> Int[Tensor, "B N"]:
    """Draw sequences apart from those of training."""
    return draw(Generator().manual_seed(seed), B, **sizes)


def said(model: Any, ids: Int[Tensor, "B N"]) -> Int[Tensor, "B N_pairs"]:
    """Give the word that a model says after each key."""
    with evaluating(model):
        return split(model(ids).argmax(dim=-1))[0]


def right(model: Any, ids: Int[Tensor, "B N"]) -> Bool[Tensor, "B N_pairs"]:
    """Tell where a model says the value."""
    return said(model, ids) == split(ids)[1]


def accuracy(model: Any, ids: Int[Tensor, "B N"]) -> float:
    """Share of values that are right, of keys that were shown before."""
    return _mean(right(model, ids)[showings(ids) > 0])


def by_showings(model: Any, ids: Int[Tensor, "B N"]) -> dict[str, dict[str, float]]:
    """Compare with the commonest value so far, by how often a key was shown.

    "accuracy" is the model's, "rule" that of the commonest value; "as the rule" is how
    often the model says that value, or one of them if there are several.
    """
    answers, rule, times = said(model, ids), commonest(ids), showings(ids)
    voted = {
        "rule": rule.gather(2, split(ids)[1][:, :, None]),
        "as the rule": rule.gather(2, answers[:, :, None]) > 0,
    }
    figures = {"accuracy": answers == split(ids)[1]} | {
        name: each[:, :, 0] for name, each in voted.items()
    }
    return {
        str(N): {name: _mean(each[times == N]) for name, each in figures.items()}
        for N in SHOWN
    }


def looks(model: Any, ids: Int[Tensor, "B N"]) -> dict[str, dict[str, float]]:
    """Give the mean weight of each head at two kinds of places: "before", from values
    on the token before; "after", from keys that were shown before on the values that
    followed them.
    """
    with evaluating(model):
        A = model.attention(ids)  # (B, N_blocks, N_heads, N, N)
    N = ids.shape[1]
    same = (ids[:, :, None] == ids[:, None]).tril(-1)  # (B, N, N)
    after = F.pad(same, (1, 0))[:, :, :N]
    again = same.any(dim=2) & (torch.arange(N) % 2 == 0)  # (B, N)
    from_keys = torch.einsum("bkhij, bij -> kh", A, (after & again[..., None]).to(A))
    found = {  # each (N_blocks, N_heads)
        "before": A.diagonal(-1, -2, -1)[..., ::2].mean(dim=(0, -1)),
        "after": from_keys / again.sum(),
    }
    return {
        head: {kind: each.flatten()[k].item() for kind, each in found.items()}
        for k, head in enumerate(heads(model))
    }


def most(looks: Mapping[str, Mapping[str, float]], block: str, kind: str) -> str:
    """Name the head of a block that looks most at a kind of places; see `looks`."""
    of_block = (head for head in looks if head.startswith(f"{block}."))
    return max(of_block, key=lambda head: looks[head][kind])


def without(model: Any, ids: Int[Tensor, "B N"]) -> dict[str, dict[str, float]]:
    """Silence each head, and each block's heads together, in either way: accuracy."""
    names, N = heads(model), model.config.N_heads
    blocks = [names[k : k + N] for k in range(0, len(names), N)]
    return {
        " ".join(some): {way: accuracy(silenced(model, some, way), ids) for way in WAYS}
        for some in (*((head,) for head in names), *blocks)
    }


def conflict(
    model: Any, showing: Sequence[int], seed: int = TEST, *, right_before: bool = False
) -> list[float]:
    """Show a key with v0 and v1, as `showing` says, among other pairs, and ask for it.

    The places are drawn, but for the last, which may be the one `right_before` the
    question. Returns the shares of answers v0 and v1.
    """
    check_count("showings", len(showing), 1, N_PAIRS - 1)
    rng = Generator().manual_seed(seed)
    ids = draw(rng, N_TEST).clone()
    taken = split(ids)[0] - FIRST_KEY
    free = torch.rand(N_TEST, len(KEYS), generator=rng).scatter(1, taken, 0)
    key = free.argmax(dim=1, keepdim=True) + FIRST_KEY
    drawn = torch.rand(N_TEST, len(VALUES), generator=rng).argsort(dim=1)
    two = drawn[:, :2] + FIRST_VALUE
    order = torch.rand(N_TEST, N_PAIRS - 1, generator=rng)
    if right_before:
        order[:, -1] = -1  # is first among those that are taken
    places = 2 * order.argsort(dim=1)[:, : len(showing)].sort(dim=1).values
    ids.scatter_(1, places, key.expand_as(places))
    ids.scatter_(1, places + 1, two[:, list(showing)])
    ids[:, -2] = key[:, 0]
    return (said(model, ids)[:, -1:] == two).double().mean(dim=0).tolist()


def same_for_another_key(model: Any, ids: Int[Tensor, "B N"]) -> float:
    """Ask for another key, with another value: how often is the answer the same?

    Both keys were shown before.
    """
    (keys, values), other = split(ids), ids.clone()
    fits = (keys[:, :-1] != keys[:, -1:]) & (values[:, :-1] != values[:, -1:])
    fits &= showings(ids)[:, -1:] > 0
    first = fits.long().argmax(dim=1, keepdim=True)
    other[:, -2] = keys.gather(1, first)[:, 0]
    same = said(model, ids)[:, -1] == said(model, other)[:, -1]
    return _mean(same[fits.any(dim=1)])


def first_above(watched: Mapping[int, float], level: float) -> int | None:
    """Find the first step after which what was watched lies above a level."""
    return next((step for step, value in watched.items() if value > level), None)


def guesses(model: Any, text: str, count: int = 5) -> list[tuple[str, float]]:
    """Give the likeliest next words of a text, and their probabilities."""
    ids = torch.tensor([WORDS.encode(text.split())])
    with evaluating(model):
        best = model(ids)[0, -1].softmax(dim=-1).topk(count)
    words = (WORDS.words[i] for i in best.indices.tolist())
    return list(zip(words, best.values.tolist(), strict=True))


def _mean(some: Tensor) -> float:
    return some.double().mean().item()
