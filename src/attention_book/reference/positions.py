"""Positions: attention does not know where an input stands, so each gets a vector that
says so [vaswani2017attention].

    P[t, 2i]     = sin(t / 10000^(2i / D))
    P[t, 2i + 1] = cos(t / 10000^(2i / D))

A sine and a cosine of the same frequency stand side by side, like the hand of a clock;
each next pair turns more slowly. The vector is added to the input of its position. Two
other ways change how inputs are compared: `rotate` turns queries and keys by their
position [su2024roformer], `relative_scores` adds a number for each distance
[shaw2018self].
"""

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_shapes


def positional_encoding(N: int, D: int) -> Float[np.ndarray, "N D"]:
    """Write each position as D / 2 clock hands, from fast to slow.

    Sines are in the even columns, cosines in the odd ones.
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
    """Tell every input of a batch where it stands."""
    check_shapes(X=(X, "B N D"), P=(P, "N_max D"))
    N = X.shape[1]
    if len(P) < N:
        raise ValueError(f"P has {len(P)} positions, expected at least N = {N}")
    return X + P[:N]


def rotate(X: Float[np.ndarray, "N D"]) -> Float[np.ndarray, "N D"]:
    """Turn each pair of entries by an angle that grows with the position.

    The pair (2i, 2i + 1) of position t is turned by t / 10000^(2i / D).
    """
    check_shapes(X=(X, "N D"))
    N, D = X.shape
    P = positional_encoding(N, D)
    Y = np.empty((N, D))
    for i in range(0, D, 2):
        sin, cos = P[:, i], P[:, i + 1]
        Y[:, i] = X[:, i] * cos - X[:, i + 1] * sin
        Y[:, i + 1] = X[:, i] * sin + X[:, i + 1] * cos
    return Y


def relative_scores(
    E: Float[np.ndarray, "N N"], b: Float[np.ndarray, "D_b"]
) -> Float[np.ndarray, "N N"]:
    """Add to each score the number that belongs to the distance of its two positions.

    b has 2 clip + 1 entries, one for each distance j - i from -clip on; what is further
    away gets the number of the nearest end.
    """
    check_shapes(E=(E, "N N"), b=(b, "D_b"))
    if len(b) % 2 == 0:
        raise ValueError(f"b has {len(b)} entries, expected an odd number: 2 clip + 1")
    clip = len(b) // 2
    Y = E.copy()
    for i, j in np.ndindex(E.shape):
        Y[i, j] += b[np.clip(j - i, -clip, clip) + clip]
    return Y
