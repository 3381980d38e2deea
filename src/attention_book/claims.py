"""Claims the book makes, measured at every build.

A chapter never says "attention helps": it calls `claim(...)` with the figure it has
just measured and the bound it promises. The figure is shown where the claim is made;
the executed notebook carries it to the page *Every claim, measured*; and a claim that
stops holding stops the build.
"""

from __future__ import annotations

import html
import json
import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

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


@dataclass(frozen=True)
class Claim:
    """One measured claim; it shows itself, and carries itself to the page of claims.

    Attributes
    ----------
    id, text : str
        Its name, and what is claimed.
    measured, bound : float
        The figure, a mean over `seeds`, and what it was to reach.
    relation : {"≥", "≤"}
        How the figure should stand to the bound.
    holds : bool
        Whether it does.
    seeds : int
        How many figures were averaged.
    """

    id: str
    text: str
    measured: float
    bound: float
    relation: str
    holds: bool
    seeds: int

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold at this scale"
        claimed = f"claimed {self.relation} {_figure(self.bound)}, {self._seeds()}"
        return f"{self.text}: {_figure(self.measured)} ({claimed}): {verdict}"

    def _seeds(self) -> str:
        return f"mean of {self.seeds} seeds" if self.seeds > 1 else "1 seed"

    def _repr_html_(self) -> str:
        mark, state = ("✓", "holds") if self.holds else ("✗", "fails")
        verdict = "" if self.holds else " · does not hold at this scale"
        carried = html.escape(json.dumps(asdict(self)))
        claimed = f"claimed {self.relation} {_figure(self.bound)} · {self._seeds()}"
        return card(
            "good" if self.holds else "bad",
            f"claim claim-{state}",
            f'<b role="img" aria-label="{state}">{mark}</b>'
            f"<span>{html.escape(self.text)}</span>"
            f'<b style="font-size: 1.15em">{_figure(self.measured)}</b>'
            f'<span style="grid-column: 2 / -1; font-size: 0.88em">{claimed}{verdict}'
            "</span>",
            f' id="claim-{self.id}" {ATTRIBUTE}="{carried}"',
            _LAYOUT,
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def claim(
    id: str,
    text: str,
    measured: float | Iterable[float],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    expected: bool = True,
) -> Claim:
    """Show a measured figure against the bound the book promises; fail if it misses.

    Parameters
    ----------
    id : str
        Short name, unique in the book, made of `a-z`, `0-9` and hyphens.
    text : str
        What is claimed, as a reader would say it.
    measured : float or iterable of float
        The figure, or one figure per seed; their mean is compared and shown.
    at_least, at_most : float
        The bound; exactly one of them.
    expected : bool
        False for a claim the book *reports as failing* at this scale; it then fails if
        it starts to hold, because the prose around it has become wrong.

    Returns
    -------
    Claim

    Raises
    ------
    ClaimError
        If the comparison came out other than `expected`.
    ValueError, TypeError
        If a name, figure or bound cannot be used.
    """
    figures = _figures(measured)
    if not isinstance(id, str) or not _IDENTIFIER.fullmatch(id):
        raise ValueError(
            "id must be lower-case words joined by hyphens, such as "
            f"'short-sentences'; got {id!r}"
        )
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"text must say what is claimed; got {text!r}")
    if (at_least is None) == (at_most is None):
        raise ValueError(
            f"give exactly one of at_least and at_most; got at_least={at_least}, "
            f"at_most={at_most}"
        )
    relation, bound = ("≥", at_least) if at_most is None else ("≤", at_most)
    if not isinstance(bound, numbers.Real) or not math.isfinite(bound):
        raise ValueError(f"the bound must be a finite number; got {bound!r}")
    mean = math.fsum(figures) / len(figures)
    holds = mean >= bound if relation == "≥" else mean <= bound
    made = Claim(id, text, mean, float(bound), relation, holds, len(figures))
    if holds != expected:
        hint = "; the book says it does not hold, so its text must change"
        hint = "" if expected else hint
        raise ClaimError(f"claim {id!r}: {made}{hint}")
    return made


def _figures(measured: float | Iterable[float]) -> list[float]:
    if isinstance(measured, numbers.Real):
        figures = [float(measured)]
    else:
        try:
            figures = [float(figure) for figure in measured]
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


def _figure(value: float) -> str:
    """Two decimals, or as many as a small figure needs to be told from 0."""
    text = f"{value:.2f}" if value == 0 or abs(value) >= 0.01 else f"{value:.1g}"
    return text.replace("-", "−")
