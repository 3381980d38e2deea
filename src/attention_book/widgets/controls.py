"""A control is a named list of settings that the reader picks from, with a slider or a
menu.

The state of a widget is one position per control, so that Python, the page and a link
all say the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

LONGEST_SLUG = 24  # characters; longer values are written in a link by their position


@dataclass(frozen=True)
class Control:
    """One control of a widget; make it with `slider` or `select`."""

    kind: str
    name: str
    values: tuple[Any, ...]
    default: int
    play: bool = False

    @property
    def labels(self) -> list[str]:
        """What the reader sees for each value."""
        return [as_label(value) for value in self.values]

    @property
    def slugs(self) -> list[str]:
        """What a link says for each value: a short form of it, else its position."""
        slugs = [as_slug(label) for label in self.labels]
        short = all(0 < len(slug) <= LONGEST_SLUG for slug in slugs) and len(
            set(slugs)
        ) == len(slugs)
        return (
            slugs if short else [str(position) for position in range(1, len(slugs) + 1)]
        )

    def to_json(self) -> dict[str, Any]:
        """What the browser needs to draw this control."""
        numeric = all(is_number(value) for value in self.values)
        return {
            "kind": self.kind,
            "name": self.name,
            "labels": self.labels,
            "values": [float(value) for value in self.values] if numeric else None,
            "slug": as_slug(self.name),
            "slugs": self.slugs,
            "play": self.play,
        }


def slider(
    name: str, values: Sequence[Any], default: Any = None, *, play: bool = False
) -> Control:
    """Make a slider over the values, in their order.

    Parameters
    ----------
    name
        The label beside it, by which panels refer to it.
    values
        Numbers or texts, all different.
    default
        The value it opens with (the first when None).
    play
        Give it a button that steps through the values; for controls along which time
        runs.

    Raises
    ------
    ValueError
        If there are no values, two are alike, or the default is not one of them.
    """
    return _control("slider", name, values, default, play)


def select(name: str, values: Sequence[Any], default: Any = None) -> Control:
    """Make a menu of the values; parameters and errors as for `slider`."""
    return _control("select", name, values, default, False)


def _control(
    kind: str, name: str, values: Sequence[Any], default: Any, play: bool
) -> Control:
    if not isinstance(name, str) or not as_slug(name):
        raise ValueError(
            f"name is {name!r}: a control needs a name with a letter or a digit in it"
        )
    if isinstance(values, str):
        raise TypeError(
            f"values of {name!r} is the single text {values!r}: give a list of values"
        )
    values = tuple(
        value.item() if isinstance(value, np.generic) else value for value in values
    )
    if not values:
        raise ValueError(
            f"values of {name!r} is empty: a control needs at least one value"
        )
    labels = [as_label(value) for value in values]
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"values of {name!r} must differ, but the labels are {', '.join(labels)}"
        )
    if default is not None and default not in values:
        raise ValueError(
            f"default {default!r} is not among the values of {name!r}: "
            f"{', '.join(labels)}"
        )
    return Control(
        kind, name, values, 0 if default is None else values.index(default), play
    )


def is_number(value: Any) -> bool:
    """Say whether a value of a control is a number (and not True or False)."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_label(value: Any) -> str:
    """Write a value for the reader: numbers short, everything else as it is."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def as_slug(text: str) -> str:
    """Write a text as it may stand in a link: a-z, digits, dots, single hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def position_of(controls: Sequence[Control], name: str) -> int:
    """Find a control by its name.

    Raises
    ------
    ValueError
        If the widget has no such control.
    """
    names = [control.name for control in controls]
    if name not in names:
        raise ValueError(
            f"unknown control {name!r}: the widget has "
            f"{', '.join(map(repr, names)) or 'none'}"
        )
    return names.index(name)
