"""The panel of points in a plane, some of which the reader drags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from attention_book.widgets.grids import ROOMY
from attention_book.widgets.panel import (
    Panel,
    Role,
    check_ends,
    check_role,
    check_template,
    fixed,
    holding,
)

SIDE = 216  # pixels of the square, where there is room
SAY = "{name} at ({x}, {y})"


@dataclass
class Points:
    """Points of one kind in a `plane`.

    Parameters
    ----------
    name
        Of one point, or of several that are numbered: k₁, k₂ ...
    at
        Numbers, (N, 2). With ``control("K")`` of a free array the reader drags them.
    role
        "asks", "asked", "taken" or "out", for their colour.
    weights
        Numbers, (N,), from 0 to 1: how much of each point is filled.
    axis
        Name of the axis they lie along, to be highlighted together with other panels.
    arrows
        Draw a line to each from the origin.
    hull
        Outline the smallest convex polygon around them.
    ring
        Draw rings, which hide no point that they lie on, instead of dots.
    """

    name: str
    at: Any
    role: Role
    _: KW_ONLY
    weights: Any = None
    axis: str | None = None
    arrows: bool = False
    hull: bool = False
    ring: bool = False

    def __post_init__(self) -> None:
        check_role(self.role)


points = Points


class Plane(Panel):
    """Points in a square plane around the origin."""

    kind = "plane"
    holds = holding(numbers="p w")
    pairs_on_phones = True

    def axes(self) -> Mapping[str, str]:
        sets = enumerate(self.options["sets"])
        return {f"p{s}": each["axis"] for s, each in sets if each["axis"]}

    def check(self) -> None:
        low, high = self.options["limits"]
        sets = self.options["sets"] = [dict(each) for each in self.options["sets"]]
        for s, each in enumerate(sets):
            field, name = self.fields[f"p{s}"], each["name"]
            if {leaf.shape[1:] for leaf in field.every} != {(2,)}:
                raise ValueError(
                    f"points {name!r} must be rows (x, y), but came with shape "
                    f"{field.every[0].shape}"
                )
            if f"w{s}" in self.fields:
                message = f"{name!r} has {{}} weights but {{}} points"
                self.agree(f"w{s}", f"p{s}", message)
            held = each["control"] = field.recipe.get("control")
            if held is not None:
                free = self.controls[held]
                if free.low < low or free.high > high:
                    raise ValueError(
                        f"points {name!r} may be dragged from {free.low:g} to "
                        f"{free.high:g}, but the plane goes from {low:g} to {high:g}"
                    )

    def height(self, width: float) -> float:
        return min(SIDE, width + ROOMY / 2)

    def static_text(self, index: Sequence[Any]) -> list[str]:
        said = []
        for s, each in enumerate(self.options["sets"]):
            at = self.fields[f"p{s}"].at(index)
            names = numbered(each["name"], len(at))
            said += [
                f"{n} at ({fixed(x, 2)}, {fixed(y, 2)})"
                for n, (x, y) in zip(names, at, strict=True)
            ]
        return ["; ".join(said) + "."]


def numbered(name: str, count: int) -> list[str]:
    """Name the points of a set: k₁, k₂ ..., or q alone."""
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    several = [f"{name}{str(i + 1).translate(digits)}" for i in range(count)]
    return several if count > 1 else [name]


def plane(
    sets: Sequence[Points],
    *,
    label: str = "",
    limits: tuple[float, float],
    say: str = SAY,
    half: bool = False,
) -> Panel:
    """Make a square plane with points, of which those of a free array can be dragged.

    Halves share a line on a phone, too.

    Parameters
    ----------
    sets
        Made by `points`; the last lies on top.
    limits
        Ends of both axes.
    say
        The sentence read out, with {name}, {x}, {y} and {length}, its distance from
        the origin.
    """
    if not sets:
        raise ValueError("sets is empty: a plane shows at least one set of points")
    given: dict[str, Any] = {}
    for s, each in enumerate(sets):
        given |= {f"p{s}": each.at, f"w{s}": each.weights}
    told = [
        {name: x for name, x in vars(each).items() if name not in ("at", "weights")}
        for each in sets
    ]
    options = {
        "sets": told,
        "limits": check_ends("limits", limits),
        "side": SIDE,
        "say": check_template(say, ("name", "x", "y", "length")),
    }
    return Plane(given, options, label, half)
