"""`check_layer_norm`: each vector by itself."""

import numpy as np

from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.subjects.attention import numbers
from attention_book.reference import layer_norm

MEAN = "mu = x.mean(axis=-1, keepdims=True)"
VARIANCE = "variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)"
NORMED = "return gamma * (x - mu) / np.sqrt(variance + eps) + beta"


def centred(seen: Seen) -> str | None:
    """Without gamma and beta, each vector has mean 0 and spread 1."""
    x, gamma, beta = seen.inputs["x"], seen.inputs["gamma"], seen.inputs["beta"]
    plain = (seen.got["y"] - beta) / gamma
    means, spreads = plain.mean(axis=-1), plain.std(axis=-1)
    flat = x.std(axis=-1) < 1e-3
    if abs(means).max() > 1e-3:
        return f"with gamma and beta taken away, a vector has mean {means[abs(means).argmax()]:.2f}, expected 0."
    if flat.all() or abs(spreads[~flat] - 1).max() < 1e-2:
        return None
    return f"with gamma and beta taken away, a vector has spread {spreads[~flat][0]:.3f}, expected 1."


GAMMA, BETA = np.array([1.5, 0.5, -1.0, 2.0]), np.array([0.1, -0.2, 0.3, 0.0])

check_layer_norm = Check(
    name="layer_norm",
    reference=layer_norm,
    gives={"y": "N D"},
    task="Write `layer_norm(x, gamma, beta, eps)` for x of shape (N, D), with gamma and beta of shape (D,). For each "
    "vector: gamma * (x - mean) / sqrt(variance + eps) + beta, where the variance is the mean of the squares of x - "
    "mean (divide by D). x may have a batch axis in front. Return a new array.",
    cases=(
        Case("three vectors", {"x": numbers(0, 2, 3, 4), "gamma": GAMMA, "beta": BETA, "eps": 1e-5}),
        Case(
            "small numbers, where eps counts", {"x": numbers(1, 2, 3, 4) / 10, "gamma": GAMMA, "beta": BETA, "eps": 0.1}
        ),
        Case(
            "one large number",
            {"x": np.array([[[1.0, 0, 0, 0]], [[0, 0, 9.0, 0]]]), "gamma": GAMMA, "beta": BETA, "eps": 1e-5},
        ),
        Case("a vector of equal numbers", {"x": np.full((2, 1, 4), 3.0), "gamma": GAMMA, "beta": BETA, "eps": 1e-5}),
    ),
    mutants=(
        Mutant(
            "divided by D - 1",
            ((VARIANCE, "variance = ((x - mu) ** 2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)"),),
            "Your variance divides by D - 1. Layer norm divides by D: [1, 0, 0, 0] becomes 1.732 at its first place, "
            "not 1.5. (torch's var and std divide by D - 1 unless told otherwise: correction=0.)",
            seen="annotated-transformer 1, 13, 92",
        ),
        Mutant(
            "eps outside the root",
            ((NORMED, "return gamma * (x - mu) / (np.sqrt(variance) + eps) + beta"),),
            "You add eps to the root. It belongs under it: sqrt(variance + eps).",
            seen="annotated-transformer 1, 13, 92",
        ),
        Mutant(
            "both: D - 1, and eps outside the root",
            (
                (VARIANCE, "variance = ((x - mu) ** 2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)"),
                (NORMED, "return gamma * (x - mu) / (np.sqrt(variance) + eps) + beta"),
            ),
            "Two things at once: your variance divides by D - 1 instead of D, and eps is added to the root instead of "
            "under it.",
            seen="annotated-transformer 1, 13, 92",
        ),
        Mutant(
            "no eps",
            ((NORMED, "return gamma * (x - mu) / np.sqrt(variance) + beta"),),
            "eps is not used: a vector of equal numbers has variance 0, and 0 / 0 is NaN. Add eps under the root.",
        ),
        Mutant(
            "not divided by the spread",
            ((NORMED, "return gamma * (x - mu) + beta"),),
            "You subtract the mean but do not divide by the spread.",
        ),
        Mutant(
            "divided by the variance",
            ((NORMED, "return gamma * (x - mu) / (variance + eps) + beta"),),
            "You divide by the variance; divide by its root.",
        ),
        Mutant(
            "over the positions",
            (
                (MEAN, "mu = x.mean(axis=-2, keepdims=True)"),
                (VARIANCE, "variance = ((x - mu) ** 2).mean(axis=-2, keepdims=True)"),
            ),
            "Your mean and spread go over the positions. Then a vector depends on its neighbours; layer norm looks at "
            "one vector at a time: the last axis.",
        ),
        Mutant(
            "over everything",
            ((MEAN, "mu = x.mean()"), (VARIANCE, "variance = ((x - mu) ** 2).mean()")),
            "You take one mean and one spread over all numbers. Each vector needs its own: the last axis, kept.",
        ),
        Mutant(
            "gamma forgotten",
            ((NORMED, "return (x - mu) / np.sqrt(variance + eps) + beta"),),
            "gamma is not used: multiply by it after the division.",
        ),
        Mutant(
            "beta before gamma",
            ((NORMED, "return gamma * ((x - mu) / np.sqrt(variance + eps) + beta)"),),
            "You add beta before you multiply by gamma, so beta is scaled as well. First times gamma, then plus beta.",
        ),
        Mutant(
            "input overwritten",
            (
                (VARIANCE, "x -= mu\n    variance = (x**2).mean(axis=-1, keepdims=True)"),
                ("(x - mu) / np.sqrt(var", "x / np.sqrt(var"),
            ),
            "The result is right, but x -= ... writes into the caller's array, which the residual connection still "
            "needs. Make a new one.",
        ),
    ),
    laws=(centred,),
    batch=("x",),
    forms=("single", "batched"),
)
