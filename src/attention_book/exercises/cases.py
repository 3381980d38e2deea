"""The inputs of a check, and what its laws get to see."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple


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


class Example(NamedTuple):
    """One example of a case: inputs, what came and what should have come, by name.

    `among` are the examples of all cases, without those where NaN or infinity came:
    what explains a result explains all of them.
    """

    inputs: Mapping[str, Any]
    got: Mapping[str, Any]
    expected: Mapping[str, Any]
    among: Sequence["Example"] = ()


Law = Callable[[Example], str | None]
