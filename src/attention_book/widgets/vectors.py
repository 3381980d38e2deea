"""The panel of vectors side by side, some of which the reader drags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from attention_book.widgets.fields import computed
from attention_book.widgets.grids import PRESETS
from attention_book.widgets.panel import (
    NARROW,
    Panel,
    Role,
    check_ends,
    check_role,
    fixed,
    holding,
)

ENTRY = 26, 46  # pixels of an entry, wide and narrow
HEAD, BELOW = 24, 22  # pixels of a name; of the mean, the deviation or what they are


@dataclass
class Vector:
    """One vector of `vectors`.

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

    name: str
    values: Any
    _: KW_ONLY
    limits: Sequence[float]
    role: Role | None = None
    digits: int = 2

    def __post_init__(self) -> None:
        given, self.limits = self.limits, check_ends("limits", self.limits)
        if not self.limits[0] < 0 < self.limits[1]:
            raise ValueError(f"limits is {given!r}: expected low < 0 < high")
        check_role(self.role)


vector = Vector


class Vectors(Panel):
    """Vectors as columns of bars, over the mean and the standard deviation of each."""

    kind = "vectors"
    holds = holding(numbers="v s")
    along = ("v0",)

    def check(self) -> None:
        columns = self.options["vectors"] = [dict(x) for x in self.options["vectors"]]
        for k, each in enumerate(columns):
            name = repr(each["name"])
            self.check_flat(f"v{k}", name)
            message = f"{name} has {{}} entries but the first vector has {{}}"
            self.agree(f"v{k}", "v0", message)
            held = each["control"] = self.fields[f"v{k}"].recipe.get("control")
            if held is not None:
                free, (low, high) = self.controls[held], each["limits"]
                if (free.low, free.high) != (low, high):
                    raise ValueError(
                        f"{name} may be dragged from {free.low:g} to {free.high:g}, "
                        f"but its bars go from {low:g} to {high:g}"
                    )
        if self.options["presets"] is not None:
            held = [x["control"] for x in columns if x["control"] is not None]
            if not held:
                raise ValueError("presets are for a free array, but no vector is one")
            self.read_presets(self.controls[held[0]])
            self.options["preset"] = held[0]

    def height(self, width: float) -> float:
        presets = PRESETS if self.options["presets"] else 0
        entry = ENTRY[width <= NARROW]
        below = 3 + (width <= NARROW)  # what line and band are takes two lines there
        return presets + HEAD + self.most("v0") * entry + below * BELOW

    def static_text(self, index: Sequence[Any]) -> list[str]:
        said = []
        for k, each in enumerate(self.options["vectors"]):
            values, (mean, sigma) = self.at(index, f"v{k}", f"s{k}")
            entries = ", ".join(fixed(value, each["digits"]) for value in values)
            said.append(
                f"{each['name']} = {entries}, with mean {fixed(mean, 2)} and standard "
                f"deviation {fixed(sigma, 2)}"
            )
        return ["; ".join(said) + "."]


def vectors(
    columns: Sequence[Vector],
    *,
    label: str = "",
    presets: Mapping[str, Any] | None = None,
) -> Panel:
    """Make one to four vectors of one length side by side, a bar for each entry.

    Behind the bars of each, made by `vector`, lies its mean, a line, and its standard
    deviation, a band of one to each side of the mean; both stand below as numbers, and
    what line and band are. `presets` is name -> numbers (D,) for the first vector that
    is a free array, a button for each.
    """
    if not 1 <= len(columns) <= 4:
        raise ValueError(f"columns has {len(columns)} vectors: expected 1 to 4")
    given: dict[str, Any] = {}
    for k, each in enumerate(columns):
        spread = computed("mean_spread", values=each.values)
        given |= {f"v{k}": each.values, f"s{k}": spread}
    told = [{k: x for k, x in vars(each).items() if k != "values"} for each in columns]
    options = {"vectors": told, "axis": "feature", "presets": presets}
    return Vectors(given, options, label)
