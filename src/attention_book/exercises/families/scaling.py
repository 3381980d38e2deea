"""Dot products that are not divided by the root of their own width."""

from typing import Any

from attention_book.exercises.families import family
from attention_book.exercises.families.weights import attention, mistaken
from attention_book.exercises.mutants import Mutant


def scaling(twin: Any, **options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes in scaling; `twin` takes a wrong attention, see `family`."""
    return family(mistaken(attention), twin, **options)
