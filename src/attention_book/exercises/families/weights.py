"""From scores to weights: what is made wrong of two functions, in `mistakes.md`."""

from typing import Any

import numpy as np

from attention_book.exercises.families import Mistake, family
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import Function, Mutant, swap


def weigh(E, visible):
    assert visible.any(axis=-1).all()
    E = np.where(visible, E, -np.inf)
    largest = E.max(axis=-1, keepdims=True)
    positive = np.exp(E - largest)
    return positive / positive.sum(axis=-1, keepdims=True)


def attention(Q, K, V, visible=True):
    E = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    A = weigh(E, np.broadcast_to(visible, E.shape))
    return A @ V, A


def mistaken(helper: Function) -> list[Mistake]:
    """Read what is made wrong of a helper in this module."""
    known = read_mistakes(__file__)[helper.__name__]
    return [Mistake(m.name, m.of(helper), m.says, m.seen) for m in known]


def masking(twin: Any, **options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes with a mask; `twin` takes a wrong `weigh`, see `family`."""
    return family(mistaken(weigh), twin, **options)


def masking_of_one_row(twin: Any) -> tuple[Mutant, ...]:
    """Give those that a mask of a single row can have."""
    known = [m for m in mistaken(weigh) if m.name not in OF_MANY_ROWS]
    return family(known, twin)


def attention_that_weighs(weigh: Function) -> Function:
    """Make an attention of the wrong `weigh`."""
    return swap(weigh=weigh)(attention)


def calls_attention(weigh: Function) -> Any:
    """Make a twin of a function that calls `attention`."""
    return swap(attention=attention_that_weighs(weigh))


IN_A_LAYER = (  # where every query may look at something and scores are small
    "mask after the softmax",
    "hidden scores are 0",
    "mask not used",
    "mask the wrong way round",
    "mask transposed",
    "first row of the mask for all",
)
WITH_LARGE_SCORES = (  # where scores of some hundreds are visible, and hidden
    "no largest score subtracted",
    "no largest score subtracted, hidden after exp",
    "largest score taken from the hidden ones, too",
)
OF_MANY_ROWS = ("mask transposed", "first row of the mask for all")
