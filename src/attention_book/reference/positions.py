"""Positions: attention does not know where an input stands, so each gets a vector that
says so [vaswani2017attention].

    P[t, 2i]     = sin(t / 10000^(2i / D))
    P[t, 2i + 1] = cos(t / 10000^(2i / D))

A sine and a cosine of the same frequency stand side by side, like the hand of a clock;
each next pair turns more slowly. The vector is added to the input of its position.
"""

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_shapes


def positional_encoding(N: int, D: int) -> Float[np.ndarray, "N D"]:
    """Write each position as D / 2 clock hands, from fast to slow.

    Parameters
    ----------
    N : int
        Number of positions, counted from 0.
    D : int
        Width; even.

    Returns
    -------
    array, shape (N, D)
        P: sines in the even columns, cosines in the odd ones.

    Raises
    ------
    ValueError
        If there is no position, or D is not even and positive.
    """
    if N < 1 or D < 2 or D % 2:
        raise ValueError(
            f"N is {N} and D is {D}, expected at least one position and an even width"
        )
    t = np.arange(N)[:, None]
    two_i = np.arange(0, D, 2)[None, :]
    angle = t / 10000 ** (two_i / D)
    P = np.empty((N, D))
    P[:, 0::2] = np.sin(angle)
    P[:, 1::2] = np.cos(angle)
    return P


def add_positions(
    X: Float[np.ndarray, "B N D"], P: Float[np.ndarray, "N_max D"]
) -> Float[np.ndarray, "B N D"]:
    """Tell every input of a batch where it stands.

    Parameters
    ----------
    X : array, shape (B, N, D)
        A batch of sequences.
    P : array, shape (N_max, D)
        One vector for each position, with N_max >= N.

    Returns
    -------
    array, shape (B, N, D)
        A new array: X[b, t] + P[t].

    Raises
    ------
    ValueError
        If the widths differ, or a sequence is longer than there are positions.
    """
    check_shapes(X=(X, "B N D"), P=(P, "N_max D"))
    N = X.shape[1]
    if len(P) < N:
        raise ValueError(f"P has {len(P)} positions, expected at least N = {N}")
    return X + P[:N]
