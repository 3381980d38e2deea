"""Checks of one line: shapes, masks, ids, counts, choices. And the special ids, once.

Bad input is refused so by every function of the package: a ValueError (of another type,
a TypeError) names the argument, says what came and what was expected. A docstring has
`Raises` only where a refusal or its kind would surprise. Axes are written
as in our signatures: "N_X D_H" is two axes, "*axes N D" any number before the two, "3"
an axis of three, "3*D_H" one of three times D_H. A named axis is never empty. NumPy
arrays and tensors are checked alike; neither library is imported for it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from math import isfinite, prod
from typing import Any, ParamSpec

PAD, START, STOP = 0, 1, 2  # fills short rows, opens what is read, ends what is written
P = ParamSpec("P")
_checking = ContextVar("checking", default=True)  # each thread has its own


@contextmanager
def unchecked() -> Iterator[None]:
    """For a while, check nothing: a model is being traced, and has no numbers yet, or
    what its layers are given was checked before.
    """
    before = _checking.set(False)
    try:
        yield
    finally:
        _checking.reset(before)


def _check_of(check: Callable[P, None]) -> Callable[P, None]:
    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> None:
        if _checking.get():
            check(*args, **kwargs)

    return checked


@_check_of
def check_shapes(**arrays: tuple[Any, str]) -> None:
    """Check that arrays have their axes, and axes of one name one size.

    By the argument's name: `check_shapes(s=(s, "D_S"), h=(h, "N_X D_S"))`. An axis such
    as "3*D_H" comes after a "D_H".
    """
    _agree(tuple((name, tuple(x.shape), axes) for name, (x, axes) in arrays.items()))


_kept = lru_cache(maxsize=1024)  # the same shapes are asked for again and again


@_kept
def _agree(arrays: tuple[tuple[str, tuple[int, ...], str], ...]) -> None:
    sizes: dict[str, int] = {}
    first: dict[str, str] = {}  # where an axis was met first
    for name, shape, axes in arrays:
        if not _fits(shape, axes, tuple(sizes.items())):
            named = dict.fromkeys(axes.replace("*", " ").split())
            shared = [
                f", {each} as in {first[each]}" for each in named if each in first
            ]
            raise ValueError(_misfit(name, shape, axes, sizes) + "".join(shared))
        last = zip(reversed(axes.split()), reversed(shape), strict=False)
        new = {axis: size for axis, size in last if axis.isidentifier()}
        sizes, first = new | sizes, dict.fromkeys(new, name) | first


@_check_of
def check_shape(name: str, array: Any, axes: str, **sizes: int) -> None:
    """Check one array, of whose axes some sizes may be known."""
    _check(name, array, axes, sizes)


@_check_of
def check_mask(name: str, mask: Any, axes: str, **sizes: int) -> None:
    """Check a mask: boolean, of that shape, and True somewhere in every row."""
    _check(name, mask, axes, sizes, "bool")
    shown = mask.any(-1)
    if not shown.all():
        row = shown.reshape(-1).tolist().index(False)
        raise ValueError(
            f"{name} is False everywhere in row {row}: there is nothing to look at"
        )


@_check_of
def check_visible(visible: Any, shape: Sequence[int]) -> None:
    """Check what hides inputs from queries: boolean, True where a query may look, no
    row without a True, and it broadcasts to the scores, `shape` (..., N_Q, N_X).
    """
    pairs = zip(reversed(visible.shape), reversed(shape), strict=False)
    fits = all(have in (1, want) for have, want in pairs)
    wide = visible.shape and visible.shape[-1] == shape[-1]
    if not (fits and wide and len(visible.shape) <= len(shape)):
        raise ValueError(
            f"visible has shape {tuple(visible.shape)}, expected {tuple(shape)}, or "
            "what broadcasts to it"
        )
    check_mask("visible", visible, " ".join(map(str, visible.shape)))


@_check_of
def check_ids(name: str, ids: Any, axes: str, N_words: int, **sizes: int) -> None:
    """Check word ids: int64, of that shape, all of them of a vocabulary of N_words."""
    _check(name, ids, axes, sizes, "int64")
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= N_words:
        raise ValueError(
            f"{name} holds ids from {low} to {high}, expected 0 to {N_words - 1} (the "
            "vocabulary)"
        )


@_check_of
def check_floats(name: str, array: Any) -> None:
    """Raise ValueError unless an array is of floating-point numbers."""
    if "float" not in str(array.dtype):
        raise ValueError(f"{name} is of {array.dtype}, expected floats")


@_check_of
def check_finite(name: str, array: Any) -> None:
    """Raise ValueError if an array holds NaN or infinity."""
    if not (abs(array) < float("inf")).all():  # NaN is not below
        raise ValueError(f"{name} holds NaN or infinity, expected finite numbers")


@_check_of
def check_type(name: str, value: Any, kind: type) -> None:
    """Raise TypeError unless a value is of a type; True and False are no int."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        article = "an" if kind.__name__[0] in "aeiou" else "a"
        raise TypeError(
            f"{name} must be {article} {kind.__name__}, got {value!r:.80} of type "
            f"{type(value).__name__}"
        )


@_check_of
def check_count(name: str, value: Any, least: int = 1, most: int | None = None) -> None:
    """Raise TypeError unless it is an int, ValueError unless from `least` to `most`."""
    check_type(name, value, int)
    if value < least or (most is not None and value > most):
        wanted = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{name} is {value}, expected {wanted}")


@_check_of
def check_counts(**values: int) -> None:
    """Check several counts, such as widths: each an int, 1 at least."""
    for name, value in values.items():
        check_count(name, value)


@_check_of
def check_multiple(name: str, value: int, of: int) -> None:
    """Raise ValueError unless a count is a multiple of another."""
    if value % of:
        raise ValueError(f"{name} is {value}, expected a multiple of {of}")


@_check_of
def check_number(name: str, value: float, above: float) -> None:
    """Raise ValueError unless it is a finite number above `above`."""
    if not (isfinite(value) and value > above):
        raise ValueError(f"{name} is {value}, expected a finite number above {above:g}")


@_check_of
def check_share(name: str, value: float) -> None:
    """Raise ValueError unless it is a number from 0 to below 1."""
    if not 0 <= value < 1:
        raise ValueError(f"{name} is {value}, expected 0 to below 1")


@_check_of
def check_chance(name: str, value: float) -> None:
    """Raise ValueError unless it is a number from 0 to 1."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is {value}, expected 0 to 1")


@_check_of
def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raise ValueError unless `value` is one of those known."""
    if value not in known:
        given = ", ".join(known) or "none"
        raise ValueError(f"{name} is {value!r}, expected one of {given}")


@_check_of
def check_same(why: str, **values: Any) -> None:
    """Raise ValueError, saying why, unless all values are the same."""
    (first, one), *others = values.items()
    for name, other in others:
        if other != one:
            raise ValueError(f"{first} is {one} but {name} is {other}: {why}")


@_check_of
def check_several(name: str, things: Any) -> None:
    """Raise TypeError for a string instead of several things."""
    if isinstance(things, str):
        raise TypeError(
            f"{name} must be a sequence, got the string {things!r:.80}: split it first"
        )


@_check_of
def check_filled(name: str, things: Any, what: str) -> None:
    """Raise TypeError for a string instead of several things, ValueError for none."""
    check_several(name, things)
    if len(things) == 0:
        raise ValueError(f"{name} is empty, expected at least one {what}")


def _check(
    name: str, array: Any, axes: str, sizes: Mapping[str, int], kind: str = ""
) -> None:
    is_other = kind and not str(array.dtype).endswith(kind)
    if is_other or not _fits(tuple(array.shape), axes, tuple(sizes.items())):
        came = f"is {array.dtype} of" if kind else "has"
        raise ValueError(_misfit(name, array.shape, axes, sizes, came, kind))


def _misfit(
    name: str,
    shape: Sequence[int],
    axes: str,
    sizes: Mapping[str, int],
    came: str = "has",
    kind: str = "",
) -> str:
    expected = f"{kind} of " * bool(kind) + _expected(axes, sizes)
    empty = ", not empty" if 0 in shape else ""
    return f"{name} {came} shape {tuple(shape)}, expected {expected}{empty}"


@_kept
def _fits(
    shape: tuple[int, ...], axes: str, sizes: tuple[tuple[str, int], ...]
) -> bool:
    names = axes.split()
    if names and names[0].startswith("*"):  # any number of axes comes first
        names = names[1:]
        shape = shape[max(len(shape) - len(names), 0) :]
    if len(shape) != len(names):
        return False
    known = {**dict(zip(names, shape, strict=True)), **dict(sizes)}
    wanted = [_size(name, known) for name in names]
    return all(have == want >= 1 for have, want in zip(shape, wanted, strict=True))


def _size(name: str, sizes: Mapping[str, int]) -> int:
    """Look up the size of an axis: "D_H", "3" or "3*D_H"."""
    factors = name.split("*")
    if unknown := [each for each in factors if not (each.isdigit() or each in sizes)]:
        raise ValueError(
            f"axis {name!r} needs the size of {', '.join(unknown)}, expected an array "
            "before it that has such an axis"
        )
    return prod(int(each) if each.isdigit() else sizes[each] for each in factors)


def _expected(axes: str, sizes: Mapping[str, int]) -> str:
    """Write axes as a tuple, and what is known of their sizes as another."""
    names = ["..." if name.startswith("*") else name for name in axes.split()]
    known = [
        str(_size(name, sizes))
        if all(each.isdigit() or each in sizes for each in name.split("*"))
        else name
        for name in names
    ]
    comma = "," if len(names) == 1 else ""
    written, sized = (f"({', '.join(each)}{comma})" for each in (names, known))
    return written if written == sized else f"{written} = {sized}"
