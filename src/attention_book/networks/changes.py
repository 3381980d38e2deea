"""What may be done to the attention weights of a tap: the twins of `js/changes.mjs`.

A change takes the weights A (B, N_heads, N_Q, N_X) or (B, N_Q, N_X) and the number of
the step of writing (0 where nothing is written), and gives the weights to use. A weight
of exactly 0 is taken for hidden. `models.interventions` does the same to a model in
Python, through its own arguments.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from attention_book.decoding import uniform_draws
from attention_book.shapes import check_choice

Change = Callable[[Tensor, int], Tensor]


def uniform() -> Change:
    """Look alike at all that is not hidden."""

    def change(A: Tensor, step: int) -> Tensor:
        return _shared((A > 0).to(A.dtype))

    return change


def shuffled(seed: int) -> Change:
    """The weights that are not 0, in an order drawn for each step, head and query."""

    def change(A: Tensor, step: int) -> Tensor:
        out = A.clone()
        for (head, query), row in _rows(out):
            places = row.nonzero()[:, 0].tolist()
            draw = uniform_draws(seed + 1009 * step + 9176 * head + 131 * query)
            order = list(places)
            for i in range(len(order) - 1, 0, -1):
                j = int(next(draw) * (i + 1))
                order[i], order[j] = order[j], order[i]
            row[places] = row[order].clone()
        return out

    return change


def strongest() -> Change:
    """Look at the input with the largest weight only."""
    return lambda A, step: torch.zeros_like(A).scatter(-1, A.argmax(-1, True), 1.0)


def forced(rows: ArrayLike) -> Change:
    """Use weights from outside, a row for each step and query; after the last, it.

    Rows without an entry leave the weights as they are.
    """
    given = torch.tensor(np.asarray(rows))

    def change(A: Tensor, step: int) -> Tensor:
        if not given.numel():
            return A
        place = (step + torch.arange(A.shape[-2])).clamp(max=len(given) - 1)
        return given[place].to(A).expand_as(A)

    return change


def off(silent: ArrayLike) -> Change:
    """Let heads find nothing: those where `silent` is 1 (of one head, the first)."""
    kept = 1 - torch.tensor(np.asarray(silent, dtype=np.float32))

    def change(A: Tensor, step: int) -> Tensor:
        of_heads = kept[:, None, None] if A.dim() == 4 else kept[0]
        return A * of_heads.to(A)

    return change


def hiding(hidden: ArrayLike) -> Change:
    """Take the weight off inputs; what is left grows to sum to 1."""
    kept = 1 - torch.tensor(np.asarray(hidden, dtype=np.float32))
    return lambda A, step: _shared(A * kept.to(A))


def masked(allowed: ArrayLike) -> Change:
    """Look only where allowed[query][input] is 1; nowhere gives weights of 0."""
    kept = torch.tensor(np.asarray(allowed, dtype=np.float32))
    return lambda A, step: _shared(A * kept[: A.shape[-2], : A.shape[-1]].to(A))


CHANGES: dict[str, Callable[..., Change]] = {
    "uniform": uniform,
    "shuffled": shuffled,
    "strongest": strongest,
    "forced": forced,
    "off": off,
    "hiding": hiding,
    "masked": masked,
}


def change_of(told: Sequence[Sequence]) -> Change:
    """Make changes in turn, each told as [kind, argument, ...].

    Raises
    ------
    ValueError
        If a kind is not one of `CHANGES`.
    """
    for kind, *_ in told:
        check_choice("kind", kind, CHANGES)
    made = [CHANGES[kind](*given) for kind, *given in told]

    def change(A: Tensor, step: int) -> Tensor:
        for each in made:
            A = each(A, step)
        return A

    return change


def _shared(A: Tensor) -> Tensor:
    total = A.sum(-1, keepdim=True)
    return A / total.where(total > 0, 1)


def _rows(A: Tensor) -> Iterator[tuple[tuple[int, int], Tensor]]:
    """Each row of A with the numbers of its head and query."""
    heads = A if A.dim() == 4 else A[:, None]
    for b in range(len(heads)):
        for head, of_head in enumerate(heads[b]):
            for query, row in enumerate(of_head):
                yield (head, query), row
