"""Attention in tiles: the same outputs, without ever holding all the weights.

Of the tiles of keys seen so far one pass keeps, for each query, the largest score m,
the sum of exp(E - m), and the sum Y of exp(E - m) times the values [milakov2018online]:

    m' = max(m, max E)      shrink = exp(m - m')      part = exp(E - m')
    total' = shrink total + sum part            Y' = shrink Y + part V

Outputs need memory for one tile of scores [rabe2021self]; FlashAttention does this
inside a processor's fast memory [dao2022flash].
"""

from math import inf, sqrt

import torch
from jaxtyping import Float
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from attention_book.shapes import check_count, check_shapes


def tiled_attention(
    Q: Float[Tensor, "*axes N_Q D_Q"],
    K: Float[Tensor, "*axes N_X D_Q"],
    V: Float[Tensor, "*axes N_X D_V"],
    tile: int = 64,
    recompute: bool = False,
) -> Float[Tensor, "*axes N_Q D_V"]:
    """Let every query look at the inputs, tile by tile: `attention` without A.

    So many queries meet so many inputs at once. With `recompute` nothing of the tiles
    is saved for the way back, and they are computed again there.
    """
    check_shapes(Q=(Q, "*axes N_Q D_Q"), K=(K, "*axes N_X D_Q"), V=(V, "*axes N_X D_V"))
    check_count("tile", tile)
    rows = (
        checkpoint(one_pass, q, K, V, tile, use_reentrant=False)
        if recompute
        else one_pass(q, K, V, tile)
        for q in Q.split(tile, dim=-2)
    )
    return torch.cat([*rows], dim=-2)


def one_pass(
    Q: Float[Tensor, "*axes N_tile D_Q"],
    K: Float[Tensor, "*axes N_X D_Q"],
    V: Float[Tensor, "*axes N_X D_V"],
    tile: int,
) -> Float[Tensor, "*axes N_tile D_V"]:
    """Pass over the inputs once, a tile at a time, for a few queries."""
    m = Q.new_full((*Q.shape[:-1], 1), -inf)  # (..., N_tile, 1): largest score so far
    total = Y = torch.zeros_like(m)  # sums so far; Y gets its width from the values
    for k, v in zip(K.split(tile, dim=-2), V.split(tile, dim=-2), strict=True):
        E = Q @ k.mT / sqrt(Q.shape[-1])  # one tile of scores
        largest = torch.maximum(m, E.amax(dim=-1, keepdim=True))
        shrink, part = torch.exp(m - largest), torch.exp(E - largest)
        total = shrink * total + part.sum(dim=-1, keepdim=True)  # (..., N_tile, 1)
        Y = shrink * Y + part @ v  # (..., N_tile, D_V)
        m = largest
    return Y / total
