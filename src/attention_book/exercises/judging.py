"""One function before one check: its style, and the first thing that is wrong."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Any

import numpy as np
import torch

from attention_book.exercises.calling import Outcome, Raised, Returned, Stopped
from attention_book.exercises.cases import Case, Example, Style
from attention_book.exercises.patience import Patience
from attention_book.exercises.results import fit, same
from attention_book.exercises.telling import kind_of, mismatch, shown, text_of
from attention_book.exercises.verdict import Verdict

REFUSALS = (ValueError, AssertionError)


@dataclass
class Judge:
    """One function before one check."""

    check: Any  # the Check
    function: Callable[..., Any]
    patience: Patience

    def verdict(self) -> Verdict:
        """Find the style, run every case, and name the first thing that is wrong."""
        style, first = self._find_style()
        if style is None:
            return self._ended(first)
        runs, crash = [], None
        for k, case in enumerate(self.check.cases):
            runs.append(self._run(k, style))
            if isinstance(runs[-1], Stopped):
                return self._ended(runs[-1])
            if isinstance(runs[-1], Raised) and not (
                case.refuse and isinstance(runs[-1].error, REFUSALS)
            ):
                crash = crash or runs[-1]
        if crash:
            return first_of(
                lambda: self._known(style, runs), lambda: self._ended(crash)
            )
        if self._agree(runs, self.check.expected, [True] * len(runs)):
            return self._stable(style, runs)
        return first_of(lambda: self._known(style, runs), lambda: self._new(runs))

    def _run(self, k: int, style: Style) -> Outcome:
        """Run case k, with lists of numbers turned into arrays where arrays are expected."""
        outcome = self.check.run(
            self.function, self.check.cases[k], style, self.patience
        )
        right = self.check.expected[k]
        if isinstance(outcome, Returned) and isinstance(right, Returned):
            values = [
                fit(value, wanted)
                for value, wanted in zip_longest(outcome.value, right.value)
            ]
            return replace(outcome, value=values[: len(outcome.value)])
        return outcome

    def _kinds(self) -> tuple[str, str]:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        mentions = {"torch", "nn", "F"} & {*code.co_names} if code else set()
        return (
            ("torch", "numpy")
            if mentions or isinstance(self.function, torch.nn.Module)
            else ("numpy", "torch")
        )

    def _find_style(self) -> tuple[Style | None, Outcome]:
        kinds = self._kinds()
        fallback: tuple[Style | None, Outcome] | None = None
        for style in (Style(*pair) for pair in product(kinds, self.check.forms)):
            outcome = self._run(0, style)
            if isinstance(outcome, Stopped) or (
                isinstance(outcome, Raised)
                and isinstance(outcome.error, NotImplementedError)
            ):
                return None, outcome
            if isinstance(outcome, Returned):
                if self._complaint_about_shape(outcome.value, 0) is None:
                    return style, outcome
                if fallback is None or fallback[0] is None:
                    fallback = style, outcome
            elif fallback is None or (
                fallback[0] is None and wants_tensors(fallback[1])
            ):
                fallback = None, outcome
        return fallback

    def _stable(self, style: Style, runs: list[Outcome]) -> Verdict:
        again = self._run(0, style)
        if isinstance(again, Stopped) or not alike(again, runs[0]):
            says = "The same input gave another result the second time. Is something random, or remembered between calls?"
            return self._wrong("not the same twice", says)
        tried = ", ".join(case.name for case in self.check.cases)
        return Verdict("right", f"{self.check.name} is right. Tried on: {tried}.")

    def _known(self, style: Style, runs: list[Outcome]) -> Verdict | None:
        everywhere = [True] * len(runs)
        answered = [
            not case.refuse for case in self.check.cases
        ]  # whoever forgot to refuse may have forgotten more
        for at in (everywhere, answered):
            if self._agree(runs, self.check.expected, at):
                continue
            for mutant in self.check.mutants:
                if self._agree(runs, self.check.ours(style, mutant), at):
                    return self._wrong(mutant.name, mutant.says, self._difference(runs))
        return None

    def _agree(
        self, runs: list[Outcome], others: list[Outcome], at: list[bool]
    ) -> bool:
        return all(
            alike(run, other)
            for run, other, looked_at in zip(runs, others, at, strict=True)
            if looked_at
        )

    def _new(self, runs: list[Outcome]) -> Verdict:
        """Describe a mistake that nobody has recorded."""
        for case, run, k in zip(self.check.cases, runs, range(len(runs)), strict=True):
            if isinstance(run, Returned) and run.changed:
                return self._overwritten(case, run)
            if isinstance(run, Returned) and (
                complaint := self._complaint_about_shape(run.value, k)
            ):
                return self._wrong(
                    "shape",
                    f"On {case.name}: {complaint}",
                    shown(self.check.examples(case)[0]),
                )
        return first_of(
            lambda: self._broken_law(runs),
            lambda: self._not_refused(runs),
            lambda: self._numbers(runs),
        )

    def _not_refused(self, runs: list[Outcome]) -> Verdict | None:
        for case, run in zip(self.check.cases, runs, strict=True):
            if case.refuse and isinstance(run, Returned):
                says = f"Wrong on {case.name}: {case.refuse}, so raise a ValueError; yours returned a result."
                return self._wrong(
                    "no refusal", says, shown(self.check.examples(case)[0])
                )
        return None

    def _overwritten(self, case: Case, run: Returned) -> Verdict:
        names = " and ".join(sorted(run.changed))
        says = (
            f"Your function writes into {names}, which belongs to whoever called it "
            "and finds it changed. Work on a copy, or on a new result; look for +=, "
            "*=, [...] =, append, insert and methods whose name ends in _."
        )
        return self._wrong(
            "overwrites its input", says, shown(self.check.examples(case)[0])
        )

    def _complaint_about_shape(self, values: list[Any], k: int) -> str | None:
        """Compare types and shapes of a case's results with the right ones."""
        right = self.check.expected[k]
        if not isinstance(right, Returned):
            return None
        for value, wanted in zip(values, right.value, strict=False):
            if (complaint := self._complaint(value, wanted)) is not None:
                return complaint
        if len(values) != len(right.value):
            return (
                f"your result has no batch axis of length {len(right.value)} in front."
            )
        return None

    def _may_be_none(self) -> bool:
        return any(
            each is None
            for right in self.check.expected
            if isinstance(right, Returned)
            for each in right.value
        )

    def _complaint(self, value: Any, wanted: Any) -> str | None:
        if value is None and wanted is not None:
            if self._may_be_none():  # an answer, if a wrong one: a law knows more
                return None
            return "your function returned None. Is the `return` missing?"
        names = [*self.check.gives]
        if len(names) > 1:
            if not isinstance(value, tuple | list) or len(value) != len(names):
                return f"expected {len(names)} results, {' and '.join(names)}; your function returned {kind_of(value)}."
            pairs = {
                name: (got, want)
                for name, got, want in zip(names, value, wanted, strict=True)
            }
            wrong = {
                n
                for n, (got, want) in pairs.items()
                if isinstance(want, np.ndarray) and np.shape(got) != want.shape
            }
            if wrong == {*names} and sorted(map(np.shape, value)) == sorted(
                map(np.shape, wanted)
            ):
                return f"you return them in another order: expected {', '.join(names)}."
        else:
            pairs = {names[0]: (value, wanted)}
        for name, (got, want) in pairs.items():
            if complaint := mismatch(name, got, want, self.check.gives[name]):
                return complaint
        return None

    def _broken_law(self, runs: list[Outcome]) -> Verdict | None:
        for case, inputs, got, want in self._examples(runs):
            if (
                name := next((n for n in got if not_a_number(got[n], want[n])), None)
            ) is not None:
                says = (
                    f"On {case.name}: {name} holds NaN or infinity. Usual causes: exp "
                    "of a large number, 0 / 0, log of 0, a row of -inf only."
                )
                return self._wrong(
                    "NaN", says, shown(inputs) + f"\nyour {name} = {text_of(got[name])}"
                )
            for law in self.check.laws:
                if says := law(Example(inputs, got, want)):
                    evidence = "\n".join(
                        f"your {n} = {text_of(each)}" for n, each in got.items()
                    )
                    return self._wrong(
                        "a law",
                        f"On {case.name}: {says}",
                        f"{shown(inputs)}\n{evidence}",
                    )
        return None

    def _examples(self, runs: list[Outcome]) -> Iterator[tuple[Case, Any, Any, Any]]:
        """Go through all examples that have a result: case, inputs, what came, what should have come."""
        for case, run, right in zip(
            self.check.cases, runs, self.check.expected, strict=True
        ):
            if isinstance(run, Returned) and isinstance(right, Returned):
                for inputs, got, want in zip(
                    self.check.examples(case), run.value, right.value, strict=True
                ):
                    yield case, inputs, self.check.named(got), self.check.named(want)

    def _numbers(self, runs: list[Outcome]) -> Verdict:
        case = next(
            case for case, *_, got, want in self._examples(runs) if not same(got, want)
        )
        return self._wrong(
            "numbers", f"Not right on {case.name}.", self._difference(runs)
        )

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
            says = {
                "computed": f"Your function was still running after "
                f"{self.patience.processor:.0f} s of computing, on an input that takes "
                "no time. A loop that never ends?",
                "waited": f"Your function had not ended after {self.patience.wall:.0f} "
                "s, though it computes next to nothing. Does it wait for something, "
                "such as input()?",
            }[outcome.reason]
            return self._wrong(
                "does not end", says, f"{outcome.where}\n{inputs}".lstrip()
            )
        error = outcome.error
        if isinstance(error, NotImplementedError):
            says = f"{self.check.name} is not written yet. Write it in place of the `raise`, and run the cell again."
            return Verdict("empty", says, "not written")
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        return self._wrong(
            "crash",
            f"Your code raised {said}",
            f"{outcome.where}\ncalled with\n{inputs}".lstrip(),
        )

    def _wrong(self, diagnosis: str, says: str, evidence: str = "") -> Verdict:
        return Verdict("wrong", says, diagnosis, evidence)


def first_of(*answers: Callable[[], Verdict | None]) -> Verdict:
    """Ask one after the other until one is not None. (Not `or`: a verdict that says "wrong" is false.)"""
    return next(answer for answer in (ask() for ask in answers) if answer is not None)


def wants_tensors(outcome: Outcome) -> bool:
    """Whether code failed because it used a method that tensors have and arrays have not."""
    error = getattr(outcome, "error", None)
    return (
        isinstance(error, AttributeError)
        and isinstance(error.obj, np.ndarray)
        and hasattr(torch.Tensor, error.name or "")
    )


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two runs ended alike: with equal results and equal damage, or both with an error."""
    if isinstance(one, Returned) and isinstance(other, Returned):
        return one.changed == other.changed and same(one.value, other.value)
    return isinstance(one, Raised) and isinstance(other, Raised)


def not_a_number(got: Any, want: Any) -> bool:
    """Whether numbers came that are none, where numbers were due."""
    return (
        isinstance(want, int | float | np.ndarray)
        and np.asarray(got).dtype.kind == "f"
        and bool((~np.isfinite(got) & np.isfinite(want)).any())
    )
