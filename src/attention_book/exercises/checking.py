"""A check: calls a reader's function on inputs that no bug survives, and says what is
wrong and where to look.

The function is compared with our own on every case. If it is wrong, three questions are
asked in turn: does it do exactly what a known mistake does (`mutants.Mutant`); which
law does its result break; and, if neither knows, on which smallest input do the numbers
differ. What reaches the reader is a `Verdict`, never a bare False.

Styles. A solution may be written for NumPy arrays or for torch tensors, for one example
or for a batch of them. The first style in which the function runs and gives the right
shapes is the one it is judged in.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from attention_book.exercises.calling import Outcome, Returned, call
from attention_book.exercises.cases import Case, Example, Law, Style
from attention_book.exercises.judging import Judge
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.patience import Patience
from attention_book.exercises.results import torch_inputs, unstack
from attention_book.exercises.verdict import Verdict

__all__ = ["Case", "Check", "Example", "Law"]


@dataclass(frozen=True)
class Check:
    """Call it with a function; see the module.

    Attributes
    ----------
    name : str
        What the exercise calls the function.
    reference : callable
        Our own. Works in `forms[0]`.
    gives : dict
        What it returns, by name, with the axes: {"c_t": "D_H", "a_t": "N_X"}. One
        entry: returned as it is.
    task : str
        The exercise in one to three sentences: what to write, shapes, conventions, what
        to refuse.
    cases : sequence of Case
        The first must not be one to refuse.
    mutants : sequence of Mutant
        Known mistakes, made from the reference.
    laws : sequence of callable
        `law(example)` gives a sentence if the law is broken, else None. The first that
        speaks is reported.
    batch : sequence of str
        Arguments with a batch axis in front.
    forms : sequence of "batched" and "single"
        In which a function may be written, the likelier first.
    """

    name: str
    reference: Callable[..., Any]
    gives: Mapping[str, str]
    task: str
    cases: Sequence[Case]
    mutants: Sequence[Mutant] = ()
    laws: Sequence[Law] = ()
    batch: Sequence[str] = ()
    forms: Sequence[str] = ("single",)
    _runs: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.cases[0].refuse:
            raise ValueError(f"{self.name}: the first case must have an answer")
        names = [mutant.name for mutant in self.mutants]
        if len({*names}) < len(names):
            raise ValueError(f"{self.name}: two mutants share a name: {sorted(names)}")

    def __call__(
        self, function: Callable[..., Any], patience: Patience | None = None
    ) -> Verdict:
        """Judge a function.

        Parameters
        ----------
        function : callable
            The reader's, itself and not its result.
        patience : Patience, optional
            How long to wait for it.

        Returns
        -------
        Verdict

        Raises
        ------
        TypeError
            If `function` cannot be called.
        """
        if not callable(function):
            raise TypeError(
                f"function is {type(function).__name__}: hand over your function "
                f"itself, without calling it, as in check_{self.name}({self.name})"
            )
        if (wrong := self._arguments(function)) is not None:
            return wrong
        return Judge(self, function, patience or Patience()).verdict()

    def _arguments(self, function: Callable[..., Any]) -> Verdict | None:
        names = [*self.cases[0].inputs]
        try:
            signature = inspect.signature(function)
        except ValueError:  # a built-in without one
            return None
        try:
            signature.bind(*names)
        except TypeError:
            says = (
                f"{self.name} is called with {len(names)} arguments, "
                f"({', '.join(names)}); yours takes {signature}."
            )
            return Verdict("wrong", says, "arguments")
        return None

    def items(self, case: Case, style: Style) -> list[dict[str, Any]]:
        """Make the calls of one case: a dictionary of arguments for each."""
        turn = torch_inputs if style.kind == "torch" else dict
        if style.form == "batched" or not self.batch:
            return [turn(case.inputs)]
        items = zip(*(case.inputs[name] for name in self.batch), strict=True)
        parts = (dict(zip(self.batch, item, strict=True)) for item in items)
        return [turn(case.inputs | part) for part in parts]

    def examples(self, case: Case) -> list[dict[str, Any]]:
        """Give the inputs of each example of a case, without a batch axis."""
        return self.items(case, Style("numpy", "single"))

    def run(
        self, function: Callable[..., Any], case: Case, style: Style, patience: Patience
    ) -> Outcome:
        """Run one case; a `Returned` holds one result for each example."""
        values, changed = [], frozenset()
        for inputs in self.items(case, style):
            outcome = call(function, inputs, patience)
            if not isinstance(outcome, Returned):
                return outcome
            values.append(outcome.value)
            changed |= outcome.changed
        if style.form == "batched" and self.batch:
            values = unstack(values[0], len(case.inputs[self.batch[0]]))
        return Returned(values, changed)

    def ours(self, style: Style, mutant: Mutant | None = None) -> list[Outcome]:
        """Run the reference, or a mutant of it, on all cases; once."""
        key = style.form, mutant
        if key not in self._runs:
            made = mutant.of(self.reference) if mutant else self.reference
            arrays, patience = Style("numpy", style.form), Patience(processor=60)
            runs = [self.run(made, case, arrays, patience) for case in self.cases]
            self._runs[key] = runs
        return self._runs[key]

    @cached_property
    def expected(self) -> list[Outcome]:
        """The right outcomes, case by case."""
        return self.ours(Style("numpy", self.forms[0]))

    def named(self, value: Any) -> dict[str, Any]:
        """Give the parts of one result their names."""
        parts = value if len(self.gives) > 1 else (value,)
        return dict(zip(self.gives, parts, strict=True))
