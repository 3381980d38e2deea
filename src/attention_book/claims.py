"""Claims the book makes, checked at every build.

A chapter calls `claim(...)` with the figures it has just computed, or read from a
recorded run, and the bound it promises. They are shown where the claim is made; the
executed notebook carries them to the page *Every claim, measured*; and a claim that
stops holding stops the build.

The bound is for every seed, not for their mean: a sentence about such networks is about
each of them, and a mean hides the one that fails.
"""

from __future__ import annotations

import html
import json
import math
import numbers
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

from attention_book.prose import card

# the page carries each claim as JSON in this attribute
ATTRIBUTE = "data-attention-claim"
_LAYOUT = (
    "display: grid; grid-template-columns: auto 1fr auto; gap: 0 0.7rem; "
    "align-items: baseline; font-variant-numeric: tabular-nums"
)
_IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class ClaimError(AssertionError):
    """A claim came out other than the book says."""


@runtime_checkable
class Recorded(Protocol):
    """What a claim asks of a recorded run: its recipe's name, and how many seeds."""

    @property
    def recipe(self) -> Any: ...

    @property
    def measured(self) -> Mapping[int, Any]: ...


@dataclass(frozen=True, repr=False)
class Claim:
    """One measured claim; it shows itself, and carries itself to the page of claims."""

    id: str
    text: str
    measured: float  # the mean of the figures
    lowest: float
    highest: float
    N_figures: int
    at_least: float | None  # where every figure was to lie
    at_most: float | None
    holds: bool
    recorded: list[str]  # the runs that the figures were read from, one figure a seed

    def __repr__(self) -> str:
        return f"{self.text}: {self.shown} ({self._said()}): {self.verdict}"

    @property
    def verdict(self) -> str:
        """Whether it holds, in words."""
        return "holds" if self.holds else "does not hold here"

    @property
    def shown(self) -> str:
        """The figure that all agree on, else the mean of the seeds, else the range.

        What was not recorded seed by seed has no mean: it may be unlike things.
        """
        if not self.is_mean:
            return self.span
        mean = _figure(self.measured, self._digits)
        if mean in self.span.split(" to ") and self.measured > self.lowest:
            mean = _figure(self.measured, self._digits + 1)
        return f"mean {mean}"

    @property
    def is_mean(self) -> bool:
        """Whether the mean is shown; that of counts is none."""
        return bool(self.recorded and self._digits) and " to " in self.span

    @property
    def span(self) -> str:
        """From the lowest figure to the highest, in words; one if they agree."""
        if self._is_all:
            return "100 %"
        low, high = (_figure(end, self._digits) for end in (self.lowest, self.highest))
        return low if low == high else f"{low} to {high}"

    @property
    def origin(self) -> str:
        """Where the figures come from."""
        several = f", {self.N_figures} seeds" if self.N_figures > 1 else ""
        return f"recorded{several}" if self.recorded else "computed in this build"

    @property
    def bound(self) -> str:
        """Where every figure was to lie, in words."""
        low, high = self.at_least, self.at_most
        if self._is_all:
            return "100 %"
        if low is None or high is None:
            side, one = ("at most", high) if low is None else ("at least", low)
            return f"{side} {_typed(one or 0)}"
        if low == high:
            return f"exactly {_typed(low)}"
        return f"{_typed(low)} to {_typed(high)}"

    def _said(self) -> str:
        """What was claimed of the figures, and where they are from."""
        N = self.N_figures
        each = " for both" if N == 2 else f" for all {N} numbers"
        each = " in each seed" if self.recorded else each
        each = "" if N == 1 else each
        ends = {self.lowest, self.highest, self.at_least, self.at_most} - {None}
        said = "as claimed" if len(ends) == 1 else f"claimed {self.bound}"
        span = f": {self.span}" if self.is_mean else ""
        return f"{said}{each}{span} · {self.origin}"

    @property
    def _is_all(self) -> bool:
        """Whether it is a share of exactly 1, claimed to be no less."""
        whole = self.lowest == self.highest == self.at_least == 1
        return whole and self.at_most is None

    @property
    def _digits(self) -> int:
        """As many as it takes to see that the figures keep the bound, or break it; none
        of counts.
        """
        ends = self.lowest, self.highest, self.at_least, self.at_most
        if all(end is None or end == int(end) for end in ends):
            return 0
        for digits in (2, 3, 4):
            low, high = round(self.lowest, digits), round(self.highest, digits)
            above = self.at_least is None or low >= self.at_least
            below = self.at_most is None or high <= self.at_most
            if (above and below) == self.holds:
                return digits
        return 5

    def _repr_html_(self) -> str:
        mark, state = ("✓", "holds") if self.holds else ("✗", "fails")
        verdict = "" if self.holds else f" · {self.verdict}"
        carried = html.escape(json.dumps(asdict(self)))
        return card(
            "good" if self.holds else "bad",
            f"claim claim-{state}",
            f'<b role="img" aria-label="{state}">{mark}</b>'
            f"<span>{html.escape(self.text)}</span>"
            f'<b style="font-size: 1.15em">{self.shown}</b>'
            f'<span style="grid-column: 2 / -1; font-size: 0.88em">'
            f"{self._said()}{verdict}</span>",
            f' id="claim-{self.id}" {ATTRIBUTE}="{carried}"',
            _LAYOUT,
        )


def claim(
    id: str,
    text: str,
    measured: float | Iterable[float],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    recorded: Recorded | Collection[Recorded] = (),
    expected: bool = True,
) -> Claim:
    """Show measured figures against the bound the book promises; fail if one misses.

    Parameters
    ----------
    id, text : str
        A name, unique in the book, made of `a-z`, `0-9` and hyphens; what is claimed.
    measured : float or iterable of float
        The figure, or several, such as one per seed; the bound is for each. They are
        shown by their range, and by their mean too if they were recorded seed by seed.
    at_least, at_most : float
        The bound; both, where the sentence is about both sides.
    recorded : recorded run, or several
        From which the figures were read, one figure a seed; none if they were computed
        by the notebook that makes the claim.
    expected : bool
        False for a claim the book *reports as failing*; it then fails if it starts to
        hold, because the prose around it has become wrong.

    Raises
    ------
    ClaimError
        If the comparison came out other than `expected`.
    """
    figures = _figures(measured)
    if not isinstance(id, str) or not _IDENTIFIER.fullmatch(id):
        raise ValueError(
            "id must be lower-case words joined by hyphens, such as "
            f"'short-sentences'; got {id!r}"
        )
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"text must say what is claimed; got {text!r}")
    low, high = _bound("at_least", at_least), _bound("at_most", at_most)
    if at_least is None and at_most is None:
        raise ValueError("there is no bound: expected at_least, at_most or both")
    if low is not None and high is not None and low > high:
        raise ValueError(f"at_least={low:g} is above at_most={high:g}")
    lowest, highest = min(figures), max(figures)
    holds = (low is None or lowest >= low) and (high is None or highest <= high)
    made = Claim(
        id=id,
        text=text,
        measured=math.fsum(figures) / len(figures),
        lowest=lowest,
        highest=highest,
        N_figures=len(figures),
        at_least=low,
        at_most=high,
        holds=holds,
        recorded=_names(recorded, len(figures)),
    )
    if holds != expected:
        hint = "; the book says it does not hold, so its text must change"
        raise ClaimError(f"claim {id!r}: {made}{'' if expected else hint}")
    return made


def _bound(name: str, bound: float | None) -> float | None:
    if bound is None:
        return None
    if not isinstance(bound, numbers.Real) or not math.isfinite(bound):
        raise ValueError(f"{name} must be a finite number; got {bound!r}")
    return float(bound)


def _names(recorded: Recorded | Collection[Recorded], N_figures: int) -> list[str]:
    several = isinstance(recorded, Collection) and not isinstance(recorded, str)
    runs = list(recorded) if several else [recorded]
    for run in runs:
        if not isinstance(run, Recorded):
            raise TypeError(
                f"recorded is {recorded!r:.80}, expected a run, such as "
                "runs.load('attention-dot')"
            )
        if len(run.measured) != N_figures:
            raise ValueError(
                f"{run.recipe.name} has {len(run.measured)} seeds, but measured has "
                f"{N_figures} figures: expected one a seed"
            )
    return [run.recipe.name for run in runs]


def _figures(measured: float | Iterable[float]) -> list[float]:
    several = [measured] if isinstance(measured, numbers.Real) else measured
    try:
        figures = [float(figure) for figure in several]
    except TypeError as error:
        raise TypeError(
            "measured must be a number or one number per seed; got "
            f"{type(measured).__name__}"
        ) from error
    if not figures:
        raise ValueError("measured is empty: give one figure, or one per seed")
    if not all(math.isfinite(figure) for figure in figures):
        raise ValueError(f"measured must be finite; got {figures}")
    return figures


def _figure(value: float, digits: int) -> str:
    """So many decimals, or as many as a small figure needs to differ from 0; from 1,000
    on, and for 0, none.
    """
    if abs(value) >= 1000:
        return _signs(f"{value:,.0f}")
    is_small = abs(value) < 0.01
    return _signs(f"{value:z.1g}" if is_small else f"{value:.{digits}f}")


def _typed(bound: float) -> str:
    """A bound as it was typed."""
    return _signs(f"{bound:,g}")


def _signs(number: str) -> str:
    """A number with true minus signs, and no zero before an exponent."""
    return re.sub(r"(e.)0", r"\1", number).replace("-", "−")
