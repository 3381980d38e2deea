"""Two parts, two norms, two sums: what is made wrong of a block, in `mistakes.md`."""

from itertools import cycle
from typing import Any

import numpy as np

from attention_book.exercises.families import family
from attention_book.exercises.families.weights import mistaken
from attention_book.exercises.mutants import Function, Mutant, swap


def added(X, change):
    return X + change


def forgotten(X, change):
    return change


def put_beside(X, change):
    return np.concatenate([X, change], axis=-1)


def nothing(X):
    return X


def over_the_columns(part: Function) -> Function:
    return lambda X: part(X.T).T


def arranged(order: Function) -> Function:
    """Make a block of `order`, which calls `residual` for the one and the other sum."""
    sums = cycle((added, added))

    def residual(X, change):
        return next(sums)(X, change)

    residual.shown = "the first sum, then the second"
    order = swap(residual=residual)(order)

    def block(X, attend, mlp, norm_1, norm_2):
        return order(X, attend, mlp, norm_1, norm_2)

    return block


def residuals(**options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes in putting a block together, whichever its order."""
    return family(mistaken(arranged), lambda wrong: wrong, **options)
