"""The functions a widget may compute in the browser, in NumPy: the twins of
`js/math.mjs`.

Python evaluates them to check shapes and to write the still picture; a test holds the
two languages to 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float


def softmax(
    scores: Float[np.ndarray, "*rows N_X"], temperature: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, "*rows N_X"]:
    """Softmax over the last axis of scores / temperature."""
    scaled = scores / temperature
    exponentials = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def masked_softmax(
    scores: Float[np.ndarray, "*rows N_Q N_X"], visible: Float[np.ndarray, "N_Q N_X"]
) -> Float[np.ndarray, "*rows N_Q N_X"]:
    """Softmax over what a query may look at; NaN all along a row that may look nowhere.

    Hidden inputs, those where `visible` is 0, weigh exactly 0. The panels leave a row
    of NaN blank and say why.
    """
    with np.errstate(invalid="ignore"):
        return softmax(np.where(visible, scores, -np.inf), 1.0)


def attention_weights(
    Q: Float[np.ndarray, "N_Q D_Q"], K: Float[np.ndarray, "N_X D_Q"]
) -> Float[np.ndarray, "N_Q N_X"]:
    """Weights of scaled dot-product attention: softmax(Q K^T / sqrt(D_Q))."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]), 1.0)


def attention(
    Q: Float[np.ndarray, "N_Q D_Q"],
    K: Float[np.ndarray, "N_X D_Q"],
    V: Float[np.ndarray, "N_X D_V"],
) -> Float[np.ndarray, "N_Q D_V"]:
    """Outputs of scaled dot-product attention."""
    return attention_weights(Q, K) @ V


def last_row(
    rows: Float[np.ndarray, "N D"], count: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, D]:
    """Row `count`, counted from 1; what is past the end stays at the last row."""
    return first_rows(rows, count)[-1]


def first_rows(
    rows: Float[np.ndarray, "N D"], count: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, "N_first D"]:
    """All rows up to number `count`, or all there are."""
    return rows[: int(count)]


def with_average(
    weights: Float[np.ndarray, N], rows: Float[np.ndarray, "N D"]
) -> Float[np.ndarray, "N_and_1 D"]:
    """All rows, then their average with these weights: h_1 ... h_N and c_t."""
    return np.concatenate([rows, (weights @ rows)[None]])


def positional_encoding(
    N: float | Float[np.ndarray, ""],
    D: float | Float[np.ndarray, ""],
    base: float | Float[np.ndarray, ""],
) -> Float[np.ndarray, "N D"]:
    """Sines and cosines of positions 0 ... N - 1, a pair for each of D / 2 frequencies.

    The lowest frequency is nearly 1 / base [vaswani2017attention].
    """
    k = np.arange(int(D))
    angle = np.arange(int(N))[:, None] / base ** ((k - k % 2) / D)
    return np.where(k % 2, np.cos(angle), np.sin(angle))


def row_cosines(
    rows: Float[np.ndarray, "N D"], at: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, N]:
    """Cosine of row `at`, counted from 0, with every row."""
    lengths = np.linalg.norm(rows, axis=1)
    return rows @ rows[int(at)] / lengths / lengths[int(at)]


def transposed(rows: Float[np.ndarray, "N D"]) -> Float[np.ndarray, "D N"]:
    """Turn rows into columns."""
    return rows.T


def product(
    A: Float[np.ndarray, "N D"], B: Float[np.ndarray, "D M"]
) -> Float[np.ndarray, "N M"]:
    """Matrix product."""
    return A @ B


def added(
    A: Float[np.ndarray, "N D"], B: Float[np.ndarray, "N D"]
) -> Float[np.ndarray, "N D"]:
    """Sum, entry by entry."""
    return A + B


def ordered(
    rows: Float[np.ndarray, "N D"], order: Float[np.ndarray, N]
) -> Float[np.ndarray, "N D"]:
    """Rows in another order: row i of what comes out is row order[i]."""
    return rows[order.astype(int)]


def either(
    second: float | Float[np.ndarray, ""],
    A: Float[np.ndarray, "*a"],
    B: Float[np.ndarray, "*b"],
) -> np.ndarray:
    """Return A, or B where `second` is not 0; they may differ in shape."""
    return B if second else A


def apart(A: Float[np.ndarray, "N D"], B: Float[np.ndarray, "N D"]) -> np.ndarray:
    """Norms of A - B and of mean A - mean B, (2,); the means are taken over rows."""
    return np.array([np.linalg.norm(A - B), np.linalg.norm((A - B).mean(axis=0))])


def entry(
    values: Float[np.ndarray, "N D *rest"], at: float | Float[np.ndarray, ""]
) -> np.ndarray:
    """Entry `at` along the first axis, counted from 0; past the end, the last."""
    return values[min(int(at), len(values) - 1)]


def folded(
    values: Float[np.ndarray, "*rest N"], columns: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, "*rest rows columns"]:
    """Split the last axis into rows of so many columns."""
    return values.reshape(*values.shape[:-1], -1, int(columns))


def joined(
    A: Float[np.ndarray, " N *rest"], B: Float[np.ndarray, " M *rest"]
) -> Float[np.ndarray, " N_and_M *rest"]:
    """The entries of A, and after them those of B."""
    return np.concatenate([A, B])


def race(
    words: Float[np.ndarray, " N"],
    layers: Float[np.ndarray, " M"],
    step: float | Float[np.ndarray, ""],
) -> Float[np.ndarray, "M N"]:
    """How much is computed at each place after a step, from 0 to 1, of networks that
    take a layer a step; where `layers` is 0, of one that takes a word a step.
    """
    waits = np.arange(len(words)) < step
    return np.stack(
        [np.full(len(words), min(step / n, 1)) if n else 1.0 * waits for n in layers]
    )


def finished(
    values: Float[np.ndarray, "M D"], done: Float[np.ndarray, "M N"]
) -> Float[np.ndarray, "M D"]:
    """Rows of values, 0 where the last place is not done."""
    return values * (done[:, -1:] >= 1)


def of_head(
    A: Float[np.ndarray, "N_Y N_heads N_Z"], head: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, "N_Y N_Z"]:
    """What one head of the steps of writing attends to; past the last, their mean."""
    at = int(head)
    return A[:, at] if at < A.shape[1] else A.mean(axis=1)


def top(
    values: Float[np.ndarray, " N"], count: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, " count"]:
    """Places of the largest values, counted from 0, the largest first."""
    return np.argsort(-values, kind="stable")[: int(count)].astype(float)


def at_places(
    values: Float[np.ndarray, " N"], places: Float[np.ndarray, " M"]
) -> Float[np.ndarray, " M"]:
    """The values at these places."""
    return values[places.astype(int)]


def divided(
    values: Float[np.ndarray, "*shape"], by: float | Float[np.ndarray, ""]
) -> Float[np.ndarray, "*shape"]:
    """Each entry divided by the same number."""
    return values / by


def mean_spread(values: Float[np.ndarray, N]) -> np.ndarray:
    """Mean and spread, (2,): the spread is the root of the mean square around it."""
    return np.array([values.mean(), values.std()])


def layer_norm(
    x: Float[np.ndarray, "*rows D"],
    gamma: float | Float[np.ndarray, "*D_or_one"],
    beta: float | Float[np.ndarray, "*D_or_one"],
) -> Float[np.ndarray, "*rows D"]:
    """Layer norm over the last axis, with 1e-5 under the root [ba2016layer].

    gamma and beta hold a number for each feature, or one for all.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + 1e-5) + beta


COMPUTED: dict[str, tuple[Callable[..., np.ndarray], tuple[str, ...]]] = {
    "softmax": (softmax, ("scores", "temperature")),
    "masked_softmax": (masked_softmax, ("scores", "visible")),
    "attention_weights": (attention_weights, ("Q", "K")),
    "attention": (attention, ("Q", "K", "V")),
    "last_row": (last_row, ("rows", "count")),
    "first_rows": (first_rows, ("rows", "count")),
    "with_average": (with_average, ("weights", "rows")),
    "positional_encoding": (positional_encoding, ("N", "D", "base")),
    "row_cosines": (row_cosines, ("rows", "at")),
    "transposed": (transposed, ("rows",)),
    "product": (product, ("A", "B")),
    "added": (added, ("A", "B")),
    "ordered": (ordered, ("rows", "order")),
    "either": (either, ("second", "A", "B")),
    "apart": (apart, ("A", "B")),
    "entry": (entry, ("values", "at")),
    "folded": (folded, ("values", "columns")),
    "joined": (joined, ("A", "B")),
    "race": (race, ("words", "layers", "step")),
    "finished": (finished, ("values", "done")),
    "of_head": (of_head, ("A", "head")),
    "top": (top, ("values", "count")),
    "at_places": (at_places, ("values", "places")),
    "divided": (divided, ("values", "by")),
    "mean_spread": (mean_spread, ("values",)),
    "layer_norm": (layer_norm, ("x", "gamma", "beta")),
}
