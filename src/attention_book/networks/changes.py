"""What may be done to the attention weights of a tap: the twins of
`widgets/js/engine/changes.mjs`.

A change takes the weights A (B, N_heads, N_Q, N_X) or (B, N_Q, N_X) and the number of
the step of writing (0 where nothing is written), and gives the weights to use. A weight
of exactly 0 is taken for hidden. Where rows are given from outside, each query has the
row of its place: in a step of writing, a single query is that of the word to be
written; several are those of all words so far. `models.interventions` does the same to
a model in Python, through its own arguments.
"""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from attention_book.decoding import uniform_draws
from attention_book.shapes import check_choice, check_shape

Change = Callable[[Tensor, int], Tensor]


def uniform() -> Change:
    """Look alike at all that is not hidden."""
    return lambda A, step: _shared((A > 0).to(A.dtype))


def shuffled(seed: ArrayLike) -> Change:
    """Put the weights that are not 0 in an order drawn for each step, head, query."""
    begin = int(np.asarray(seed))  # a control gives an array

    def change(A: Tensor, step: int) -> Tensor:
        out = A.clone(memory_format=torch.contiguous_format)
        N_Q, N_heads = A.shape[-2], A.shape[1:-2].numel()
        for r, row in enumerate(out.flatten(0, -2)):
            head, query = divmod(r % (N_heads * N_Q), N_Q)
            draw = uniform_draws(begin + 1009 * step + 9176 * head + 131 * query)
            places = row.nonzero()[:, 0]
            order = places.clone()
            for i in range(len(places) - 1, 0, -1):
                j = int(next(draw) * (i + 1))
                order[[i, j]] = order[[j, i]]
            row[places] = row[order]
        return out

    return change


def strongest() -> Change:
    """Look at the input with the largest weight only."""

    def change(A: Tensor, step: int) -> Tensor:
        return torch.zeros_like(A).scatter(-1, A.argmax(-1, True), 1.0) * (A > 0)

    return change


def forced(rows: ArrayLike) -> Change:
    """Use weights from outside, a row for each query's place; after the last, it.

    Rows without an entry leave the weights as they are.
    """
    given = torch.tensor(np.asarray(rows))

    def change(A: Tensor, step: int) -> Tensor:
        if not given.numel():
            return A
        check_shape("forced", given, "N_steps N_X", N_X=A.shape[-1])
        place = torch.arange(A.shape[-2]) + _first(A, step)
        return given[place.clamp(max=len(given) - 1)].to(A).expand_as(A)

    return change


def reordered(order: ArrayLike) -> Change:
    """Let query i look where query order[i] does."""
    given = np.asarray(order)
    if not np.array_equal(np.sort(given), np.arange(given.size)):
        raise ValueError(
            f"reordered takes {order}: expected an order of 0 to {given.size - 1}"
        )
    rows = torch.tensor(given.astype(int))

    def change(A: Tensor, step: int) -> Tensor:
        check_shape("reordered", rows, "N_Q", N_Q=A.shape[-2])
        return A[..., rows, :]

    return change


def off(silent: ArrayLike) -> Change:
    """Let heads find nothing: those where `silent` is 1 (of one head, the first)."""
    kept = 1 - torch.tensor(np.asarray(silent, dtype=np.float32))

    def change(A: Tensor, step: int) -> Tensor:
        if A.shape[1:-2].numel() == 1:
            return A * kept[0]
        check_shape("off", kept, "N_heads", N_heads=A.shape[1])
        return A * kept[:, None, None]

    return change


def hiding(hidden: ArrayLike) -> Change:
    """Take the weight off inputs; what is left grows to sum to 1."""
    kept = 1 - torch.tensor(np.asarray(hidden, dtype=np.float32))

    def change(A: Tensor, step: int) -> Tensor:
        check_shape("hiding", kept, "N_X", N_X=A.shape[-1])
        return _shared(A * kept)

    return change


def masked(allowed: ArrayLike) -> Change:
    """Look only where allowed[place][input] is 1; nowhere gives weights of 0.

    It may have more rows and columns than there are queries and inputs.
    """
    kept = torch.tensor(np.asarray(allowed, dtype=np.float32))

    def change(A: Tensor, step: int) -> Tensor:
        N_Q, N_X = A.shape[-2:]
        first = _first(A, step)
        asked = kept[first : first + N_Q, :N_X]
        check_shape("masked", asked, "N_Q N_X", N_Q=N_Q, N_X=N_X)
        return _shared(A * asked)

    return change


CHANGES: dict[str, Callable[..., Change]] = {
    each.__name__: each
    for each in (
        uniform,
        shuffled,
        strongest,
        forced,
        reordered,
        off,
        hiding,
        masked,
    )
}


def change_of(told: Sequence[Sequence]) -> Change:
    """Make changes in turn, each told as [kind, argument, ...]."""
    for kind, *_ in told:
        check_choice("kind", kind, CHANGES)
    made = [CHANGES[kind](*given) for kind, *given in told]
    return lambda A, step: reduce(lambda A, change: change(A, step), made, A)


def _first(A: Tensor, step: int) -> int:
    """The place of the first query."""
    return max(step - A.shape[-2] + 1, 0)


def _shared(A: Tensor) -> Tensor:
    total = A.sum(-1, keepdim=True)
    return A / total.where(total > 0, 1)
