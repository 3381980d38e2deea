"""Positions: what tells attention, which sees a set, where in the sequence an input stands.

    P[n, 2i] = sin(n / 10000^(2i/D))      P[n, 2i+1] = cos(n / 10000^(2i/D))

Each pair of columns is a hand that turns at its own speed; a shift by k positions turns every hand by a fixed angle,
whatever n is [vaswani2017attention].
"""

import numpy as np
from jaxtyping import Float

BASE = 10_000


def positional_encoding(N: int, D: int) -> Float[np.ndarray, "N D"]:
    """Sine and cosine of the positions 0 ... N-1, in columns that alternate.

    Raises
    ------
    ValueError
        If N or D is below 1, or D is odd.
    """
    if N < 1 or D < 1 or D % 2:
        raise ValueError(f"N is {N} and D is {D}, expected at least one position and an even width")
    speed = BASE ** (-np.arange(0, D, 2) / D)
    angle = np.arange(N)[:, None] * speed
    P = np.empty((N, D))
    P[:, 0::2], P[:, 1::2] = np.sin(angle), np.cos(angle)
    return P


def add_positions(X: Float[np.ndarray, "*B N D"], P: Float[np.ndarray, "N_most D"]) -> Float[np.ndarray, "*B N D"]:
    """Add row n of the table P to input n, the same for every sequence of a batch.

    Raises
    ------
    ValueError
        If the sequence is longer than the table, or the widths differ.
    """
    if X.shape[-2] > len(P) or X.shape[-1] != P.shape[-1]:
        raise ValueError(f"X has shape {X.shape}, but P has {len(P)} positions of width {P.shape[-1]}")
    return X + P[: X.shape[-2]]
