"""The panel of vectors side by side, some of which the reader drags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attention_book.widgets.controls import Control, Free
from attention_book.widgets.fields import computed
from attention_book.widgets.grids import PRESETS
from attention_book.widgets.panel import (
    NARROW,
    Panel,
    Role,
    agree,
    check_ends,
    check_role,
    fixed,
)

ENTRY = 26, 46  # pixels of an entry, wide and narrow
HEAD, BELOW = (
    24,
    22,
)  # pixels of a name, and of the mean, the deviation or what they are


@dataclass(frozen=True)
class Vector:
    """One vector; make it with `vector`."""

    name: str
    values: Any
    limits: tuple[float, float]
    role: Role | None
    digits: int


class Vectors(Panel):
    """Vectors as columns of bars, over the mean and the standard deviation of each."""

    kind = "vectors"

    def axes(self) -> Mapping[str, str]:
        return {"v0": self.options["axis"]}

    def check(self, controls: Sequence[Control]) -> None:
        self.options["vectors"] = [dict(each) for each in self.options["vectors"]]
        for k, each in enumerate(self.options["vectors"]):
            field, name = self.fields[f"v{k}"], each["name"]
            if any(leaf.ndim != 1 for leaf in field.leaves.ravel()):
                raise ValueError(f"{name!r} must be a flat list of numbers")
            message = f"{name!r} has {{}} entries but the first vector has {{}}"
            agree(field, self.fields["v0"], controls, message)
            each["control"] = field.recipe.get("control")
            if each["control"] is not None:
                free = controls[each["control"]]
                assert isinstance(free, Free)
                if [free.low, free.high] != each["limits"]:
                    low, high = each["limits"]
                    raise ValueError(
                        f"{name!r} may be dragged from {free.low:g} to {free.high:g}, "
                        f"but its bars go from {low:g} to {high:g}"
                    )
        self._check_presets(controls)

    def _check_presets(self, controls: Sequence[Control]) -> None:
        if self.options["presets"] is None:
            return
        held = [each["control"] for each in self.options["vectors"]]
        first = next((k for k in held if k is not None), None)
        if first is None:
            raise ValueError("presets are for a free array, but no vector is one")
        places = {
            name: controls[first].place_of(each)
            for name, each in self.options["presets"].items()
        }
        for place in places.values():
            controls[first].check(place)
        self.options |= {"presets": places, "preset": first}

    def height(self, width: float) -> float:
        presets = PRESETS if self.options["presets"] else 0
        entry = ENTRY[width <= NARROW]
        below = 3 + (width <= NARROW)  # what line and band are takes two lines there
        return presets + HEAD + self.most("v0") * entry + below * BELOW

    def still(self, index: Sequence[Any]) -> list[str]:
        said = []
        for k, each in enumerate(self.options["vectors"]):
            values = self.fields[f"v{k}"].at(index)
            mean, sigma = self.fields[f"s{k}"].at(index)
            entries = ", ".join(fixed(value, each["digits"]) for value in values)
            said.append(
                f"{each['name']} = {entries}, with mean {fixed(mean, 2)} and standard "
                f"deviation {fixed(sigma, 2)}"
            )
        return ["; ".join(said) + "."]


def vector(
    name: str,
    values: Any,
    *,
    limits: tuple[float, float],
    role: Role | None = None,
    digits: int = 2,
) -> Vector:
    """Describe one vector of `vectors`.

    Parameters
    ----------
    name
        Stands above it.
    values
        Numbers, (D,). With ``control("x")`` of a free array the reader drags them.
    limits
        Ends of the bars, with 0 between them; of a free array those of its numbers.
    role
        "asks", "asked", "taken" or "out", for its colour.
    digits
        Decimals.
    """
    check_ends("limits", limits)
    if not limits[0] < 0 < limits[1]:
        raise ValueError(f"limits is {limits!r}: expected low < 0 < high")
    role = None if role is None else check_role(role)
    return Vector(name, values, limits, role, digits)


def vectors(
    columns: Sequence[Vector],
    *,
    label: str = "",
    axis: str = "feature",
    presets: Mapping[str, Any] | None = None,
) -> Panel:
    """Make vectors side by side, entry beside entry, a bar for each.

    Behind the bars of each lies its mean, a line, and its standard deviation, a band of
    one to each side of the mean; both stand below as numbers, and what line and band
    are.

    Parameters
    ----------
    columns
        Made by `vector`, all of one length; at most four.
    axis
        Name of the axis their entries lie along, to be highlighted together with other
        panels.
    presets
        Name -> numbers (D,) for the first vector that is a free array, a button for
        each.
    label
        As for `heat_map`.
    """
    if not 1 <= len(columns) <= 4:
        raise ValueError(f"columns has {len(columns)} vectors: expected 1 to 4")
    given: dict[str, tuple[str, Any]] = {}
    for k, each in enumerate(columns):
        given[f"v{k}"] = ("numbers", each.values)
        given[f"s{k}"] = ("numbers", computed("mean_spread", values=each.values))
    options = {
        "vectors": [
            {
                "name": each.name,
                "role": each.role,
                "limits": [float(limit) for limit in each.limits],
                "digits": each.digits,
            }
            for each in columns
        ],
        "axis": axis,
        "presets": presets,
    }
    return Vectors(given, options, label)
