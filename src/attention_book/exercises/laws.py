"""Laws that results must keep: they speak where a mistake is none of the known.

Each function here makes a law, and a `Counted` is one: `not_negative("A")`, called with
an example, says what is broken in its result A, or gives None.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise, product
from operator import attrgetter
from typing import Any

import numpy as np

from attention_book.exercises.cases import Example, Law
from attention_book.exercises.results import same
from attention_book.exercises.wording import text_of


def maker(says: Callable[..., str | None]) -> Callable[..., Law]:
    """Turn what says(example, ...) into a function of (...) that makes a law."""

    @wraps(says)
    def make(*options: Any, **named: Any) -> Law:
        return lambda example: says(example, *options, **named)

    return make


@maker
def filled(example: Example, name: str) -> str | None:
    """Something was written to every row; to every column, if the others are right."""
    empty, due = example.got[name] == 0, example.expected[name] != 0
    front = tuple(range(empty.ndim - 1))
    rows = np.argwhere(empty.all(axis=-1) & due.any(axis=-1))
    alone = empty.all(axis=front) & due.any(axis=front)
    columns = np.flatnonzero(alone)
    others = (it[name][..., ~alone] for it in (example.got, example.expected))
    if not rows.size and not (columns.size and same(*others)):
        return None
    where = ", ".join(map(str, rows[0])) if rows.size else f"..., {columns[0]}"
    return (
        f"{name}[{where}] is zero throughout: was anything written there? Does your "
        f"loop get there, and write to the result itself ({name}[i] = ..., not "
        "row = ...)? Is the `return` behind it?"
    )


@maker
def not_negative(example: Example, name: str) -> str | None:
    """Weights are never negative."""
    low = float(np.min(example.got[name]))
    if low >= -1e-6:
        return None
    return f"{name} holds {low:.3f}. A weight is never negative: are these scores?"


@maker
def rows_sum_to_one(
    example: Example, name: str, *, over: str, instead: str = "the other axis"
) -> str | None:
    """Weights sum to 1 along the last axis.

    Parameters
    ----------
    name : name of the result
    over : what the last axis counts, such as "the inputs"
    instead : what the axis before it counts
    """
    A = np.asarray(example.got[name], dtype=float)
    sums = A.sum(axis=-1)
    if np.allclose(sums, 1, atol=1e-3):
        return None
    filled = [np.any(it.got[name], axis=-1) for it in (example, *example.among)]
    if A.ndim > 1 and all(f[:-1].all() and not f[-1].any() for f in filled):
        return (
            f"the last row of {name} is all 0: was it ever filled? Look at where your "
            "loop ends."
        )
    if A.ndim == 2 and len(A) > 1 and all(f[0] and not f[1:].any() for f in filled):
        return f"only the first row of {name} is filled. Is `return` inside the loop?"
    dead = [not f.all() for f in filled[1:]]
    if filled[0].any() and not filled[0].all() and 2 * sum(dead) > len(dead):
        where = ", ".join(map(str, np.argwhere(~filled[0])[0]))
        return (
            f"in most examples a row of {name} is all 0, here {name}[{where}]: does "
            "your loop get to every row and every input, or stop early?"
        )
    alive = np.atleast_1d(sums > 1e-3)  # something small may have been added
    if 0 < alive.mean() < 1 and np.allclose(sums[alive], 1, atol=1e-3):
        return (
            f"a row of {name} is all 0: exp of each of its scores vanished beside that "
            "of a larger one. Hide first, and then subtract the largest score that is "
            "left in the row."
        )
    if A.ndim > 1 and np.allclose(A.sum(axis=-2), 1, atol=1e-3):
        return (
            f"{name} sums to 1 over {instead}, each column. Softmax runs over {over}, "
            "the last axis (axis=-1, or dim=-1): each row hands out one whole."
        )
    if A.ndim > 1 and np.allclose(A.sum(axis=(-2, -1)), 1, atol=1e-3):
        return (
            f"all of {name} together sums to 1. Each row needs a sum of its own: over "
            "the last axis only, and keep that axis (keepdims=True) so that the "
            "division knows which row is which."
        )
    worst = float(sums.ravel()[np.abs(sums - 1).argmax()])
    square = A.ndim == 2 and A.shape == A.T.shape
    products = [a * a.T for a in (A, example.expected[name])] if square else []
    if square and (np.triu(products[1], 1) > 1e-3).any() and same(*products):
        return (
            f"a row of {name} sums to {worst:.3f}: you divide by the sums of other "
            "rows. Keep the axis that is summed (keepdims=True), so that each row is "
            "divided by its own."
        )
    return (
        f"a row of {name} sums to {worst:.3f}. Weights sum to 1 over {over}, after "
        "everything you do to them."
    )


@maker
def not_transposed(example: Example, name: str) -> str | None:
    """Weights of a square table do not lie the other way round."""
    got, due = example.got[name], example.expected[name]
    if same(got, due) or not same(got, due.swapaxes(-1, -2)):
        return None
    return (
        f"{name} is transposed: what its rows should hold stands in its columns. Row n "
        "says where n looks, and column m who looks at m."
    )


@maker
def hidden_gets_nothing(example: Example, name: str) -> str | None:
    """What is not visible gets weight 0."""
    leaked = np.abs(example.got[name] * ~example.inputs["visible"])
    if leaked.max() < 1e-6:
        return None
    place = np.unravel_index(leaked.argmax(), leaked.shape)
    where = ", ".join(map(str, place[-2:]))
    return (
        f"{name} gives {leaked.max():.3g} to an input that is not visible, at "
        f"[{where}]. Its score must be -inf when the softmax begins: do you hide it "
        "before, by the entry of `visible` for that very place?"
    )


def _is_on_the_hidden(example: Example, name: str) -> bool:
    """Whether all weight lies where nothing may be seen."""
    weights, visible = example.got[name], example.inputs["visible"]
    return bool(np.abs(weights * visible).max() < 1e-6 < 0.5 < np.abs(weights).max())


@maker
def not_the_wrong_way_round(example: Example, name: str) -> str | None:
    """Not all the weight lies where nothing may be seen."""
    examples = example.among or [example]
    turned = [_is_on_the_hidden(it, name) for it in examples]
    if not _is_on_the_hidden(example, name):
        return None
    if 2 * sum(turned) <= len(turned):  # a wrong condition shows in most examples
        return (
            f"all weight of {name} lies on what is hidden, because its scores lie far "
            "above the visible ones. You hide with a finite number, or its logarithm: "
            "only -inf is below every score."
        )
    return (
        f"all weight of {name} lies on what is hidden. `visible` is True where a query "
        "may look: turn your condition round."
    )


@maker
def visible_gets_something(example: Example, name: str) -> str | None:
    """Nothing visible is hidden: what is left of the row is right up to its sum."""
    got, due = example.got[name], example.expected[name]
    for place in np.argwhere((got == 0) & (due > 1e-3)).tolist():
        row = tuple(place[:-1])
        left = got[row] > 0
        shares = got[row][left] / due[row][left].clip(1e-30)
        if len(shares) > 1 and np.allclose(shares, shares[0], rtol=1e-2):
            break
    else:
        return None
    return (
        f"{name} is 0 at {place}, which may be looked at. Do you hide by another mask "
        "than `visible`, or by more than it?"
    )


@maker
def true_or_false(example: Example, name: str) -> str | None:
    """A mask is boolean: it holds no numbers 0 and 1."""
    got, due = example.got[name], example.expected[name]
    if got.dtype.kind == "b" or (got != due).any():
        return None
    return (
        f"{name} holds the numbers 0 and 1, where True and False are due: return the "
        "condition itself, or end with .astype(bool), in torch with .bool()."
    )


def laws_of_weights(
    name: str = "A", *, instead: str = "the queries"
) -> tuple[Law, ...]:
    """Give the laws that weights keep, where a mask `visible` is among the inputs."""
    return (
        not_the_wrong_way_round(name),
        not_negative(name),
        rows_sum_to_one(name, over="the inputs", instead=instead),
        hidden_gets_nothing(name),
        visible_gets_something(name),
    )


@maker
def scaled_by_the_root(
    example: Example, name: str = "A", width: str = "D_Q"
) -> str | None:
    """The scores behind the weights are not the right ones times a constant."""
    factor = _factor_of_the_scores(example, name)
    if factor == 0:
        return (
            f"{name} is equal for all visible inputs, though their scores differ. Do "
            "the scores reach your softmax?"
        )
    if factor is None or factor < 0.1 or abs(factor - 1) < 1e-2:
        return None
    of_all = [_factor_of_the_scores(it, name) for it in (example, *example.among)]
    known = [one for one in of_all if one is not None]
    if np.allclose(known, np.log(2), atol=1e-3):
        return "your powers have base 2. Those of softmax have base e, not 2: np.exp."
    mask = "your mask is right, and " * ("visible" in example.inputs)
    return (
        f"{mask}the scores behind {name} are {factor:.3g} times what they should be: "
        f"divide the dot products by sqrt({width}), the root of the width of a query."
    )


def _factor_of_the_scores(example: Example, name: str) -> float | None:
    """What the scores are multiplied by, if it is one number and no weight is lost."""
    seen = (example.got[name] > 1e-9) & (example.expected[name] > 1e-9)
    if not (seen == example.inputs.get("visible", True)).all():
        return None
    logs = (
        np.log(np.where(seen, it[name], 1)) for it in (example.got, example.expected)
    )
    got, due = (
        np.where(
            seen, log - log.sum(-1, keepdims=True) / seen.sum(-1, keepdims=True), 0
        )
        for log in logs
    )
    factor = (got * due).sum() / (due * due).sum()
    if np.abs(got).max() < 1e-5 < np.abs(due).max():
        return 0.0
    close = np.allclose(got, factor * due, rtol=0, atol=1e-3 * np.abs(got).max())
    return float(factor) if close else None


@maker
def ratios_are_exp(
    example: Example, name: str, scores: Callable[[Example], np.ndarray]
) -> str | None:
    """Two weights differ by the factor exp of the difference of their `scores`."""
    seen = (scores(example), example.got[name], example.inputs["visible"])
    for e, a, visible in zip(*map(np.atleast_2d, seen), strict=True):
        if np.ptp(e[visible]) > 0.1 and np.ptp(a[visible]) < 1e-3:
            return (
                f"{name} is equal for all visible inputs, though their scores are not. "
                "Do these reach your softmax, as they are (not clipped, not rounded)?"
            )
        for i, j in pairwise(np.flatnonzero(visible & (a > 1e-6))):
            due = np.exp(e[i] - e[j])
            if not np.isclose(a[i] / a[j], due, rtol=1e-2):
                return (
                    f"two visible inputs with the scores {e[i]:.3g} and {e[j]:.3g} get "
                    f"weights with the ratio {a[i] / a[j]:.3g}, expected {due:.3g}: "
                    "exp of the difference of the scores. Print what your softmax "
                    "gets: is it these scores?"
                )
    return None


@maker
def mixes_the_values(
    example: Example, V: str = "V", W_V: str = "", Y: str = "Y", A: str = "A"
) -> str | None:
    """Y is A times the values: the input V, or V times W_V."""
    inputs, got = example.inputs, example.got
    values = inputs[V] @ inputs[W_V] if W_V else inputs[V]
    if np.allclose(got[Y], got[A] @ values, rtol=1e-3, atol=1e-4):
        return None
    named = f"({V} {W_V})" if W_V else V
    return (
        f"{Y} is not {A} {named}: it is the sum of the values, weighted by what you "
        f"return as {A}, after mask and softmax."
    )


Readings = Sequence[tuple[Any, Mapping[str, Any]]]


@dataclass(frozen=True)
class Counted:
    """A law of a number, a sum of counts, a mean or a rate: name what is off in it.

    A reading is named only if it gives what came in every example: of small numbers, a
    single one may agree by chance.

    Attributes
    ----------
    name : str
        What is counted.
    readings : callable
        Called with the inputs by name; gives for each part of the sum what it is, and
        what other numbers people take for it, by what they are told. A part of 0 holds
        what is not to be counted.
    hint : str
        Said where no reading of the parts gives the reader's count; may hold names.
    part : str
        Which of several results, or of the keys of a dictionary, if it is not all.
    names : callable
        Makes what `readings` is called with, if not the inputs.

    Examples
    --------
    >>> def readings(N, D):
    ...     return [(N * D, {"You count one input only.": D})]
    >>> law = Counted("work", readings, hint="Count each product.")
    >>> law(Example({"N": 3, "D": 5}, {"work": 5}, {"work": 15}))
    'You count one input only.'
    """

    name: str
    readings: Callable[..., Readings]
    hint: str
    part: str = ""
    names: Callable[[Example], Mapping[str, Any]] = attrgetter("inputs")

    def __call__(self, example: Example) -> str | None:
        """Say what is off in the count, if anything is."""
        count = self.count(example.got)
        if same(count, self.count(example.expected)):
            return None
        among = example.among or [example]
        came = [self.count(it.got) for it in among]
        taken = [self.taken(it) for it in among]
        fewest_first = sorted(
            product(*taken[0]), key=lambda said: len(said) - said.count("")
        )
        for said in fewest_first:
            if len(said) - said.count("") > 2:
                break  # more mistakes explain any number
            sums = (sum(map(dict.get, parts, said)) for parts in taken)
            if all(map(same, came, sums)):
                return " ".join(dict.fromkeys(filter(None, said)))
        hint = self.hint.format(**self.names(example))
        return f"{self.name} is off: you get {text_of(count)}. {hint}"

    def count(self, result: Mapping[str, Any]) -> Any:
        """Take the number out of a result."""
        if not self.part or self.part in result:
            return result[self.part or next(iter(result))]
        (whole,) = result.values()
        return whole[self.part]

    def taken(self, example: Example) -> list[dict[str, Any]]:
        """Give for each part what it may be taken for, first ("") for what it is."""
        with np.errstate(all="ignore"):
            parts = self.readings(**self.names(example))
        return [{"": right, **others} for right, others in parts]
