"""The bug zoo: every check by its name, and what others tried.

`ATTEMPTS` has a table for each check: functions, and words that each is told, `RIGHT`
if it must be accepted.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from IPython.display import HTML

from attention_book import registry
from attention_book.exercises.checking import Check
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.verdict import RIGHT, Verdict
from attention_book.prose import as_html

CHECKS: dict[str, Check] = registry.unique(
    "checks",
    (
        (thing.name, thing, module.__name__)
        for _, module in registry.modules("checks")
        for name, thing in vars(module).items()
        if name.startswith("check_") and isinstance(thing, Check)
    ),
)
Attempt = Callable[..., Any]
ATTEMPTS: dict[str, Mapping[Attempt, str]] = registry.unique(
    "tables of attempts",
    (
        (name, table, module.__name__)
        for _, module in registry.modules("attempts")
        for name, table in module.ATTEMPTS.items()
    ),
)
STYLES: dict[str, list[Attempt]] = {
    name: [attempt for attempt, says in table.items() if says == RIGHT]
    for name, table in ATTEMPTS.items()
}

ISSUE = "mutants met in public issues, with repository and number"
OTHER = "in well-known code, slides or another convention"
COMMON = "common knowledge, no source given"
BY_LAWS = "none: its laws name the part that is off"
NUMBERED = re.compile(r"[\w-] \d+\b")  # such as "annotated-transformer 122"


class Trial(NamedTuple):
    """One cell of the kill matrix: a mutant, or a right solution, before a check."""

    check: str
    name: str
    mutant: Mutant | None
    verdict: Verdict

    @property
    def as_it_should_be(self) -> bool:
        """Whether a mutant is named by its own sentence, a right solution accepted."""
        if self.mutant is None:
            return bool(self.verdict)
        return not self.verdict and self.verdict.diagnosis == self.mutant.name


def kill_matrix() -> list[Trial]:
    """Put every mutant and every right solution before its check."""
    trials = []
    for name, check in CHECKS.items():
        for m in check.mutants:
            trials.append(Trial(name, m.name, m, check(m.of(check.reference))))
        for style in STYLES[name]:
            trials.append(Trial(name, style.__name__, None, check(style)))
    return trials


def sources() -> dict[str, int]:
    """Count the known mistakes by where they were met."""
    count = dict.fromkeys((ISSUE, OTHER, COMMON), 0)
    for seen in (m.seen for check in CHECKS.values() for m in check.mutants):
        named = ISSUE if NUMBERED.search(seen) else OTHER
        count[COMMON if seen == "common" else named] += 1
    return count


def matrix(trials: Sequence[Trial]) -> HTML:
    """Show the kill matrix: a row for each check, a mark for each trial."""
    rows = []
    for name in dict.fromkeys(trial.check for trial in trials):
        of_it = [trial for trial in trials if trial.check == name]
        mutants = _marks(trial for trial in of_it if trial.mutant) or BY_LAWS
        right = _marks(trial for trial in of_it if not trial.mutant) or "none"
        rows.append(
            f'<tr><th scope="row"><a href="#zoo-{name}">{name}</a></th>'
            f"<td>{mutants}</td><td>{right}</td></tr>"
        )
    return HTML(
        '<table class="zoo"><thead><tr><th scope="col">check</th>'
        '<th scope="col">mutants named</th><th scope="col">right ones accepted</th>'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _marks(trials: Iterable[Trial]) -> str:
    """Count what is as it should be, and mark each; "" if there is none."""
    marks = [
        f'<span title="{escape(t.name)}">{"✓" if t.as_it_should_be else "✗"}</span>'
        for t in trials
    ]
    if not marks:
        return ""
    text = "".join(marks)
    good = f"{text.count('✓</span>')} of {len(marks)}"
    return f'{good} <span aria-hidden="true">{text}</span>'


def guide(name: str) -> HTML:
    """Describe a check's mistakes: what is changed, said, and where it was seen."""
    task = f'<h3 id="zoo-{name}">{name}</h3><p>{as_html(CHECKS[name].task)}</p>'
    entries = "".join(map(_entry, CHECKS[name].mutants))
    return HTML(f'<div class="zoo">{task}{entries}</div>')


def _entry(mutant: Mutant) -> str:
    public = mutant.seen != "common"
    seen = f"<p>Seen: {as_html(mutant.seen)}.</p>" if public else ""
    return (
        f"<details><summary>{escape(mutant.name)}</summary><p>{as_html(mutant.says)}"
        f"</p><pre>{escape(mutant.shown)}</pre>{seen}</details>"
    )
