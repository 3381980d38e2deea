"""Scores of random queries and keys, and what comes back to them through softmax.

The entries of q and k have mean 0 and variance 1, so q·k has variance D. Divided by √D
the scores have variance 1 at every width [vaswani2017attention].
"""

import numpy as np
from jaxtyping import Float

PLAIN, SCALED = "q·k", "q·k / √D"
WIDTHS = tuple(2**power for power in range(10))
N_X = 5


def softmax_jacobian(
    a: Float[np.ndarray, "*draws N_X"],
) -> Float[np.ndarray, "*draws N_X N_X"]:
    """How weights a = softmax(e) answer the scores: row i holds all ∂a_i / ∂e_j."""
    return a[..., None] * (np.eye(a.shape[-1]) - a[..., None, :])


def gradient_size(
    a: Float[np.ndarray, "*draws N_X"],
) -> Float[np.ndarray, "*draws"]:
    """Return the root of the sum of the squares of all entries of softmax's Jacobian.

    It is 0 where a is one-hot: then no score can move any weight.
    """
    return np.linalg.norm(softmax_jacobian(a), axis=(-2, -1))


def drawn_scores(
    N_draws: int, seed: int
) -> dict[str, Float[np.ndarray, "N_draws N_widths N_X"]]:
    """Draw queries and keys of unit variance; score them by their first D entries.

    There is a row for each D of `WIDTHS`.
    """
    random = np.random.default_rng(seed)
    q = random.normal(size=(N_draws, 1, WIDTHS[-1]))
    K = random.normal(size=(N_draws, N_X, WIDTHS[-1]))
    products = [(q[..., :D] * K[..., :D]).sum(axis=-1) for D in WIDTHS]
    E = np.stack(products, axis=1)
    return {PLAIN: E, SCALED: E / np.sqrt(WIDTHS)[:, None]}
