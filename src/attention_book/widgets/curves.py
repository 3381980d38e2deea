"""The panel of curves over a common x, with a marker where the reader stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Any

import numpy as np

from attention_book.widgets.controls import as_label
from attention_book.widgets.fields import ControlValue
from attention_book.widgets.panel import (
    LINE,
    Panel,
    check_ends,
    fixed,
    holding,
    significant,
    wrapped,
)

HEIGHT = 268  # pixels
SAMPLE, BETWEEN = 41, 18  # pixels of a line in the legend, and between two names there
NAMED = 6.4  # pixels of a letter of a name
FEW = 8  # points that are all told where no script runs


class Lines(Panel):
    """Curves, told apart by dash and marker as well as by colour."""

    kind = "lines"
    holds = holding(numbers="x y low high m", text="n", words="t")
    letters: np.ndarray  # of each name at each setting, -1 where it is absent

    @property
    def pair(self) -> bool:
        return self.half and self.options["pair"]

    def check(self) -> None:
        numbers = [
            name
            for name, field in self.fields.items()
            if field.what == "numbers" and name[0] != "m"  # a mark
        ]
        for name in numbers:
            self.check_flat(name)
        self._check_lengths()
        for x in self.fields["x"].every:
            if x.size == 0:
                raise ValueError("x is empty: a curve needs at least one point")
            if (np.diff(x) <= 0).any():
                raise ValueError("x must increase from each value to the next")
        if "t" in self.fields:
            self.agree("t", "x", "named has {} points but x has {}")
        self._check_controls()
        self.options["x_limits"] = list(self.extent("x"))
        if self.options["log_x"] and not self.options["x_ticks"]:
            self.options["x_ticks"] = self.fields["x"].every[0].tolist()
        if self.options["log_x"] and self.options["x_limits"][0] <= 0:
            raise ValueError(
                f"x begins at {self.options['x_limits'][0]:g}: with log_x it must be "
                "positive"
            )
        self._set_limits([name for name in numbers if name != "x"])

    def _check_lengths(self) -> None:
        N, letters = self.count("x"), []
        for k, name in enumerate(self.options["names"]):
            count = self.count(f"y{k}")
            message = f"y{k} has {{}} values but x has {{}}"
            self.require(np.equal(count, N) | (count == 0), message, count, N)
            for end in (f"low{k}", f"high{k}"):
                if end in self.fields:
                    message = f"{end} has {{}} values but y{k} has {{}}"
                    self.agree(end, f"y{k}", message)
            long = self.count(f"n{k}") if f"n{k}" in self.fields else len(name)
            letters.append(np.where(count > 0, long, -1))
        every = np.stack(np.broadcast_arrays(*letters), axis=-1)
        self.letters = np.unique(every.reshape(-1, len(letters)), axis=0)

    def _check_controls(self) -> None:
        if self.options["marker"] is not None:
            control = self.chosen("marker")
            if not control.numeric:
                raise ValueError(
                    f"marker: the values of {control.name!r} are not all numbers"
                )
        if self.options["highlight"] is not None:
            control = self.chosen("highlight")
            if not set(control.labels) & set(self.options["names"]):
                raise ValueError(
                    f"highlight: no series is named like a value of {control.name!r}"
                )

    def _set_limits(self, names: Sequence[str]) -> None:
        low, high = self.extent(*names)
        y0, y1 = self.options["y_limits"] or (low, high)
        log = self.options["log_y"]
        if log:
            if y0 <= 0:
                raise ValueError(f"y begins at {y0:g}: with log_y it must be positive")
            y0, y1 = self._powers(y0, y1)
        elif self.options["y_limits"] is None:
            y0, y1 = self._round_limits(low, high)
        # what a network gives may yet go anywhere on a logarithmic axis
        later = log and any(self.fields[name].runs for name in ("x", *names))
        beyond = [low < y0 or later, high > y1 or later]
        self.options |= {"y_limits": [y0, y1], "beyond": beyond}

    def _called(self, k: int, index: Sequence[Any]) -> str:
        named = self.fields.get(f"n{k}")
        return named.at(index) if named else self.options["names"][k]

    def _round_limits(self, low: float, high: float) -> tuple[float, float]:
        if low >= 0 and high <= 1 and high > 0.5:
            return 0.0, 1.0
        if low > 0 and low < 0.4 * high:
            low = 0.0
        return (low, high) if high > low else (low - 0.5, low + 0.5)

    def _powers(self, low: float, high: float) -> tuple[float, float]:
        """Widen to powers of ten, unless two lie between, to stand at ticks."""
        first, last = ceil(log10(low)), floor(log10(high))
        if self.options["y_limits"] and first < last:
            return low, high
        first, last = floor(log10(low)), ceil(log10(high))
        return 10.0**first, 10.0 ** max(last, first + 1)

    def height(self, width: float) -> float:
        names = self.options["names"]
        title = 90 if self.options["highlight"] is not None else 0
        room = width - title + BETWEEN  # none behind the last
        lines = max(
            wrapped(some[some >= 0].tolist(), room, SAMPLE + BETWEEN, NAMED)
            for some in self.letters
        )
        legend = lines * LINE + 6 if names[1:] and self.options["legend"] else 0
        return legend + self.options["height"]

    def static_text(self, index: Sequence[Any]) -> list[str]:
        x, digits = self.fields["x"].at(index), self.options["digits"]
        log = self.options["log_y"]
        label = self.options["x_label"]
        t = self.fields["t"].at(index) if "t" in self.fields else None
        said = []
        for k in range(len(self.options["names"])):
            shown = {"": self.fields[f"y{k}"].at(index)}
            if not len(shown[""]):
                continue
            if f"low{k}" in self.fields:
                names = (f", {end}" for end in self.options["ends"])
                ends = self.at(index, f"low{k}", f"high{k}")
                shown |= zip(names, ends, strict=True)
            for end, y in shown.items():
                places = ", ".join(
                    f"{significant(y[i]) if log else fixed(y[i], digits)} at {label} "
                    f"{as_label(x[i])}{f' ({t[i]})' if t else ''}"
                    for i in (range(len(y)) if len(y) <= FEW else (0, -1))
                )
                said.append(f"{self._called(k, index)}{end}: {places}")
        return ["; ".join(said) + "."]


def lines(
    x: Any,
    series: Mapping[Any, Any],
    *,
    label: str = "",
    x_label: str = "x",
    y_label: str = "y",
    marker: ControlValue | None = None,
    highlight: ControlValue | None = None,
    band: Mapping[Any, tuple[Any, Any]] | None = None,
    ends: tuple[str, str] = ("low", "high"),
    called: Mapping[Any, Any] | None = None,
    behind: Any = None,
    marks: Mapping[str, Any] | None = None,
    y_limits: tuple[float, float] | None = None,
    log_x: bool = False,
    x_ticks: Sequence[float] | None = None,
    dots: bool = False,
    named: Any = None,
    log_y: bool = False,
    legend: bool = True,
    height: int = HEIGHT,
    digits: int = 2,
    half: bool = False,
    pair: bool = False,
) -> Panel:
    """Make a plot of curves.

    Parameters
    ----------
    x
        Numbers, (n,), increasing.
    series
        Name -> numbers (n,), or none where it is absent; at most six.
    x_label, y_label
        What the axes measure, with units.
    marker
        ``control(name)``: a vertical line at this control's value, which the reader may
        also drag.
    highlight
        ``control(name)``: the series named like this control's value is drawn strong.
    band
        Name of a series -> (low, high), each (n,), shaded around it; say in the caption
        what it is.
    ends
        What low and high are, for the table.
    called
        Name of a series -> a text that stands for it, which may be `over` controls.
    behind
        Name of the series to compare with: a thin grey line behind the others.
    marks
        Name -> an x, (1,), with a thin line and this name; (0,) where there is none.
    y_limits
        Ends of the y axis (from the data when None). What lies beyond an end is drawn
        at it, and a tick there says so.
    log_x
        Equal factors of x are equally far apart.
    x_ticks
        Where the x axis has its numbers; None: at round ones, or with `log_x` at each
        x, which must then be few, such as powers of 2.
    dots
        Draw a dot for each value instead of a curve through them.
    named
        Words (n,), read out with each x: what it is.
    log_y
        Equal factors of y are equally far apart, with ticks at powers of ten; the axis
        reaches to those around the data when `y_limits` is None, or has fewer than two
        of them between its ends. Numbers are read out with three digits that count.
    legend
        Name the curves above; without, another panel does.
    height
        Pixels, axes included.
    pair
        Share a line with the next half panel on a phone, too.
    """
    if y_limits is not None:
        check_ends("y_limits", y_limits)
    if pair and not half:
        raise ValueError("pair is True but half is False: expected half=True with it")
    names = [as_label(name) for name in series]
    if not 1 <= len(names) <= 6:
        raise ValueError(
            f"series has {len(names)} curves: expected 1 to 6, more cannot be told "
            "apart"
        )

    def place(what: str, name: Any) -> int:
        if as_label(name) not in names:
            raise ValueError(
                f"{what} names {name!r}, but the series are {', '.join(names)}"
            )
        return names.index(as_label(name))

    given = {"x": x} | {f"y{k}": y for k, y in enumerate(series.values())}
    for name, (low, high) in (band or {}).items():
        k = place("band", name)
        given |= {f"low{k}": low, f"high{k}": high}
    for name, text in (called or {}).items():
        given[f"n{place('called', name)}"] = text
    given["t"] = named
    given |= {f"m{k}": x for k, x in enumerate((marks or {}).values())}
    options = {
        "names": names,
        "marks": list(marks or {}),
        "behind": None if behind is None else place("behind", behind),
        "ends": list(ends),
        "x_label": x_label,
        "y_label": y_label,
        "marker": marker and marker.name,
        "highlight": highlight and highlight.name,
        "y_limits": y_limits,
        "log_x": log_x,
        "x_ticks": x_ticks and [*x_ticks],
        "drawn": "dots" if dots else "line",
        "join": "h0M" if dots else "L",  # two values, in the path
        "log_y": log_y,
        "legend": legend,
        "pair": pair,
        "digits": digits,
        "height": height,
    }
    return Lines(given, options, label, half)
