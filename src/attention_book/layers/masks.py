"""Masks as tensors, the twins of `reference.masks`: True means "may look".

    causal     visible[i, j]     j <= i            nobody looks at what comes later
    window     visible[i, j]     |i - j| < r       nobody looks further than r - 1
    padding    visible[b, j]     j < lengths[b]    nobody looks at what fills a batch up

They are combined by `&`, padding with an axis for the queries: `causal_mask(N_X) &
padding_mask(lengths, N_X)[:, None]`.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attention_book.shapes import check_count


def causal_mask(N: int, device: torch.device | None = None) -> Bool[Tensor, "N N"]:
    """Let position i look at itself and at what came before."""
    check_count("N", N)
    return torch.ones(N, N, dtype=torch.bool, device=device).tril()


def window_mask(
    N: int, r: int, device: torch.device | None = None
) -> Bool[Tensor, "N N"]:
    """Let a position look at itself and at the r - 1 on either side of it.

    Restricted self-attention [vaswani2017attention].
    """
    check_count("N", N)
    check_count("r", r)
    return torch.ones(N, N, dtype=torch.bool, device=device).tril(r - 1).triu(1 - r)


def padding_mask(lengths: Int[Tensor, "B"], N_X: int) -> Bool[Tensor, "B N_X"]:
    """Show the first `lengths[b]` inputs of each item, and hide padding after them."""
    check_count("N_X", N_X)
    fit = lengths.ndim == 1 and ((lengths >= 1) & (lengths <= N_X)).all()
    if not fit or lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise ValueError(
            f"lengths is {lengths.tolist()}, expected whole numbers from 1 to N_X = "
            f"{N_X}, one for each item"
        )
    return torch.arange(N_X, device=lengths.device) < lengths[:, None]
