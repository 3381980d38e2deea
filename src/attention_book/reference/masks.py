"""Masks: which input each query may look at. True means "may look".

    causal     visible[i, j]     j <= i            nobody looks at what comes later
    padding    visible[b, j]     j < lengths[b]    nobody looks at what fills a batch up
    both       visible[b, i, j]  both of them

A mask hides *keys*, the columns. The rows of padding stay: what they compute is thrown
away later, and a row that may look nowhere would have no weights.
"""

import numpy as np
from jaxtyping import Bool, Int

from attention_book.shapes import check_count


def causal_mask(N: int) -> Bool[np.ndarray, "N N"]:
    """Let position i look at itself and at what came before."""
    check_count("N", N)
    position = np.arange(N)
    return position[None, :] <= position[:, None]


def padding_mask(lengths: Int[np.ndarray, "B"], N_X: int) -> Bool[np.ndarray, "B N_X"]:
    """Hide the padding behind the first `lengths[b]` inputs of each item."""
    check_count("N_X", N_X)
    _check_lengths(lengths, N_X)
    return np.arange(N_X)[None, :] < lengths[:, None]


def _check_lengths(lengths: np.ndarray, N_X: int) -> None:
    fit = lengths.ndim == 1 and ((lengths >= 1) & (lengths <= N_X)).all()
    if not (fit and np.issubdtype(lengths.dtype, np.integer)):  # which a bool is not
        raise ValueError(
            f"lengths is {lengths.tolist()}, expected whole numbers from 1 to N_X = "
            f"{N_X}, one for each item"
        )


def causal_padding_mask(
    lengths: Int[np.ndarray, "B"], N_X: int
) -> Bool[np.ndarray, "B N_X N_X"]:
    """Hide from every position both what comes later and what is padding."""
    keys = padding_mask(lengths, N_X)
    return causal_mask(N_X)[None, :, :] & keys[:, None, :]
