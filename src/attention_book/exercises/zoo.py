"""The bug zoo: every check by its name, and the right solutions it must accept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from IPython.display import HTML

from attention_book import parts
from attention_book.exercises.checking import Check
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.verdict import Verdict
from attention_book.prose import as_html

CHECKS: dict[str, Check] = parts.unique(
    "checks",
    (
        (thing.name, thing, module.__name__)
        for _, module in parts.modules("checks")
        for name, thing in vars(module).items()
        if name.startswith("check_") and isinstance(thing, Check)
    ),
)
STYLES: dict[str, Sequence[Callable[..., Any]]] = parts.unique(
    "lists of right solutions",
    (
        (name, functions, module.__name__)
        for _, module in parts.modules("accepted")
        for name, functions in module.STYLES.items()
    ),
)


@dataclass(frozen=True)
class Trial:
    """One cell of the kill matrix: a function before a check."""

    check: str
    name: str
    mutant: Mutant | None
    verdict: Verdict

    @property
    def as_it_should_be(self) -> bool:
        """A mutant is caught and named by its own sentence; a right solution is accepted."""
        if self.mutant is None:
            return bool(self.verdict)
        return (
            self.verdict.state == "wrong" and self.verdict.diagnosis == self.mutant.name
        )


def kill_matrix() -> list[Trial]:
    """Put every mutant and every right solution before its check."""
    trials = []
    for name, check in CHECKS.items():
        trials += [
            Trial(name, m.name, m, check(m.of(check.reference))) for m in check.mutants
        ]
        trials += [
            Trial(name, style.__name__, None, check(style)) for style in STYLES[name]
        ]
    return trials


def matrix(trials: Sequence[Trial]) -> HTML:
    """Show the kill matrix: a row for each check, with a mark for each mutant and each right solution."""
    rows = []
    for name in dict.fromkeys(trial.check for trial in trials):
        mutants = [trial for trial in trials if trial.check == name and trial.mutant]
        right = [trial for trial in trials if trial.check == name and not trial.mutant]
        cells = "".join(f"<td>{_marks(some)}</td>" for some in (mutants, right))
        rows.append(
            f'<tr><th scope="row"><a href="#zoo-{name}">{name}</a></th>{cells}</tr>'
        )
    head = '<tr><th scope="col">check</th><th scope="col">mutants named</th><th scope="col">right ones accepted</th></tr>'
    return HTML(
        f'<table class="zoo"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _marks(trials: Sequence[Trial]) -> str:
    """Count what is as it should be, and mark each."""
    marks = "".join(
        f'<span title="{escape(t.name)}">{"✓" if t.as_it_should_be else "✗"}</span>'
        for t in trials
    )
    return f'{sum(t.as_it_should_be for t in trials)} of {len(trials)} <span aria-hidden="true">{marks}</span>'


def guide(name: str) -> HTML:
    """Describe a check's known mistakes: what each is, the changed line, what a reader is told, where it was seen."""
    check = CHECKS[name]
    rows = [
        f"<details><summary>{escape(mutant.name)}</summary><p>{as_html(mutant.says)}</p><pre>{escape(mutant.shown)}</pre>{_where(mutant)}</details>"
        for mutant in check.mutants
    ]
    return HTML(
        f'<div class="zoo"><h3 id="zoo-{name}">{name}</h3><p>{as_html(check.task)}</p>{"".join(rows)}</div>'
    )


def _where(mutant: Mutant) -> str:
    return "" if mutant.seen == "common" else f"<p>Seen: {as_html(mutant.seen)}.</p>"
