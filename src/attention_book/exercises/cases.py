"""The inputs of a check, and what its laws get to see."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


class Case:
    """One input of a check.

    Attributes
    ----------
    name : str
        What is special about it; completes "wrong on ...".
    inputs : dict
        Argument by name, in order: given by name, or, as for `dict`, a mapping first.
        Arrays named in the check's `batch` have a leading axis of length B >= 2.
    refuse : str
        If not empty: why there is no answer, so that a ValueError must be raised.
    """

    def __init__(
        self,
        name: str,
        inputs: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
        /,
        *,
        refuse: str = "",
        **named: Any,
    ) -> None:
        self.name, self.refuse = name, refuse
        self.inputs: dict[str, Any] = dict(inputs, **named)


@dataclass(frozen=True)
class Example:
    """What a law looks at, by name: inputs, what came and what should have come.

    Always one example of a case, without a batch axis.
    """

    inputs: Mapping[str, Any]
    got: Mapping[str, Any]
    expected: Mapping[str, Any]


Law = Callable[[Example], str | None]


@dataclass(frozen=True)
class Style:
    """How a function is called: arrays or tensors, one example or a batch at a time."""

    kind: str
    form: str
