"""`check_layer_norm`: every vector by itself gets mean 0 and spread 1, then a scale and a shift."""

import numpy as np

from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import layer_norm

MEAN = "mu = x.mean(axis=-1, keepdims=True)"
VARIANCE = "variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)"
ROOT = "np.sqrt(variance + eps)"
Z = f"z = (x - mu) / {ROOT}"
RESULT = "return gamma * z + beta"


def over(axis: str) -> tuple[tuple[str, str], ...]:
    """Change the axis of both statistics."""
    return tuple(
        (text, text.replace("axis=-1", f"axis={axis}")) for text in (MEAN, VARIANCE)
    )


def z_of(example: Example) -> np.ndarray | None:
    """Undo scale and shift; None where a scale is 0."""
    gamma = example.inputs["gamma"]
    return None if (gamma == 0).any() else (example.got["y"] - example.inputs["beta"]) / gamma


def mean_is_zero(example: Example) -> str | None:
    """Before scale and shift, every vector has mean 0."""
    z = z_of(example)
    if z is None or np.allclose(z.mean(axis=-1), 0, atol=1e-3):
        return None
    worst = float(z.mean(axis=-1).ravel()[np.abs(z.mean(axis=-1)).argmax()])
    return (
        "take beta off your y and divide by gamma: the mean over the features of a "
        f"vector is {worst:.3f}, expected 0. Subtract the mean of each vector from it; "
        "gamma and beta come last."
    )


def spread_is_one(example: Example) -> str | None:
    """Before scale and shift, the mean square of every vector is variance / (variance + eps)."""
    z = z_of(example)
    if z is None:
        return None
    variance = example.inputs["x"].var(axis=-1)
    got, due = (z**2).mean(axis=-1), variance / (variance + example.inputs["eps"])
    if np.allclose(got, due, atol=1e-3, rtol=1e-3):
        return None
    at = np.abs(got - due).argmax()
    return (
        "take beta off your y and divide by gamma: the mean square of a vector is "
        f"{got.ravel()[at]:.3f}, expected {due.ravel()[at]:.3f} = variance / (variance "
        "+ eps). Divide by the root of variance + eps, with a variance that is the "
        "mean (1/D) of the squared distances from the mean."
    )


GAMMA, BETA = np.array([0.5, 2.0, -1.0, 1.5]), np.array([0.3, -0.2, 1.0, 0.6])
X = np.array(
    [
        [[0.4, -1.2, 2.0, 0.8], [1.5, 0.2, -0.7, 0.1], [-2.0, 0.6, 0.3, 2.5]],
        [[3.1, -0.4, 1.2, 0.9], [-1.1, -1.4, 0.5, 0.2], [0.7, 2.4, -0.8, 5.0]],
    ]
)
LEARNED = {"gamma": GAMMA, "beta": BETA}

check_layer_norm = Check(
    name="layer_norm",
    reference=layer_norm,
    gives={"y": "B N_X D"},
    task="Write `layer_norm(x, gamma, beta, eps)`: `x` has shape (..., D), such as (N_X, D) or (B, N_X, D), `gamma` "
    "and `beta` have shape (D,). Normalise each vector over its features, the last "
    "axis: subtract the mean, divide by the root of variance + eps, where the "
    "variance is the mean (1/D) of the squared distances from the mean. Then multiply "
    "by gamma and add beta. The result has the shape of x, and x itself stays as it "
    "is.",
    cases=(
        Case("two sentences of three words", {"x": X, **LEARNED, "eps": 1e-5}),
        Case(
            "words without a batch axis",
            {
                "x": np.array([[2.0, 5.0, 3.0, 2.0], [-4.0, -7.0, -4.5, -5.0]]),
                **LEARNED,
                "eps": 1e-5,
            },
        ),
        Case(
            "a vector of equal numbers, and one that hardly varies",
            {
                "x": np.array([[3.0, 3.0, 3.0, 3.0], [0.02, 0.01, 0.03, 0.01]]),
                **LEARNED,
                "eps": 1e-5,
            },
        ),
        Case("a larger eps", {"x": X[:, :2, ::-1].copy(), **LEARNED, "eps": 0.5}),
    ),
    mutants=(
        Mutant(
            "variance with 1/(D-1)",
            (
                (
                    VARIANCE,
                    VARIANCE.replace("mean(axis=-1, ", "sum(axis=-1, ").replace(
                        "True)", "True) / (x.shape[-1] - 1)"
                    ),
                ),
            ),
            "You divide the sum of squares by D - 1, as torch's std and var do unless "
            "told otherwise. Here it is a plain mean, with 1/D: x.var(-1, "
            "unbiased=False), or NumPy's x.var(axis=-1).",
            seen="annotated-transformer 122; allennlp 953",
        ),
        Mutant(
            "1/(D-1), and eps outside the root",
            (
                (
                    VARIANCE,
                    VARIANCE.replace("mean(axis=-1, ", "sum(axis=-1, ").replace(
                        "True)", "True) / (x.shape[-1] - 1)"
                    ),
                ),
                (ROOT, "(np.sqrt(variance) + eps)"),
            ),
            "You divide by x.std(-1) + eps, as a well-known tutorial does. Two things "
            "differ from layer normalisation: torch's std divides by D - 1, and not "
            "by D; and eps belongs inside the root, added to the variance.",
            seen="BERT-pytorch 30, hyunwoongko/transformer 7",
        ),
        Mutant(
            "no 1/D",
            ((VARIANCE, VARIANCE.replace("mean(axis=-1, ", "sum(axis=-1, ")),),
            "Your variance is a sum and no mean, so that everything is too small by "
            "the root of D. Some slides leave 1/D out; divide by the number of "
            "features.",
            seen="slides of a lecture",
        ),
        Mutant(
            "eps outside the root",
            ((ROOT, "(np.sqrt(variance) + eps)"),),
            "You add eps to the standard deviation. It belongs under the root, added "
            "to the variance: for a vector that hardly varies this makes a difference.",
            seen="BERT-pytorch 30",
        ),
        Mutant(
            "no eps",
            ((ROOT, "np.sqrt(variance)"),),
            "A vector of equal numbers has variance 0, and yours divides 0 by 0: NaN, "
            "which spreads from there. Add eps to the variance, under the root.",
        ),
        Mutant(
            "eps always 1e-5",
            ((ROOT, "np.sqrt(variance + 1e-5)"),),
            "You use an eps of your own. It is an argument: use the one you are given.",
        ),
        Mutant(
            "not the root of the variance",
            ((ROOT, "(variance + eps)"),),
            "You divide by the variance. Divide by its root, the standard deviation, "
            "so that the spread becomes 1.",
        ),
        Mutant(
            "mean not subtracted",
            ((Z, Z.replace("(x - mu)", "x")),),
            "You divide, but do not subtract the mean: subtract the mean of each "
            "vector first.",
        ),
        Mutant(
            "root mean square in place of the standard deviation",
            ((Z, "z = x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)"),),
            "Your code subtracts nothing: that is RMSNorm, which newer models use. "
            "Layer normalisation takes the mean off, both from the vector and inside "
            "the variance.",
            seen="another layer",
        ),
        Mutant(
            "mean not subtracted inside the variance",
            ((VARIANCE, VARIANCE.replace("(x - mu)", "x")),),
            "Your variance is the mean of the squares of x. It is the mean of the "
            "squared distances from the mean.",
        ),
        Mutant(
            "over the positions",
            over("-2"),
            "Your mean and variance run over the words of a sentence, for each "
            "feature. They run over the features of one word, the last axis: no word "
            "may know of another.",
            seen="attention-is-all-you-need-pytorch 17",
        ),
        Mutant(
            "axis counted from the front",
            over("1"),
            "You normalise over axis 1. With (N_X, D) that is the features, but with "
            "a batch axis in front it is the words. Count from the end: axis -1.",
        ),
        Mutant(
            "over the first axis",
            over("0"),
            "You normalise over the first axis: over the sentences of a batch, or "
            "over words. Mean and variance belong to one vector: the last axis.",
        ),
        Mutant(
            "batch normalisation",
            over("tuple(range(x.ndim - 1))"),
            "You normalise each feature over all words of the batch: that is batch "
            "normalisation. A word would depend on what else is in the batch. Layer "
            "normalisation runs over the features of each word.",
            seen="Kyubyong/transformer 40",
        ),
        Mutant(
            "over a whole sentence",
            over("(-2, -1)"),
            "One mean and one variance for all words of a sentence, as F.layer_norm "
            "gives with x.shape[1:]. (Or do you loop over the first axis, and forget "
            "that words may stand in a batch?) Each vector has its own: the last axis "
            "only.",
            seen="minGPT 113",
        ),
        Mutant(
            "over everything",
            over("None"),
            "One mean and one variance for the whole array, as x.mean() gives without "
            "an axis. Each vector has its own: the last axis, with keepdims=True so "
            "that it can be subtracted.",
        ),
        Mutant(
            "gamma and beta exchanged",
            ((RESULT, "return beta * z + gamma"),),
            "You multiply by beta and add gamma. gamma is the scale, beta the shift.",
        ),
        Mutant(
            "gamma forgotten",
            ((RESULT, "return z + beta"),),
            "You do not multiply by gamma, the scale that each feature has learned.",
        ),
        Mutant(
            "beta forgotten",
            ((RESULT, "return gamma * z"),),
            "You do not add beta, the shift that each feature has learned.",
        ),
        Mutant(
            "gamma and beta forgotten",
            ((RESULT, "return z"),),
            "Your vectors have mean 0 and spread 1, but gamma and beta are not used: "
            "gamma times that, plus beta.",
        ),
        Mutant(
            "beta added before gamma",
            ((RESULT, "return gamma * (z + beta)"),),
            "You add beta first and multiply it by gamma as well. Multiply first, "
            "then add.",
        ),
        Mutant(
            "x overwritten",
            ((Z, f"{Z}\n    x -= mu"),),
            "The result is right, but x is changed on the way (x -= ..., or a method "
            "whose name ends in _). Here that ruins the residual connection, which "
            "still needs x: make a new array.",
        ),
    ),
    laws=(mean_is_zero, spread_is_one),
)
