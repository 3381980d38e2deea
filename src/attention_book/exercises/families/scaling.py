"""Dot products that are not divided by the root of their own width."""

from dataclasses import replace
from typing import Any

from attention_book.exercises.families import family
from attention_book.exercises.families.weights import attention, mistaken
from attention_book.exercises.mutants import Mutant


def scaling(twin: Any, width: str = "D_Q", **options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes in scaling; `twin` takes a wrong attention, see `family`.

    `width` is what the width of a query is called.
    """
    known = family(mistaken(attention), twin, **options)
    return tuple(replace(m, says=m.says.replace("D_Q", width)) for m in known)
