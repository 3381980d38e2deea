"""One function before one check: its style, and the first thing that is wrong."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product, zip_longest
from typing import Any

import numpy as np
import torch

from attention_book.exercises.calling import Outcome, Raised, Returned, Stopped
from attention_book.exercises.cases import Case, Example, Style
from attention_book.exercises.patience import Patience
from attention_book.exercises.results import fit, is_no_number, same
from attention_book.exercises.telling import both, misshapen, results, shown
from attention_book.exercises.verdict import Verdict

REFUSALS = (ValueError, AssertionError)


@dataclass
class Judge:
    """One function before one check: ask for its `verdict`."""

    check: Any  # the Check
    function: Callable[..., Any]
    patience: Patience

    def verdict(self) -> Verdict:
        """Find the style, run every case, and name the first thing that is wrong."""
        return next(self._verdicts())

    def _verdicts(self) -> Iterator[Verdict]:
        """Give all that can be said, the most telling first."""
        style = self.style
        if not isinstance(style, Style):
            yield self._ended(style)
        runs = []
        for k in range(len(self.check.cases)):
            runs.append(self._run(k, style))
            if isinstance(runs[-1], Stopped):
                yield self._ended(runs[-1])
        crashes = [run for run in map(self._crash, self.check.cases, runs) if run]
        if not crashes and self._agree(runs, self.check.expected):
            yield self._right_if_stable(style, runs[0])
        yield from self._known(style, runs)
        yield from map(self._ended, crashes)
        yield from self._damage(runs)
        yield from self._broken_laws(runs)
        yield from self._not_refused(runs)
        yield from self._numbers(runs)

    @cached_property
    def style(self) -> Style | Outcome:
        """The first style that gives the right shapes on the first case.

        If there is none, that which gives any result; else how the function ended.
        """
        fallback: tuple[Style, Outcome] | None = None
        for style in (
            Style(*pair) for pair in product(self._kinds(), self.check.forms)
        ):
            outcome = self._run(0, style)
            if isinstance(outcome, Stopped) or not_written(outcome):
                return outcome
            if isinstance(outcome, Returned):
                if self._misshapen(0, outcome) is None:
                    return style
                if fallback is None or not isinstance(fallback[1], Returned):
                    fallback = style, outcome
            elif fallback is None or wants_tensors(fallback[1]):
                fallback = style, outcome
        style, outcome = fallback
        return style if isinstance(outcome, Returned) else outcome

    def _kinds(self) -> tuple[str, str]:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        mentioned = {"torch", "nn", "F"} & {*code.co_names} if code else set()
        torch_first = mentioned or isinstance(self.function, torch.nn.Module)
        return ("torch", "numpy") if torch_first else ("numpy", "torch")

    def _run(self, k: int, style: Style) -> Outcome:
        """Run case k; lists of numbers become arrays where arrays are expected."""
        case, right = self.check.cases[k], self.check.expected[k]
        outcome = self.check.run(self.function, case, style, self.patience)
        if not (isinstance(outcome, Returned) and isinstance(right, Returned)):
            return outcome
        values = [fit(*pair) for pair in zip_longest(outcome.value, right.value)]
        return replace(outcome, value=values[: len(outcome.value)])

    def _crash(self, case: Case, run: Outcome) -> Raised | None:
        if not isinstance(run, Raised):
            return None
        return None if case.refuse and isinstance(run.error, REFUSALS) else run

    def _agree(
        self, runs: Sequence[Outcome], others: Sequence[Outcome], refusals: bool = True
    ) -> bool:
        """Whether two went alike on all cases, or on all but those to refuse."""
        looked_at = (refusals or not case.refuse for case in self.check.cases)
        triples = zip(runs, others, looked_at, strict=True)
        return all(alike(run, other) for run, other, looked in triples if looked)

    def _right_if_stable(self, style: Style, first: Outcome) -> Verdict:
        again = self._run(0, style)
        if isinstance(again, Stopped):
            return self._ended(again)
        if not alike(again, first):
            return Verdict(
                "wrong",
                "The same input gave another result the second time. Is something "
                "random, or remembered between calls?",
                "not the same twice",
            )
        tried = ", ".join(case.name for case in self.check.cases)
        return Verdict("right", f"{self.check.name} is right. Tried on: {tried}.")

    def _known(self, style: Style, runs: list[Outcome]) -> Iterator[Verdict]:
        """Name the known mistake that went the same way.

        Whoever forgot to refuse may have made another one, too.
        """
        for refusals in (True, False):
            if self._agree(runs, self.check.expected, refusals):
                continue
            for mutant in self.check.mutants:
                if self._agree(runs, self.check.ours(style, mutant), refusals):
                    evidence = next(self._differences(runs), "")
                    yield Verdict("wrong", mutant.says, mutant.name, evidence)

    def _damage(self, runs: list[Outcome]) -> Iterator[Verdict]:
        """Say what is overwritten, or of the wrong type or shape."""
        for k, (case, run) in enumerate(zip(self.check.cases, runs, strict=True)):
            evidence = shown(self.check.examples(case)[0])
            if isinstance(run, Returned) and run.changed:
                says = (
                    f"Your function writes into {' and '.join(sorted(run.changed))}, "
                    "which belongs to whoever called it and finds it changed. Work on "
                    "a copy, or on a new result; look for +=, *=, [...] =, append, "
                    "insert and methods whose name ends in _."
                )
                yield Verdict("wrong", says, "overwrites its input", evidence)
            elif isinstance(run, Returned) and (complaint := self._misshapen(k, run)):
                yield Verdict(
                    "wrong", f"On {case.name}: {complaint}", "shape", evidence
                )

    def _misshapen(self, k: int, run: Returned) -> str | None:
        right = self.check.expected[k]
        if not isinstance(right, Returned):
            return None
        maybe_none = any(
            each is None
            for outcome in self.check.expected
            if isinstance(outcome, Returned)
            for each in outcome.value
        )
        return misshapen(run.value, right.value, self.check.gives, maybe_none)

    def _broken_laws(self, runs: list[Outcome]) -> Iterator[Verdict]:
        for case, inputs, got, want in self._examples(runs):
            evidence = f"{shown(inputs)}\n{results(got)}"
            for name in (n for n in got if is_no_number(got[n], want[n])):
                says = (
                    f"On {case.name}: {name} holds NaN or infinity. Usual causes: exp "
                    "of a large number, 0 / 0, log of 0, a row of -inf only."
                )
                yield Verdict("wrong", says, "NaN", evidence)
            for law in self.check.laws:
                if says := law(Example(inputs, got, want)):
                    yield Verdict("wrong", f"On {case.name}: {says}", "a law", evidence)

    def _not_refused(self, runs: list[Outcome]) -> Iterator[Verdict]:
        for case, run in zip(self.check.cases, runs, strict=True):
            if case.refuse and isinstance(run, Returned):
                says = (
                    f"Wrong on {case.name}: {case.refuse}, so raise a ValueError; "
                    "yours returned a result."
                )
                evidence = shown(self.check.examples(case)[0])
                yield Verdict("wrong", says, "no refusal", evidence)

    def _numbers(self, runs: list[Outcome]) -> Iterator[Verdict]:
        for case, _, got, want in self._examples(runs):
            if not same(got, want):
                evidence = next(self._differences(runs))
                yield Verdict(
                    "wrong", f"Not right on {case.name}.", "numbers", evidence
                )

    def _differences(self, runs: list[Outcome]) -> Iterator[str]:
        """Show the examples whose result differs, with both results."""
        for _, inputs, got, want in self._examples(runs):
            for name in (n for n in got if not same(got[n], want[n])):
                yield f"{shown(inputs)}\n\n{both(name, got[name], want[name])}"

    def _examples(self, runs: list[Outcome]) -> Iterator[tuple[Case, Any, Any, Any]]:
        """Go through all that have a result: case, inputs, what came, what is due."""
        cases = zip(self.check.cases, runs, self.check.expected, strict=True)
        for case, run, right in cases:
            if isinstance(run, Returned) and isinstance(right, Returned):
                inputs = self.check.examples(case)
                for given, *pair in zip(inputs, run.value, right.value, strict=True):
                    yield case, given, *map(self.check.named, pair)

    def _ended(self, outcome: Raised | Stopped) -> Verdict:
        """Tell of code that gave no result."""
        inputs = shown(outcome.inputs)
        if isinstance(outcome, Stopped):
            evidence = f"{outcome.where}\n{inputs}".lstrip()
            says = self.patience.says(outcome.reason)
            return Verdict("wrong", says, "does not end", evidence)
        if not_written(outcome):
            says = (
                f"{self.check.name} is not written yet. Write it in place of the "
                "`raise`, and run the cell again."
            )
            return Verdict("empty", says, "not written")
        said = f"{type(outcome.error).__name__}: {outcome.error}".rstrip(": ")
        evidence = f"{outcome.where}\ncalled with\n{inputs}".lstrip()
        return Verdict("wrong", f"Your code raised {said}", "crash", evidence)


def not_written(outcome: Outcome) -> bool:
    """Whether it is the error of an exercise nobody has begun."""
    return isinstance(getattr(outcome, "error", None), NotImplementedError)


def wants_tensors(outcome: Outcome) -> bool:
    """Whether code used a method that tensors have and arrays have not."""
    error = getattr(outcome, "error", None)
    if not isinstance(error, AttributeError) or not isinstance(error.obj, np.ndarray):
        return False
    return hasattr(torch.Tensor, error.name or "")


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two ended alike: equal results and equal damage, or both in an error."""
    if isinstance(one, Returned) and isinstance(other, Returned):
        return one.changed == other.changed and same(one.value, other.value)
    return isinstance(one, Raised) and isinstance(other, Raised)
