"""`check_layer_norm`: every vector by itself gets mean 0 and spread 1, then a scale and
a shift."""

import numpy as np

from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import layer_norm


def scaled_and_shifted(example: Example) -> str | None:
    """Speak where the normalised vectors are right, and scale or shift is not."""
    x, gamma, beta, eps = example.inputs.values()
    z = layer_norm(x, 0 * gamma + 1, 0 * beta, eps).reshape(-1, len(gamma))
    y = np.reshape(example.got["y"], z.shape)
    if len(z) < 3:  # there is a line through any two points
        return None
    fits = [np.polyfit(z_j, y_j, 1) for z_j, y_j in zip(z.T, y.T, strict=True)]
    scale, shift = np.round(fits, 2).T + 0.0
    off = (np.abs([scale - gamma, shift - beta]) > 0.01).any(axis=0)
    if not off.any() or not np.allclose(scale * z + shift, y, atol=0.02):
        return None
    j = int(off.argmax())
    return (
        f"feature {j} is normalised, and then you multiply it by {scale[j]:.2f} and "
        f"add {shift[j]:.2f}. Multiply by gamma[{j}] = {gamma[j]:.2f}, the scale, and "
        f"then add beta[{j}] = {beta[j]:.2f}, the shift."
    )


def mean_is_zero(example: Example) -> str | None:
    """Before scale and shift, every vector has mean 0."""
    means = before_scale_and_shift(example).mean(axis=-1).ravel()
    worst = means[np.abs(means).argmax()]
    if abs(worst) < 1e-3:
        return None
    return (
        "take beta off your y and divide by gamma: the mean over the features of a "
        f"vector is {worst:.3f}, expected 0. Subtract from each vector its own mean, "
        "over the last axis (axis=-1, keepdims=True); gamma and beta come last."
    )


def spread_is_one(example: Example) -> str | None:
    """Before scale and shift, the mean square is variance / (variance + eps)."""
    got = (before_scale_and_shift(example) ** 2).mean(axis=-1).ravel()
    variance = example.inputs["x"].var(axis=-1).ravel()
    due = variance / (variance + example.inputs["eps"])
    if np.allclose(got, due, atol=1e-3, rtol=1e-3):
        return None
    at = np.abs(got - due).argmax()
    return (
        "take beta off your y and divide by gamma: the mean square of a vector is "
        f"{got[at]:.3f}, expected {due[at]:.3f} = variance / (variance + eps). Divide "
        "by the root of variance + eps, with a variance that is the mean (1/D) of the "
        "squared distances from the mean."
    )


def before_scale_and_shift(example: Example) -> np.ndarray:
    return (example.got["y"] - example.inputs["beta"]) / example.inputs["gamma"]


X = table(
    "0.4 -1.2 2.0 0.8; 1.5 0.2 -0.7 0.1; -2.0 0.6 0.3 2.5 /"
    "3.1 -0.4 1.2 0.9; -1.1 -1.4 0.5 0.2; 0.7 2.4 -0.8 5.0"
)
LEARNED = {"gamma": table("0.5 2.0 -1.0 1.5"), "beta": table("0.3 -0.2 1.0 0.6")}

check_layer_norm = Check(
    name="layer_norm",
    reference=layer_norm,
    gives={"y": "B N_X D"},
    task="Write `layer_norm(x, gamma, beta, eps)`: `x` has shape (..., D), such as "
    "(N_X, D) or (B, N_X, D), `gamma` and `beta` have shape (D,). Normalise each "
    "vector over its features, the last axis: subtract the mean, divide by the root of "
    "variance + eps, where the variance is the mean (1/D) of the squared distances "
    "from the mean. Then multiply by gamma and add beta. The result has the shape of "
    "x, and x itself stays as it is.",
    cases=(
        Case("two sentences of three words", x=X, **LEARNED, eps=1e-5),
        Case(
            "words without a batch axis",
            x=table("2 5 3 2; -4 -7 -4.5 -5"),
            **LEARNED,
            eps=1e-5,
        ),
        Case(
            "a vector of equal numbers, and one that hardly varies",
            x=table("3 3 3 3; 0.02 0.01 0.03 0.01"),
            **LEARNED,
            eps=1e-5,
        ),
        Case("a larger eps", x=X[:, :2, ::-1].copy(), **LEARNED, eps=0.5),
    ),
    mutants=read_mistakes(__file__)["layer_norm"],
    laws=(scaled_and_shifted, mean_is_zero, spread_is_one),
)
