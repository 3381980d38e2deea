"""Masks: who may look at what. True means *may look*.

    causal    visible[i, j] = j <= i            at step i nobody has written what comes later
    padding   visible[b, j] = j < lengths[b]    what fills a batch up means nothing

Both hide inputs, so both act on the last axis of the scores. A decoder that reads a batch needs both at once.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool


def causal_mask(N: int) -> Bool[np.ndarray, "N N"]:
    """Let query i see the inputs 0 ... i: itself and what came before.

    Raises
    ------
    ValueError
        If N is below 1.
    """
    if N < 1:
        raise ValueError(f"N is {N}, expected at least 1")
    return np.arange(N)[None, :] <= np.arange(N)[:, None]


def padding_mask(lengths: Sequence[int], N_X: int) -> Bool[np.ndarray, "B N_X"]:
    """Show the first lengths[b] of the N_X inputs of sentence b.

    Raises
    ------
    ValueError
        If a length is below 1 or above N_X.
    """
    for length in lengths:
        if not 1 <= length <= N_X:
            raise ValueError(f"lengths holds {length}, expected 1 to {N_X}: a sentence has a word, and fits")
    return np.arange(N_X)[None, :] < np.asarray(lengths)[:, None]


def decoder_mask(lengths: Sequence[int], N: int) -> Bool[np.ndarray, "B N N"]:
    """Let query i of sentence b see the inputs 0 ... i that are words: causal and padding together.

    Raises
    ------
    ValueError
        As `padding_mask` does.
    """
    return causal_mask(N)[None, :, :] & padding_mask(lengths, N)[:, None, :]
