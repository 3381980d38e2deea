"""`check_layer_norm`: each vector gets mean 0 and standard deviation 1, then scale and
shift.
`check_rms_norm`: size 1, then a scale.
"""

from collections.abc import Callable
from itertools import product

import numpy as np

from attention_book.chapters.norm_and_residuals.solutions import rms_norm
from attention_book.exercises.arrays import drawn, numbers, table
from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.laws import filled
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.results import same
from attention_book.reference import layer_norm


def rescaled(norm: Callable[..., np.ndarray], due: str) -> Law:
    """Say what scale and shift came, where these are all that is wrong."""

    def normalised(inputs):
        plain = {"gamma": np.ones_like(inputs["gamma"])}
        if "beta" in inputs:
            plain["beta"] = np.zeros_like(inputs["beta"])
        return norm(**inputs | plain)

    def law(example: Example) -> str | None:
        gamma = example.inputs["gamma"]
        beta = example.inputs.get("beta", np.zeros_like(gamma))
        z, y = (
            v.reshape(-1, len(gamma))
            for v in (normalised(example.inputs), example.got["y"])
        )
        fits = [np.polyfit(*column, 1) for column in zip(z.T, y.T, strict=True)]
        a, b = np.transpose(fits).round(3) + 0.0  # no -0
        off = np.abs(a - gamma) + np.abs(b - beta)
        d = off.argmax()
        if (
            off[d] < 1e-2
            or not a.any()
            or not all(
                np.allclose(it.got["y"], a * normalised(it.inputs) + b, atol=1e-2)
                for it in example.among
                if it.inputs["gamma"] is gamma
            )
        ):
            return None
        return (
            f"your vectors are normalised, but feature {d} is then scaled by {a[d]:g} "
            f"and shifted by {b[d]:g}; due is {due}, here {gamma[d]:g} and {beta[d]:g}."
        )

    return law


def taken_for_it(x, gamma, beta, eps):
    """Give other numbers than gamma * z + beta, by what their author is told."""
    one, nothing = np.ones_like(gamma), np.zeros_like(beta)
    z = layer_norm(x, one, nothing, eps)
    return {
        "gamma and beta are not used": z,
        "beta, the shift, is not added": gamma * z,
        "gamma, the scale, is not used": z + beta,
        "you exchange gamma, the scale, and beta, the shift": beta * z + gamma,
        "you add beta first, so that gamma scales it, too": gamma * (z + beta),
        "they point the other way: take x - mu, and not mu - x": gamma * -z + beta,
        "gamma comes before the norm": layer_norm(gamma * x, one, beta, eps),
        "gamma comes before the norm, and again after it": gamma
        * layer_norm(gamma * x, one, nothing, eps)
        + beta,
        "gamma comes before the division": _divided_late(x, gamma, eps, np.var) + beta,
        "gamma comes in between, before the squares are taken": _divided_late(
            x, gamma, eps, lambda v, **axis: (v**2).mean(**axis)
        )
        + beta,
        "gamma and beta come before the norm": layer_norm(
            gamma * x + beta, one, nothing, eps
        ),
    }


def _divided_late(x, gamma, eps, variance):
    """Take the mean away, multiply by gamma, and then divide by the size of that."""
    v = gamma * (x - x.mean(axis=-1, keepdims=True))
    return v / np.sqrt(variance(v, axis=-1, keepdims=True) + eps)


def scaled_and_shifted(example: Example) -> str | None:
    """Speak where the normalised vectors z are right, and scale or shift is not."""
    for off, y in taken_for_it(**example.inputs).items():
        if np.allclose(example.got["y"], y, atol=1e-4):
            return f"your vectors are normalised, but {off}. Due is gamma * z + beta."
    return None


def beta_for_equal_numbers(example: Example) -> str | None:
    """A vector of equal numbers becomes beta, and only that one is 0."""
    empty = ~example.got["y"].any(axis=-1)
    if not empty.any() or (np.ptp(example.inputs["x"], axis=-1)[empty] > 0).any():
        return None
    return (
        f"y{[*place_of(empty)]} is 0. Its x holds equal numbers, so z is 0 and y is "
        "beta. Add eps under the root, and no such vector needs a case of its own."
    )


def rows_untouched(example: Example) -> str | None:
    """Some vectors are those of x."""
    x, (y, due) = example.inputs["x"], (it["y"] for it in example[1:3])
    same_as_x, right = (np.isclose(v, x, atol=1e-4).all(axis=-1) for v in (y, due))
    if not (still := same_as_x & ~right).any():
        return None
    at = [*place_of(still)]
    return (
        f"y{at} is x{at} still. Does your loop get there, and write to the result "
        "itself (y[i] = ..., not row = ...)?"
    )


def untouched(example: Example) -> str | None:
    """Some features are those of x, and all others right."""
    x, (y, due) = example.inputs["x"], (it["y"] for it in example[1:3])
    off = ~np.isclose(y, due, 1e-4, 1e-6).all(axis=tuple(range(y.ndim - 1)))
    if off.all() or not off.any() or not np.allclose(y[..., off], x[..., off]):
        return None
    return f"y[..., {off.argmax()}] is that of x still. Does your loop end before it?"


AXES = (-1, -2, 1, 0, None)


def along(mean, square, of, x, gamma, eps, beta=None):
    """Normalise with means along other axes; squares are of x - its mean along `of`."""
    z = v = x
    if beta is not None:
        z, v = (x - x.mean(axis, keepdims=True) for axis in (mean, of))
    y = gamma * z / np.sqrt((v**2).mean(square, keepdims=True) + eps)
    return y if beta is None else y + beta


def over_other_axes(example: Example) -> str | None:
    """Means run along other axes, and nothing else is wrong."""
    every = (example, *example.among)
    for mean, square in product(AXES, AXES):
        for of in (mean, square):
            due = (along(mean, square, of, **it.inputs) for it in every)
            if all(same(it.got["y"], y) for it, y in zip(every, due, strict=True)):
                its = f"mean is over axis={mean}, your variance"
                if "beta" not in example.inputs:
                    its = "mean square is"
                return (
                    f"your {its} over axis={square}. Due is axis=-1: the "
                    "features of one word, and of no other."
                )
    return None


def place_of(sizes: np.ndarray) -> tuple[int, ...]:
    """Where the largest is."""
    return tuple(map(int, np.unravel_index(sizes.argmax(), sizes.shape)))


def mean_0_and_deviation_1(example: Example) -> str | None:
    """Before scale and shift, the mean square is variance / (variance + eps)."""
    x, gamma, beta, eps = example.inputs.values()
    z = (example.got["y"] - beta) / gamma
    mean = z.mean(axis=-1)
    at = place_of(np.abs(mean))
    if abs(mean[at]) > 1e-3:
        return (
            f"before gamma and beta y{[*at]} has mean {mean[at]:.3f}, expected 0. "
            "(RMSNorm leaves it.) Subtract from each its own, over axis=-1, with "
            "keepdims=True."
        )
    square, variance = (z**2).mean(axis=-1), x.var(axis=-1)
    due = variance / (variance + eps)
    if np.allclose(square, due, atol=1e-3):
        return None
    at = place_of(np.abs(square - due))
    return (
        f"before gamma and beta y{[*at]} has mean square {square[at]:.3f}, "
        f"expected {due[at]:.3f}. Divide by the root of variance + eps, {eps:g}; "
        "the variance is the mean (1/D) of the squared distances from the mean."
    )


X = numbers(0, 2, 3, 4, scale=3)
FEW = table("2 5 3 2; 0.25 0.25 0.25 0.25; 0.02 0.01 0.03 0.01")
GAMMA, BETA = table("0.5 2.0 -1.0 1.5; 0.3 -0.2 1.0 0.6")
GIVEN = {"gamma": GAMMA, "beta": BETA, "eps": 1e-5}
OTHER = drawn(4, x=(2, 3, 4), gamma=(4,), beta=(4,))
WIDER = drawn(7, x=(3, 2, 6), gamma=(6,), beta=(6,))

check_layer_norm = Check(
    name="layer_norm",
    reference=layer_norm,
    gives={"y": "B N_X D"},
    task="Write `layer_norm(x, gamma, beta, eps)`: each vector of x (..., D), over its "
    "last axis, minus its mean, by the root of its variance (with 1/D) + eps; times "
    "gamma, plus beta, both (D,). x itself stays as it is.",
    cases=(
        Case("two sentences of three words", x=X, **GIVEN),
        Case(
            "three words without a batch, one of them of equal numbers", x=FEW, **GIVEN
        ),
        Case("a larger eps", x=X, **GIVEN | {"eps": 0.5}),
        Case("other numbers", OTHER, eps=1e-5),
        Case("more features", WIDER, eps=1e-5),
    ),
    mutants=read_mistakes(__file__)["layer_norm"],
    laws=(
        over_other_axes,
        beta_for_equal_numbers,
        rows_untouched,
        untouched,
        filled("y"),
        scaled_and_shifted,
        rescaled(layer_norm, "gamma * z + beta"),
        mean_0_and_deviation_1,
    ),
)


def size_1(example: Example) -> str | None:
    """Before the scale, the mean square is that of x / (that of x + eps)."""
    x, gamma, eps = example.inputs.values()
    z, was = example.got["y"] / gamma, (x**2).mean(axis=-1)
    square, due = (z**2).mean(axis=-1), was / (was + eps)
    at = place_of(np.abs(square - due))
    if abs(square[at] - due[at]) < 1e-3:
        return None
    return (
        f"before gamma y{[*at]} has mean square {square[at]:.3f}, expected "
        f"{due[at]:.3f}. Divide each by the root of its own mean square + eps, "
        f"{eps:g}."
    )


check_rms_norm = Check(
    name="rms_norm",
    reference=rms_norm,
    gives={"y": "B N_X D"},
    task="Write `rms_norm(x, gamma, eps)`: each vector of x (..., D), over its last "
    "axis, by the root of its mean square + eps; times gamma (D,). x itself stays as "
    "it is.",
    cases=(
        Case("two sentences of three words", x=X + 1, gamma=GAMMA, eps=1e-5),
        Case(
            "three words without a batch, one of them of zeros",
            x=FEW * [[1], [0], [1]],
            gamma=GAMMA,
            eps=1e-5,
        ),
        Case("a larger eps", x=X + 1, gamma=GAMMA, eps=0.5),
        Case("other numbers", x=OTHER["x"], gamma=OTHER["gamma"], eps=1e-5),
        Case("more features", x=WIDER["x"], gamma=WIDER["gamma"], eps=1e-5),
    ),
    mutants=read_mistakes(__file__)["rms_norm"],
    laws=(
        over_other_axes,
        rows_untouched,
        untouched,
        filled("y"),
        rescaled(rms_norm, "gamma * z, and nothing added"),
        size_1,
    ),
)
