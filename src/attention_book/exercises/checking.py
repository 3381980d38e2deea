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
from dataclasses import dataclass
from functools import cache
from typing import Any

from attention_book.exercises.calling import Outcome, Refused, Returned, call
from attention_book.exercises.cases import Case, Example, Law
from attention_book.exercises.judging import REFUSALS, Judge, Style
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.results import torch_inputs, unstack
from attention_book.exercises.session import left_as_it_was
from attention_book.exercises.time_limit import TimeLimit
from attention_book.exercises.verdict import Verdict

__all__ = ["Case", "Check", "Example", "Law"]


@dataclass(frozen=True, eq=False)
class Check:
    """Call it with a function; see the module.

    Attributes
    ----------
    name : str
        What the exercise calls the function.
    reference : callable
        Our own, in `forms[0]`.
    gives : dict
        What it returns, by name, with the axes: {"c_t": "D_H", "a_t": "N_X"}. One
        entry: returned as it is.
    task : str
        What to write, shapes, conventions, what to refuse.
    cases : sequence of Case
        The first must not be one to refuse.
    mutants : sequence of Mutant
    laws : sequence of callable
        `law(example)` gives a sentence if the law is broken, else None.
    batch : sequence of str
        Arguments with a batch axis in front.
    forms : sequence of "batched" and "single"
        In which a function may be written, the likelier first.
    weights : sequence of str
        Which of its results are weights: a softmax makes them.
    hide : str
        Told where a weight is small and should be 0; completes "A is 1e-9, which ...".
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
    weights: Sequence[str] = ()
    hide: str = "is hidden: use -inf"

    def __post_init__(self) -> None:
        if self.cases[0].refuse:
            raise ValueError(f"{self.name}: the first case must have an answer")
        names = [mutant.name for mutant in self.mutants]
        if len({*names}) < len(names):
            raise ValueError(f"{self.name}: two mutants share a name: {sorted(names)}")

    def __call__(
        self, function: Callable[..., Any], time_limit: TimeLimit | None = None
    ) -> Verdict:
        """Judge the reader's function, within a given time limit or the usual one."""
        if not callable(function):
            raise TypeError(
                f"function is {type(function).__name__}: hand over your function "
                f"itself, without calling it, as in check_{self.name}({self.name})"
            )
        names, order = [*self.cases[0].inputs], ""
        try:
            inspect.signature(function).bind(*names)
            takes = [*inspect.signature(function).parameters]
            if takes != names and {*takes} == {*names}:
                order = ", in this order"
                raise TypeError
        except ValueError:  # a built-in without a signature
            pass
        except TypeError:
            says = (
                f"{self.name} is called with {len(names)} arguments, "
                f"({', '.join(names)}){order}; "
                f"yours takes {inspect.signature(function)}."
            )
            return Verdict("wrong", says, "arguments")
        with left_as_it_was():
            return Judge(self, function, time_limit or TimeLimit()).verdict()

    def examples(self, case: Case) -> list[dict[str, Any]]:
        """Give the inputs of each example of a case, without a batch axis."""
        items = zip(*(case.inputs[name] for name in self.batch), strict=True)
        parts = [dict(zip(self.batch, item, strict=True)) for item in items]
        return [case.inputs | part for part in parts or [{}]]

    def run(
        self,
        function: Callable[..., Any],
        case: Case,
        style: Style,
        time_limit: TimeLimit,
    ) -> Outcome:
        """Run one case; a `Returned` holds one result for each example."""
        whole = style.form == "batched" and self.batch
        values, changed = [], frozenset()
        for inputs in [case.inputs] if whole else self.examples(case):
            given = torch_inputs(inputs) if style.kind == "torch" else inputs
            outcome = call(function, given, time_limit)
            if case.refuse and isinstance(getattr(outcome, "error", None), REFUSALS):
                return Refused()
            if not isinstance(outcome, Returned):
                return outcome
            values.append(outcome.value)
            changed |= outcome.changed
        if whole:
            (value,), B = values, len(case.inputs[self.batch[0]])
            if isinstance(value, list) and len(value) == len(self.gives) > 1:
                value = tuple(value)
            values = unstack(value, B)
        return Returned(values, changed)

    def ours(self, form: str, mutant: Mutant | None = None) -> list[Outcome]:
        """Run the reference, or a mutant of it, on all cases; once."""
        return _outcomes(self, form, mutant)

    @property
    def expected(self) -> list[Outcome]:
        """The right outcomes, case by case."""
        return self.ours(self.forms[0])

    @property
    def none_is_an_answer(self) -> bool:
        """Whether None may be returned."""
        right = (run.value for run in self.expected if isinstance(run, Returned))
        return any(each is None for values in right for each in values)

    def named(self, value: Any) -> dict[str, Any]:
        """Return the parts of one result by their names."""
        parts = value if len(self.gives) > 1 else (value,)
        return dict(zip(self.gives, parts, strict=True))


@cache
def _outcomes(check: Check, form: str, mutant: Mutant | None) -> list[Outcome]:
    function = mutant.of(check.reference) if mutant else check.reference
    style, time_limit = Style("numpy", form), TimeLimit(processor=60)
    return [check.run(function, case, style, time_limit) for case in check.cases]
