"""The inputs of a check, and what its laws get to see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

SECONDS = 3.0  # for all calls of one check together


@dataclass(frozen=True)
class Case:
    """One input.

    Attributes
    ----------
    name : str
        What is special about it; completes "wrong on ...".
    inputs : dict
        Argument by name, in order. Arrays named in the check's `batch` have a leading
        axis of length B >= 2.
    refuse : str
        If not empty: why there is no answer, so that a ValueError must be raised.
    """

    name: str
    inputs: Mapping[str, Any]
    refuse: str = ""


@dataclass(frozen=True)
class Seen:
    """What a law looks at: one example of one case, with what came and what should have come, by name."""

    inputs: Mapping[str, Any]
    got: Mapping[str, Any]
    expected: Mapping[str, Any]


Law = Callable[[Seen], str | None]


@dataclass(frozen=True)
class Style:
    """How a function is called: with which arrays, one example or a batch at a time."""

    kind: str
    form: str
