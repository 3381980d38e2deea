"""Dot products that are not divided by the root of their own width."""

from typing import Any

import numpy as np

from attention_book.exercises.families import Mistake, family
from attention_book.exercises.mutants import Mutant
from attention_book.reference import attention


def not_divided(Q, K, V, visible=None):
    return attention(Q * np.sqrt(Q.shape[-1]), K, V, visible)


def by_the_width_itself(Q, K, V, visible=None):
    return attention(Q / np.sqrt(Q.shape[-1]), K, V, visible)


def by_the_values_width(Q, K, V, visible=None):
    return attention(Q * np.sqrt(Q.shape[-1] / V.shape[-1]), K, V, visible)


SCALING = (
    Mistake(
        "sqrt({D_Q}) missing",
        not_divided,
        "Your scores are not scaled, so the softmax is too sure of itself. Divide them "
        "by sqrt({D_Q}) before it.",
    ),
    Mistake(
        "divided by {D_Q} itself",
        by_the_width_itself,
        "You divide the scores by {D_Q}, so the weights are too even. A dot product of "
        "{D_Q} terms grows like the root of their number: divide by sqrt({D_Q}).",
    ),
    Mistake(
        "divided by the root of another width",
        by_the_values_width,
        "You divide by the root of the width of the values. What grows with the width "
        "is the dot product of a query and a key: it is their width that counts, "
        "{D_Q}.",
    ),
)


def scaling(twin: Any, D_Q: str = "D_Q", **options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes in scaling the scores of an attention.

    Parameters
    ----------
    twin : callable
        Of the wrong attention; see `family`.
    D_Q : the width of queries and keys
    **options : `only`, see there
    """
    filled = [m._replace(name=m.name.format(D_Q=D_Q)) for m in SCALING]
    return family(filled, twin, D_Q=D_Q, **options)
