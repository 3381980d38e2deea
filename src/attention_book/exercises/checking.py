"""A check: calls a reader's function on inputs that no bug survives, and says what is wrong and where to look.

The function is compared with our own on every case. If it is wrong, three questions are asked in turn: does it do
exactly what a known mistake does (`mutants.Mutant`); which law does its result break; and, if neither knows, on which
smallest input do the numbers differ. What reaches the reader is a `Verdict`, never a bare False.

Styles. A solution may be written for NumPy arrays or for torch tensors, for one example or for a batch of them. The
first style in which the function runs and gives the right shapes is the one it is judged in.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, zip_longest
from time import monotonic
from typing import Any

import numpy as np
import torch

from attention_book.exercises.mutants import Mutant
from attention_book.exercises.trial import Outcome, Raised, Returned, Stopped, call, same
from attention_book.exercises.verdict import Verdict

SECONDS = 4.0  # for all calls of one check together
REFUSALS = (ValueError, AssertionError)


@dataclass(frozen=True)
class Case:
    """One input.

    Attributes
    ----------
    name : str
        What is special about it; completes "wrong on ...".
    inputs : dict
        Argument by name, in order. Arrays named in the check's `batch` have a leading axis of length B >= 2.
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
        What it returns, by name, with the axes: {"c_t": "D_H", "a_t": "N_X"}. One entry: returned as it is.
    task : str
        The exercise in one to three sentences: what to write, shapes, conventions, what to refuse.
    cases : sequence of Case
        The first must not be one to refuse.
    mutants : sequence of Mutant
        Known mistakes, made from the reference.
    laws : sequence of callable
        `law(seen)` gives a sentence if the law is broken, else None. The first that speaks is reported.
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
            raise ValueError(f"check of {self.name}: the first case must have an answer")
        names = [mutant.name for mutant in self.mutants]
        if len(set(names)) < len(names):
            raise ValueError(f"check of {self.name}: two mutants share a name: {sorted(names)}")

    def __call__(self, function: Callable[..., Any]) -> Verdict:
        """Judge a function.

        Parameters
        ----------
        function : callable
            The reader's, itself and not its result.

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
                f"function is {type(function).__name__}: hand over your function itself, without calling it, "
                f"as in check_{self.name}({self.name})"
            )
        return first_of(
            lambda: self._arguments(function),
            lambda: Judge(self, function, monotonic() + SECONDS).verdict(),
        )

    def _arguments(self, function: Callable[..., Any]) -> Verdict | None:
        names = [*self.cases[0].inputs]
        try:
            signature = inspect.signature(function)
        except ValueError:  # a built-in without one
            return None
        try:
            signature.bind(*names)
        except TypeError:
            says = f"{self.name} is called with {len(names)} arguments, ({', '.join(names)}); yours takes {signature}."
            return Verdict("wrong", says, "arguments")
        return None

    def items(self, case: Case, style: Style) -> list[dict[str, Any]]:
        """Make the calls of one case: a dictionary of arguments for each."""
        turn = torch_inputs if style.kind == "torch" else dict
        if style.form == "batched" or not self.batch:
            return [turn(case.inputs)]
        B = len(case.inputs[self.batch[0]])
        return [turn({k: v[b] if k in self.batch else v for k, v in case.inputs.items()}) for b in range(B)]

    def examples(self, case: Case) -> list[dict[str, Any]]:
        """Give the inputs of each example of a case, without a batch axis."""
        return self.items(case, Style("numpy", "single"))

    def run(self, function: Callable[..., Any], case: Case, style: Style, until: float) -> Outcome:
        """Run one case; a `Returned` holds one result for each example."""
        values, changed = [], frozenset()
        for inputs in self.items(case, style):
            outcome = call(function, inputs, seconds=max(until - monotonic(), 0.05))
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
            function = mutant.of(self.reference) if mutant else self.reference
            until = monotonic() + 60
            runs = [self.run(function, case, Style("numpy", style.form), until) for case in self.cases]
            self._runs[key] = runs
        return self._runs[key]

    @cached_property
    def expected(self) -> list[Outcome]:
        """The right outcomes, case by case."""
        return self.ours(Style("numpy", self.forms[0]))

    def named(self, value: Any) -> dict[str, Any]:
        """Give the parts of one result their names."""
        return dict(zip(self.gives, value if len(self.gives) > 1 else (value,), strict=True))


@dataclass
class Judge:
    """One function before one check."""

    check: Check
    function: Callable[..., Any]
    until: float

    def verdict(self) -> Verdict:
        """Find the style, run every case, and name the first thing that is wrong."""
        style, first = self._find_style()
        if style is None:
            return self._ended(first)
        runs, crash = [], None
        for case in self.check.cases:
            runs.append(self._run(case, style))
            if isinstance(runs[-1], Stopped):
                return self._ended(runs[-1])
            if isinstance(runs[-1], Raised) and not (case.refuse and isinstance(runs[-1].error, REFUSALS)):
                crash = crash or runs[-1]
        if crash:
            return first_of(lambda: self._known(style, runs), lambda: self._ended(crash))
        if self._agree(runs, self.check.expected, [True] * len(runs)):
            return self._stable(style, runs)
        return first_of(lambda: self._known(style, runs), lambda: self._new(runs))

    def _run(self, case: Case, style: Style) -> Outcome:
        outcome = self.check.run(self.function, case, style, self.until)
        right = self.check.expected[self.check.cases.index(case)]
        if isinstance(outcome, Returned) and isinstance(right, Returned):
            values = [fit(value, wanted) for value, wanted in zip_longest(outcome.value, right.value)]
            return replace(outcome, value=values[: len(outcome.value)])
        return outcome

    def _kinds(self) -> tuple[str, str]:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        mentions = {"torch", "nn", "F"} & {*code.co_names} if code else set()
        return ("torch", "numpy") if mentions or isinstance(self.function, torch.nn.Module) else ("numpy", "torch")

    def _find_style(self) -> tuple[Style | None, Outcome]:
        case, kinds = self.check.cases[0], self._kinds()
        fallback: tuple[Style | None, Outcome] | None = None
        for style in (Style(*pair) for pair in product(kinds, self.check.forms)):
            outcome = self._run(case, style)
            if isinstance(outcome, Stopped) or (
                isinstance(outcome, Raised) and isinstance(outcome.error, NotImplementedError)
            ):
                return None, outcome
            if isinstance(outcome, Returned):
                if self._complaint_about_shape(outcome.value, 0) is None:
                    return style, outcome
                if fallback is None or fallback[0] is None:
                    fallback = style, outcome
            elif fallback is None or (fallback[0] is None and wants_tensors(fallback[1])):
                fallback = None, outcome
        return fallback

    def _stable(self, style: Style, runs: list[Outcome]) -> Verdict:
        again = self._run(self.check.cases[0], style)
        if isinstance(again, Stopped) or not alike(again, runs[0]):
            says = (
                "The same input gave another result the second time. Is something random, or remembered between calls?"
            )
            return self._wrong("not the same twice", says)
        tried = ", ".join(case.name for case in self.check.cases)
        return Verdict("right", f"{self.check.name} is right. Tried on: {tried}.")

    def _known(self, style: Style, runs: list[Outcome]) -> Verdict | None:
        everywhere = [True] * len(runs)
        answered = [not case.refuse for case in self.check.cases]  # whoever forgot to refuse may have forgotten more
        for at in (everywhere, answered):
            if self._agree(runs, self.check.expected, at):
                continue
            for mutant in self.check.mutants:
                if self._agree(runs, self.check.ours(style, mutant), at):
                    return self._wrong(mutant.name, mutant.says, self._difference(runs))
        return None

    def _agree(self, runs: list[Outcome], others: list[Outcome], at: list[bool]) -> bool:
        return all(alike(run, other) for run, other, looked_at in zip(runs, others, at, strict=True) if looked_at)

    def _new(self, runs: list[Outcome]) -> Verdict:
        """Describe a mistake that nobody has recorded."""
        for case, run, k in zip(self.check.cases, runs, range(len(runs)), strict=True):
            if isinstance(run, Returned) and run.changed:
                return self._overwritten(case, run)
            if isinstance(run, Returned) and (complaint := self._complaint_about_shape(run.value, k)):
                return self._wrong("shape", f"On {case.name}: {complaint}", shown(self.check.examples(case)[0]))
        return first_of(lambda: self._broken_law(runs), lambda: self._not_refused(runs), lambda: self._numbers(runs))

    def _not_refused(self, runs: list[Outcome]) -> Verdict | None:
        for case, run in zip(self.check.cases, runs, strict=True):
            if case.refuse and isinstance(run, Returned):
                says = f"Wrong on {case.name}: {case.refuse}, so raise a ValueError; yours returned a result."
                return self._wrong("no refusal", says, shown(self.check.examples(case)[0]))
        return None

    def _overwritten(self, case: Case, run: Returned) -> Verdict:
        names = " and ".join(sorted(run.changed))
        says = (
            f"Your function writes into its argument {names}: whoever called it finds other numbers there afterwards. "
            f"Work on a copy, or on a new result; look for +=, *=, [...] = and for methods whose name ends in _."
        )
        return self._wrong("overwrites its input", says, shown(self.check.examples(case)[0]))

    def _complaint_about_shape(self, values: list[Any], k: int) -> str | None:
        """Compare types and shapes of a case's results with the right ones."""
        right = self.check.expected[k]
        if not isinstance(right, Returned):
            return None
        for value, wanted in zip(values, right.value, strict=False):
            if (complaint := self._complaint(value, wanted)) is not None:
                return complaint
        if len(values) != len(right.value):
            return f"your result has no batch axis of length {len(right.value)} in front."
        return None

    def _may_be_none(self) -> bool:
        return any(each is None for right in self.check.expected if isinstance(right, Returned) for each in right.value)

    def _complaint(self, value: Any, wanted: Any) -> str | None:
        if value is None and wanted is not None and not self._may_be_none():
            return "your function returned None. Is the `return` missing?"
        names = [*self.check.gives]
        if len(names) > 1:
            if not isinstance(value, tuple | list) or len(value) != len(names):
                return f"expected {len(names)} results, {' and '.join(names)}; your function returned {kind_of(value)}."
            pairs = {name: (got, want) for name, got, want in zip(names, value, wanted, strict=True)}
            wrong = {
                n for n, (got, want) in pairs.items() if isinstance(want, np.ndarray) and np.shape(got) != want.shape
            }
            if wrong == {*names} and sorted(map(np.shape, value)) == sorted(map(np.shape, wanted)):
                return f"you return them in another order: expected {', '.join(names)}."
        else:
            pairs = {names[0]: (value, wanted)}
        for name, (got, want) in pairs.items():
            if complaint := mismatch(name, got, want, self.check.gives[name]):
                return complaint
        return None

    def _broken_law(self, runs: list[Outcome]) -> Verdict | None:
        for case, inputs, got, want in self._examples(runs):
            if (name := next((n for n in got if not_a_number(got[n], want[n])), None)) is not None:
                says = (
                    f"On {case.name}: {name} holds NaN or infinity. Usual causes: exp of a large number, 0 / 0, "
                    "log of 0, a row of -inf only."
                )
                return self._wrong("NaN", says, shown(inputs) + f"\nyour {name} = {text_of(got[name])}")
            for law in self.check.laws:
                if says := law(Seen(inputs, got, want)):
                    evidence = "\n".join(f"your {n} = {text_of(each)}" for n, each in got.items())
                    return self._wrong("a law", f"On {case.name}: {says}", f"{shown(inputs)}\n{evidence}")
        return None

    def _examples(self, runs: list[Outcome]):
        """Go through all examples that have a result: case, inputs, what came, what should have come."""
        for case, run, right in zip(self.check.cases, runs, self.check.expected, strict=True):
            if isinstance(run, Returned) and isinstance(right, Returned):
                for inputs, got, want in zip(self.check.examples(case), run.value, right.value, strict=True):
                    yield case, inputs, self.check.named(got), self.check.named(want)

    def _numbers(self, runs: list[Outcome]) -> Verdict:
        case = next(case for case, *_, got, want in self._examples(runs) if not same(got, want))
        return self._wrong("numbers", f"Not right on {case.name}.", self._difference(runs))

    def _difference(self, runs: list[Outcome]) -> str:
        """Show the first example whose result differs, with both results."""
        for _, inputs, got, want in self._examples(runs):
            for name in got:
                if not same(got[name], want[name]):
                    both = f"your {name} = {text_of(got[name])}\nexpected {text_of(want[name])}"
                    return f"{shown(inputs)}\n\n{both}"
        return ""

    def _ended(self, outcome: Raised | Stopped) -> Verdict:
        inputs = shown(outcome.inputs)
        if isinstance(outcome, Stopped):
            says = (
                f"Your function was still running after {SECONDS:.0f} s, on an input that takes no time. "
                "A loop that never ends?"
            )
            return self._wrong("does not end", says, f"{outcome.where}\n{inputs}".lstrip())
        error = outcome.error
        if isinstance(error, NotImplementedError):
            says = f"{self.check.name} is not written yet. Write it in place of the `raise`, and run the cell again."
            return Verdict("empty", says, "not written")
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        return self._wrong("crash", f"Your code raised {said}", f"{outcome.where}\ncalled with\n{inputs}".lstrip())

    def _wrong(self, diagnosis: str, says: str, evidence: str = "") -> Verdict:
        return Verdict("wrong", says, diagnosis, evidence)


def first_of(*answers: Callable[[], Verdict | None]) -> Verdict:
    """Ask one after the other until one is not None. (Not `or`: a verdict that says "wrong" is false.)"""
    return next(answer for answer in (ask() for ask in answers) if answer is not None)


def fit(value: Any, wanted: Any) -> Any:
    """Turn lists of numbers into arrays where an array is expected."""
    if isinstance(wanted, tuple) and isinstance(value, tuple | list) and len(value) == len(wanted):
        return tuple(map(fit, value, wanted))
    return stacked(value) if isinstance(wanted, np.ndarray) else value


def stacked(value: Any) -> Any:
    """Turn lists of lists of numbers into an array; what has rows of different lengths stays what it is."""
    if not isinstance(value, list | tuple):
        return value
    try:
        return np.asarray(value)
    except ValueError:
        return value


def wants_tensors(outcome: Outcome) -> bool:
    """Whether code failed because it used a method that tensors have and arrays have not."""
    error = getattr(outcome, "error", None)
    return (
        isinstance(error, AttributeError)
        and isinstance(error.obj, np.ndarray)
        and hasattr(torch.Tensor, error.name or "")
    )


def torch_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Turn arrays into tensors, numbers with a fraction into torch's usual float32."""

    def turn(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return torch.tensor(value, dtype=torch.float32 if value.dtype.kind == "f" else None)

    return {name: turn(value) for name, value in inputs.items()}


def unstack(value: Any, B: int) -> list[Any]:
    """Take a batched result apart into those of its examples; what has no such axis stays whole."""
    parts = tuple(map(stacked, value)) if isinstance(value, tuple) else (stacked(value),)
    if not all(isinstance(part, np.ndarray) and part.ndim and len(part) == B for part in parts):
        return [value]
    return [tuple(part[b] for part in parts) if isinstance(value, tuple) else parts[0][b] for b in range(B)]


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two runs ended alike: with equal results and equal damage, or both with an error."""
    if isinstance(one, Returned) and isinstance(other, Returned):
        return one.changed == other.changed and same(one.value, other.value)
    return isinstance(one, Raised) and isinstance(other, Raised)


def mismatch(name: str, got: Any, want: Any, axes: str) -> str | None:
    """Say how the type or shape of a result differs from what is expected; None if it does not."""
    if isinstance(want, np.ndarray):
        array = np.asarray(got) if isinstance(got, int | float) else got
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
            return f"{name} is {kind_of(got)}, expected numbers of shape {want.shape}."
        if array.shape != want.shape:
            meaning = f" ({', '.join(axes.split())})" if axes else ""
            return f"{name} has shape {array.shape}, expected {want.shape}{meaning}."
        return None
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return None
    if isinstance(want, int | float):
        number = isinstance(got, int | float) or (isinstance(got, np.ndarray) and got.ndim == 0)
        return None if number else f"{name} is {kind_of(got)}, expected one number."
    if isinstance(got, tuple | list) and isinstance(want, tuple | list):
        return None
    return None if isinstance(got, type(want)) else f"{name} is {kind_of(got)}, expected {kind_of(want)}."


def not_a_number(got: Any, want: Any) -> bool:
    """Whether numbers came that are none, where numbers were due."""
    return (
        isinstance(want, int | float | np.ndarray)
        and np.asarray(got).dtype.kind == "f"
        and bool((~np.isfinite(got) & np.isfinite(want)).any())
    )


def kind_of(value: Any) -> str:
    """Name what came: "a str", "an array of shape (3, 4)", "2 things"."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, tuple):
        return f"{len(value)} things"
    return "None" if value is None else f"a {type(value).__name__}"


def shown(inputs: Mapping[str, Any]) -> str:
    """Write inputs as lines of "name = value"."""
    return "\n".join(f"{name} = {text_of(value)}" for name, value in inputs.items())


def text_of(value: Any) -> str:
    """Write a value shortly: arrays with three digits, large ones by their shape."""
    if isinstance(value, torch.Tensor):
        return f"{text_of(value.numpy())}  (tensor)"
    if isinstance(value, np.ndarray):
        if value.size > 60:
            return f"array of shape {value.shape}"
        lines = np.array2string(value, precision=3, suppress_small=True, separator=", ", max_line_width=100)
        return lines if value.ndim < 2 else "\n" + lines
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple | list) and any(isinstance(each, np.ndarray) for each in value):
        return ", ".join(map(text_of, value))
    return repr(value) if len(repr(value)) < 400 else f"{repr(value)[:400]} ..."
