"""One function before one check: its style, and the first thing that is wrong."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, combinations, groupby, product, starmap
from operator import itemgetter
from textwrap import dedent
from typing import Any, NamedTuple

import numpy as np
import torch

from attention_book.exercises.calling import Outcome, Raised, Returned, Stopped, call
from attention_book.exercises.cases import Case, Example
from attention_book.exercises.results import (
    fit,
    is_fraction,
    is_no_number,
    is_number,
    is_whole_of,
    roughly_same,
    same,
)
from attention_book.exercises.time_limit import TimeLimit
from attention_book.exercises.verdict import RIGHT, Verdict
from attention_book.exercises.wording import (
    error_text,
    in_parts,
    misshapen,
    right_parts,
    shown,
    text_of,
)

NAN = (
    "exp of a large number, 0 / 0, 0 * inf, log of 0 or less, the root of a negative "
    "number, half precision"
)
NAN_OF_WEIGHTS = (
    f"{NAN}, a softmax over nothing but -inf (a row that sees nothing, or the wrong "
    "axis)"
)
IS_RAISED = re.compile(r"\b(raise|assert)\b")
UNPACKS = re.compile("values to unpack|cannot unpack")
REFUSALS = (ValueError, AssertionError)
AXES_AMISS = {  # in errors of code that is written for the other form
    "single": re.compile(
        "not enough values to unpack|too many indices|tuple index out of range|"
        "Dimension out of range|out of bounds for array of dimension"
    ),
    "batched": re.compile("too many values to unpack"),
}
OF_TENSORS = {*dir(torch.Tensor)} - {*dir(np.ndarray)} - {*dir(np)}
wrong = partial(Verdict, "wrong")


class _Settled(Exception):
    """A verdict that stands before the code has run on every case."""


class Style(NamedTuple):
    """How a function is called: "numpy" or "torch", "single" or "batched"."""

    kind: str
    form: str


@dataclass
class Judge:
    """One function before one check: ask for its `verdict`."""

    check: Any  # the Check
    function: Callable[..., Any]
    time_limit: TimeLimit
    style: Style = field(init=False)
    runs: list[Outcome] = field(init=False)

    def verdict(self) -> Verdict:
        """Find the style, run every case, and name the first thing that is wrong."""
        try:
            return next(self._verdicts())
        except _Settled as settled:
            return settled.args[0]

    def _verdicts(self) -> Iterator[Verdict]:
        """Yield every verdict that applies, the most informative first."""
        self.style, first = self._nearest_style()
        if isinstance(first, Raised):
            yield crash(first, self.check.cases[0])
        self.runs = self._all_runs(first)
        if self.style.kind == "torch" and not self._is_right():
            tensors = self.style, self.runs
            self.style = Style("numpy", self.style.form)
            self.runs = self._all_runs(self._run(0, self.style))
            if not self._is_right():
                self.style, self.runs = tensors
        if self._is_right():
            yield from self._unsteady()
            yield from self._hardly_hidden()
            tried = ", ".join(case.name for case in self.check.cases)
            yield Verdict("right", f"{self.check.name} {RIGHT}. Tried on: {tried}.")
        steps = (
            self._ends_its_loop,
            self._known,
            self._kept,
            self._before_a_crash,
            self._crashes,
            self._damage,
            self._unsteady,
            self._rounded,
            self._first_for_all,
            self._of_before,
            self._misplaced,
            self._broken_laws,
            self._without_signs,
            self._not_refused,
            self._numbers,
        )
        for step in steps:
            yield from step()

    def _all_runs(self, first: Outcome) -> list[Outcome]:
        others = range(1, len(self.check.cases))
        return [first, *(self._run(k, self.style) for k in others)]

    def _is_right(self) -> bool:
        return self._like(self.check.expected) and not any(
            self._misshapen(k, run) for k, run in enumerate(self.runs)
        )

    def _nearest_style(self) -> tuple[Style, Outcome]:
        """Find the first style that gives the right shapes on the first case.

        If there is none, that which comes nearest; the single form where no part of
        the result has the right shape, as a single example is shown.
        """
        kinds = ("numpy", "torch")[:: -1 if is_for_torch(self.function) else 1]
        tried = []
        for style in (Style(*each) for each in product(kinds, self.check.forms)):
            outcome = self._run(0, style)
            right = 0
            if isinstance(outcome, Returned):
                if not self._misshapen(0, outcome):
                    return style, outcome
                right = right_parts(outcome.value[0], *self._due(0, outcome))
            far = how_far_from_running(outcome), of_another_form(outcome, style.form)
            nowhere = not right and style.form == "batched"
            key = (*far, -right, -line_reached(outcome), nowhere)
            tried.append((key, style, outcome))
        _, style, outcome = min(tried, key=itemgetter(0))
        return style, outcome

    def _run(self, k: int, style: Style) -> Outcome:
        """Run case k; lists of numbers become arrays where arrays are expected."""
        case, right = self.check.cases[k], self.check.expected[k]
        outcome = self.check.run(self.function, case, style, self.time_limit)
        if isinstance(outcome, Stopped):
            evidence = f"{outcome.where}\n{shown(outcome.inputs)}".lstrip()
            raise _Settled(wrong(outcome.reason, "does not end", evidence))
        # torch raises this too: softmax "not implemented for 'Long'"
        if (
            k == 0
            and isinstance(outcome, Raised)
            and isinstance(outcome.error, NotImplementedError)
            and IS_RAISED.search(outcome.where or "raise")
        ):
            says = (
                f"{self.check.name} is not written yet. Write it in place of the "
                "`raise`, and run the cell again."
            )
            raise _Settled(Verdict("empty", says, "not written"))
        if not isinstance(outcome, Returned) or case.refuse:
            return outcome
        return replace(outcome, value=[*map(fit, outcome.value, right.value)])

    def _cases(self) -> Iterator[tuple[Case, Outcome]]:
        return zip(self.check.cases, self.runs, strict=True)

    def _like(self, others: Sequence[Outcome], with_refusals: bool = True) -> bool:
        """Tell whether others agree on all cases, or on all but those to refuse."""
        return all(
            alike(run, other) or (case.refuse and not with_refusals)
            for (case, run), other in zip(self._cases(), others, strict=True)
        )

    def _unsteady(self) -> Iterator[Verdict]:
        """Run all cases again, and report one that now ends differently."""
        again = (self._run(k, self.style) for k in range(len(self.runs)))
        if not all(map(alike, self.runs, again)):
            says = (
                "The same input gave another result the second time. Is something "
                "random (dropout, weights drawn anew), or remembered between calls (a "
                "list as a default argument, a global)?"
            )
            yield wrong(says, "not the same twice")

    def _rounded(self) -> Iterator[Verdict]:
        """Name results that are whole, in half precision, or right to few digits."""
        parts = self._pairs()
        arrays = [pair for pair in parts if isinstance(pair[1], np.ndarray)]
        pairs = [(got, due) for got, due in arrays if is_fraction(due)]
        if (
            pairs
            and not all(starmap(same, parts))
            and any(np.any(got) for got, _ in pairs)
            and (
                all(starmap(is_whole_of, pairs))
                or any(is_whole(example) for _, example in self._examples())
            )
        ):
            says = (
                "All your numbers are whole: is the result's array one of whole "
                "numbers, or is there a `//` or a round?"
            )
            yield self._wrong(says, "whole numbers")
        if any(getattr(got, "dtype", None) == np.float16 for got, _ in parts):
            says = (
                "Your result is in half precision (float16, bfloat16), which has three "
                "digits, or two. Compute in float32 or float64."
            )
            yield wrong(says, "half precision")
        if not all(starmap(same, parts)) and all(starmap(roughly_same, parts)):
            says = (
                "Your numbers are right to two or three digits, and not to more. Are "
                "they rounded, or computed in half precision? Or is something small "
                "added?"
            )
            yield self._wrong(says, "rounded")

    def _first_for_all(self) -> Iterator[Verdict]:
        """Find inputs of the first example that, used for all, explain the results."""
        if self.style.form == "single":
            return
        batches = [
            [example for _, example in examples]
            for _, examples in groupby(self._examples(), itemgetter(0))
        ]
        names = self.check.batch
        for taken in [*((name,) for name in names), names]:
            if batches and all(
                self._is_due_with({name: batch[0].inputs[name] for name in taken}, it)
                for batch in batches
                for it in batch
            ):
                says = (
                    "All examples of the batch get what is right with "
                    f"{' and '.join(taken)} of the first. Each has its own."
                )
                yield self._wrong(says, "the first for all")

    def _is_due_with(self, taken: dict[str, Any], example: Example) -> bool:
        """Tell whether the result is the right one for other inputs."""
        right = call(self.check.reference, example.inputs | taken, self.time_limit)
        return isinstance(right, Returned) and same(
            example.got, self.check.named(right.value)
        )

    def _ends_its_loop(self) -> Iterator[Verdict]:
        """Point at a `return` that ends a loop in its first round."""
        if line := return_in_loop(self.function):
            says = (
                f"Does your `return` stand inside the loop (line {line})? It ends the "
                "function in the first round: move it to the left."
            )
            yield wrong(says, "return in a loop", next(self._evidence(), ""))

    def _known(self) -> Iterator[Verdict]:
        """Name the known mistake that has the same outcomes."""
        for with_refusals in (True, False):  # there may be another mistake, too
            if self._like(self.check.expected, with_refusals):
                continue
            for mutant in self.check.mutants:
                if self._like(self.check.ours(self.style.form, mutant), with_refusals):
                    yield wrong(mutant.says, mutant.name, next(self._evidence(), ""))

    def _kept(self) -> Iterator[Verdict]:
        """Find inputs that were kept from an earlier call and explain the results."""
        cases = [] if self.check.batch else [*self._examples()]
        off = [(c, it) for c, it in cases if not same(it.got, it.expected)]
        came = [value for _, it in off for value in it.got.values()]
        if not came or not all(map(is_fraction, came)):  # 0 and 1 come of many mistakes
            return
        names = [*off[0][1].inputs]
        for taken in chain.from_iterable(
            combinations(names, k) for k in range(1, len(names) + 1)
        ):
            if all(self._is_as_before(it, taken, cases) for _, it in off):
                says = (
                    f"On {off[0][0].name} you get what is due with the "
                    f"{' and '.join(taken)} of an earlier call. Is something kept "
                    "between calls, written into your code, or not used?"
                )
                yield self._wrong(says, "kept")

    def _is_as_before(
        self, example: Example, names: Sequence[str], cases: list[tuple[Case, Example]]
    ) -> bool:
        """Tell whether it is right for the first inputs with the same shapes."""
        shapes = [getattr(example.inputs[name], "shape", ()) for name in names]
        first = next(
            it.inputs
            for _, it in cases
            if [getattr(it.inputs[name], "shape", ()) for name in names] == shapes
        )
        return self._is_due_with({name: first[name] for name in names}, example)

    def _before_a_crash(self) -> Iterator[Verdict]:
        """Name what is wrong already in the cases before the first that raises."""
        k, run = next(
            ((k, r) for k, r in enumerate(self.runs) if isinstance(r, Raised)),
            (0, None),
        )
        if run is None or self.check.cases[k].refuse:
            return
        earlier = Judge(first_cases(self.check, k), self.function, self.time_limit)
        verdict = earlier.verdict()
        if not verdict and verdict.diagnosis != "numbers":
            more = (
                f" (And on {self.check.cases[k].name} your code raised "
                f"{error_text(run.error)}.)"
            )
            yield replace(verdict, says=verdict.says + more)

    def _crashes(self) -> Iterator[Verdict]:
        for case, run in self._cases():
            if isinstance(run, Raised):
                yield crash(run, case)

    def _of_before(self) -> Iterator[Verdict]:
        """Find results that are right for the inputs of an earlier call."""
        before, off = [], []
        single = self.style.form == "single"  # then each example is a call
        for case, it in self._examples():
            if not same(it.got, it.expected):
                earlier = (due for of, due in before if single or of is not case)
                off.append((case, any(same(it.got, due) for due in earlier)))
            elif all(map(is_fraction, it.expected.values())):
                before.append((case, it.expected))
        if off and all(found for _, found in off):
            says = (
                f"On {off[0][0].name} you return the result of an earlier call. Is it "
                "kept by what other inputs have, too, such as their shapes?"
            )
            yield self._wrong(says, "kept")

    def _hardly_hidden(self) -> Iterator[Verdict]:
        """Name weights that are small where they should be 0."""
        for case, it in self._examples():
            for name in self.check.weights:
                off = np.abs(it.got[name]) * (it.expected[name] == 0)
                if off.max() > 1e-12:
                    at = [*map(int, np.unravel_index(off.argmax(), off.shape))]
                    says = (
                        f"On {case.name}: {name} is {off.max():.0e} at {at}, which "
                        f"{self.check.hide}."
                    )
                    yield wrong(says, "hidden", shown(it.inputs))

    def _damage(self) -> Iterator[Verdict]:
        """Say what is overwritten, or of the wrong type or shape."""
        for k, (case, run) in enumerate(self._cases()):
            if not isinstance(run, Returned):
                continue
            whole = not case.refuse and self._is_no_batch(k, run)
            evidence = shown(case.inputs if whole else self.check.examples(case)[0])
            if run.changed:
                says = (
                    f"Your function writes into {' and '.join(sorted(run.changed))}, "
                    "which its caller finds changed. Work on a copy, or on a new "
                    "result; look for +=, -=, *=, /=, [...] =, append, insert and "
                    "methods whose name ends in _."
                )
                yield wrong(says, "overwrites its input", evidence)
            for name in (
                type(v).__name__ for v in run.value if isinstance(v, Exception)
            ):
                says = f"You return a {name}. Raise it: raise {name}(...)."
                yield wrong(says, "error returned", evidence)
            if complaint := self._misshapen(k, run):
                yield wrong(f"On {case.name}: {complaint}", "shape", evidence)

    def _misshapen(self, k: int, run: Outcome) -> str | None:
        if self.check.cases[k].refuse or not isinstance(run, Returned):
            return None
        right, gives = self._due(k, run)
        for value, wanted in zip(run.value, right, strict=False):
            if value is not None or wanted is None:
                if complaint := misshapen(value, wanted, gives):
                    return complaint
            elif not self.check.none_is_an_answer:  # else a law knows more
                return (
                    "your function returned None. Is the `return` missing? (Perhaps "
                    "only in one branch, or after a loop.)"
                )
        return None

    def _is_no_batch(self, k: int, run: Returned) -> bool:
        return len(run.value) < len(self.check.expected[k].value)

    def _due(self, k: int, run: Returned) -> tuple[list[Any], dict[str, str]]:
        """Return what is expected, and its axes; unsplit if the result is no batch."""
        right, gives = self.check.expected[k].value, self.check.gives
        if not self._is_no_batch(k, run):
            return right, gives
        several = isinstance(right[0], tuple)
        whole = (
            tuple(map(np.stack, zip(*right, strict=True)))
            if several
            else np.stack(right)
        )
        return [whole], {name: f"B {axes}" for name, axes in gives.items()}

    def _broken_laws(self) -> Iterator[Verdict]:
        examples = [*self._examples()]
        among = [example for _, example in examples if not lost(example)]
        causes = NAN_OF_WEIGHTS if self.check.weights else NAN
        for case, example in examples:
            if same(example.got, example.expected):
                continue
            inputs, got, *_ = it = example._replace(among=among)
            on, evidence = f"On {case.name}:", f"{shown(inputs)}\n{shown(got, 'your ')}"
            for name in lost(example):
                says = f"{on} {name} holds NaN or infinity. Usual causes: {causes}."
                if name in self.check.weights and is_hidden_score(got[name]):
                    says = (
                        f"{on} {name} holds -inf. Are these the scores? Softmax them."
                    )
                yield wrong(says, "NaN", evidence)
            others = [name for name in got if name not in self.check.weights]
            only_weights = 0 < len(others) < len(got) and all(
                same(e.got[n], e.expected[n]) for e in among for n in others
            )
            if only_weights:
                on = (
                    f"{on} {' and '.join(others)} is right; what you return as "
                    f"{' and '.join(self.check.weights)} is something else:"
                )
            for says in filter(None, (law(it) for law in self.check.laws)):
                yield wrong(f"{on} {says}", "a law", evidence)
            if only_weights:
                yield self._wrong(f"{on[:-1]}.", "other weights")

    def _misplaced(self) -> Iterator[Verdict]:
        """Find rows that are right, in a wrong place, or one in the place of all."""
        each = list(self.check.gives) * len([*self._examples()])
        named = zip(each, self._pairs(), strict=True)
        off = [(name, pair) for name, pair in named if not same(*pair)]
        names = " and ".join(dict.fromkeys(name for name, _ in off))
        if off and all(has_the_rows(*pair) for _, pair in off):
            says = f"The rows of {names} are right, but they come in another order."
            yield self._wrong(says, "order")
        if off and all(repeats(*pair) for _, pair in off):
            says = (
                f"All rows of {names} are alike, and only one is right. Do you write "
                "them all into the same memory, or repeat one?"
            )
            yield self._wrong(says, "one for all rows")

    def _without_signs(self) -> Iterator[Verdict]:
        pairs = self._pairs()
        if not all(starmap(same, pairs)) and all(
            is_number(got) and is_number(due) and same(np.abs(got), np.abs(due))
            for got, due in pairs
        ):
            says = "Your sizes are right, but signs are lost or turned."
            yield self._wrong(says, "signs")

    def _not_refused(self) -> Iterator[Verdict]:
        for case, run in self._cases():
            if case.refuse and isinstance(run, Returned):
                nothing = all(value is None for value in run.value)
                says = (
                    f"Wrong on {case.name}: {case.refuse}, so raise a ValueError; "
                    f"yours returned {'None' if nothing else 'a result'}."
                )
                yield wrong(says, "no refusal", shown(self.check.examples(case)[0]))

    def _numbers(self) -> Iterator[Verdict]:
        for case, evidence in self._differences():
            yield wrong(f"Not right on {case.name}.", "numbers", evidence)
        yield wrong("Not right: your results could not be compared.", "numbers")

    def _wrong(self, says: str, diagnosis: str) -> Verdict:
        """Make a verdict that shows the first difference."""
        return wrong(says, diagnosis, next(self._differences(), (None, ""))[1])

    def _pairs(self) -> list[tuple[Any, Any]]:
        """Pair each part of each result with what is expected there."""
        return [
            (it.got[name], it.expected[name])
            for _, it in self._examples()
            for name in self.check.gives
        ]

    def _differences(self) -> Iterator[tuple[Case, str]]:
        """Show what differs in the results, example by example."""
        for case, (inputs, got, want, _) in self._examples():
            for name in (n for n in got if not same(got[n], want[n])):
                yours, ours = shown({name: got[name]}, "your "), text_of(want[name])
                yield case, f"{shown(inputs)}\n\n{yours}\nexpected {ours}"

    def _evidence(self) -> Iterator[str]:
        """Show what differs, and then the errors that were raised."""
        yield from map(itemgetter(1), self._differences())
        for case, run in self._cases():
            if isinstance(run, Raised):
                yield crash(run, case).evidence

    def _examples(self) -> Iterator[tuple[Case, Example]]:
        """Yield the examples whose result has as many parts as expected."""
        for (case, run), right in zip(self._cases(), self.check.expected, strict=True):
            if (
                isinstance(run, Returned)
                and not case.refuse
                and len(run.value) == len(right.value)
                and all(in_parts(value, self.check.gives) for value in run.value)
            ):
                examples = self.check.examples(case)
                for inputs, *pair in zip(examples, run.value, right.value, strict=True):
                    yield case, Example(inputs, *map(self.check.named, pair))


@cache
def first_cases(check: Any, k: int) -> Any:
    """Give a check of the first k cases only."""
    return replace(check, cases=check.cases[:k])


def return_in_loop(function: Callable[..., Any]) -> int:
    """Give the line of a `return` that no round of its loop can pass, or 0.

    Nothing is said of code that cannot be read by itself, as a lambda.
    """
    plain = inspect.unwrap(function)
    if not inspect.isfunction(plain) or plain.__name__ == "<lambda>":
        return 0
    try:
        lines, first = inspect.getsourcelines(plain)
        tree = ast.parse(dedent("".join(lines)))
    except (OSError, SyntaxError):
        return 0
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For | ast.While):
            last = loop.body[-1]
            again = any(isinstance(node, ast.Continue) for node in ast.walk(loop))
            if isinstance(last, ast.Return) and not again:
                return max(first, 1) + last.lineno - 1
    return 0


def lost(example: Example) -> list[str]:
    """Name the results that hold NaN or infinity instead of numbers."""
    got, due = example.got, example.expected
    return [name for name in got if is_no_number(got[name], due[name])]


def is_whole(example: Example) -> bool:
    """Tell whether all results are integers where fractions are expected."""
    kinds = {np.asarray(part).dtype.kind for part in example.got.values()}
    return kinds <= {*"iu"} and all(map(is_fraction, example.expected.values()))


def repeats(got: Any, due: Any) -> bool:
    """Tell whether the result is one of the expected rows, again and again."""
    if not isinstance(due, np.ndarray) or due.ndim < 2 or not is_fraction(due):
        return False
    got = np.reshape(got, due.shape)
    for axis in range(due.ndim - 1):
        each, right = np.moveaxis(got, axis, 0), np.moveaxis(due, axis, 0)
        alike = len(each) > 1 and all(same(one, each[0]) for one in each)
        if alike and any(same(each[0], one) for one in right):
            return True
    return False


def has_the_rows(got: Any, due: Any) -> bool:
    """Tell whether the result has the expected rows, in any order."""
    if not isinstance(due, np.ndarray) or due.ndim < 2 or not is_fraction(due):
        return False
    ours, yours = (np.reshape(each, (-1, due.shape[-1])) for each in (due, got))
    came = np.array([[same(one, other) for other in ours] for one in yours])
    return bool(came.any(axis=0).all() and came.any(axis=1).all())


def crash(outcome: Raised, case: Case) -> Verdict:
    """Report an error of the wrong kind, or one where a result is expected."""
    more, said = "", error_text(outcome.error)
    if case.refuse:
        more = f". On {case.name} a ValueError is due: {case.refuse}."
    elif isinstance(outcome.error, REFUSALS) and IS_RAISED.search(outcome.where):
        more = f". But on {case.name} there is an answer to give."
    unpacked = re.search(r"= *(\w+)\(", outcome.where)
    if unpacked and unpacked[1] in outcome.inputs and UNPACKS.search(said):
        more += f". Look at what {unpacked[1]} gives: is it that many things?"
    evidence = f"{outcome.where}\ncalled with\n{shown(outcome.inputs)}".lstrip()
    return wrong(f"Your code raised {said}{more}", "crash", evidence)


def how_far_from_running(outcome: Returned | Raised) -> int:
    """Rank how a call ended: 0 with a result, 1 with an error, 2 in the wrong style.

    The style is wrong if an array was asked for what only tensors have.
    """
    if isinstance(outcome, Returned):
        return 0
    error = outcome.error
    array = isinstance(error, AttributeError) and isinstance(error.obj, np.ndarray)
    method = array and hasattr(torch.Tensor, error.name)
    return 2 if method or "must be Tensor, not" in error_text(error) else 1


def line_reached(outcome: Outcome) -> int:
    """Give the number of the reader's own line that failed, or 0."""
    where = outcome.where if isinstance(outcome, Raised) else ""
    line = re.match(r"line (\d+)", where)
    return int(line[1]) if line else 0


def is_hidden_score(value: np.ndarray | float) -> bool:
    """Tell whether -inf is all that is not finite in it, as in masked scores."""
    odd = ~np.isfinite(value)
    return bool((np.asarray(value)[odd] == -np.inf).all())


def of_another_form(outcome: Outcome, form: str) -> bool:
    """Tell whether it failed on a number of axes that the other form has."""
    said = error_text(outcome.error) if isinstance(outcome, Raised) else ""
    return bool(AXES_AMISS[form].search(said))


def is_for_torch(function: Callable[..., Any]) -> bool:
    """Tell whether its code uses torch, under any alias, or what only tensors have."""
    plain = inspect.unwrap(function)
    if not inspect.isfunction(plain):
        return isinstance(function, torch.nn.Module)
    code, known = plain.__code__, plain.__globals__
    modules = [known[name] for name in code.co_names if name in known]
    names = {str(getattr(module, "__name__", "")) for module in modules}
    own = {*code.co_names} - {*known}  # of attributes, and of what it imports itself
    tuples = [each for each in code.co_consts if isinstance(each, tuple)]
    keywords = {*chain.from_iterable(tuples)}
    return (
        any(name.partition(".")[0] == "torch" for name in names | own)
        or bool(OF_TENSORS & own)
        or bool({"dim", "keepdim"} & keywords)
    )


def alike(one: Outcome, other: Outcome) -> bool:
    """Tell whether two calls ended alike: with equal results and equal damage."""
    if isinstance(one, Returned) and isinstance(other, Returned):
        return one.changed == other.changed and same(one.value, other.value)
    return type(one) is type(other)
