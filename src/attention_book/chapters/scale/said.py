"""Numbers of any size, as a sentence says them."""

from collections.abc import Mapping
from math import floor, log10

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def rounded(x: float, units: Mapping[str, float]) -> str:
    """Write a number with three digits that count, in the largest unit that fits."""
    about = float(f"{x:.2e}")
    fits = {name: unit for name, unit in units.items() if about >= unit}
    name = next(iter(fits), [*units][-1])
    x = float(f"{x / units[name]:.2e}")
    return f"{x:,.{max(0, 2 - floor(log10(x)))}f}{name}"


def power(x: float) -> str:
    """Write a number such as 3.14 · 10²³."""
    digits, exponent = f"{x:.2e}".split("e")
    return f"{digits} · 10{f'{int(exponent)}'.translate(RAISED)}"
