"""A decoder's steps in a straight line: the same numbers as `Decoder.step`, for one new
word of each sentence, with a third of the calls.

Writing is many small products, and what stands around them takes longer than they do.
So the weights are put in order once for all steps, W_Q, W_K and W_V in one matrix, and
nothing is checked. Twin: `Decoder.step`, which is to be read.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from attention_book.layers.heads import KVCache

Norm = Callable[[Tensor], Tensor]


class LeanDecoder:
    """The steps of a decoder with the weights that it has now, without dropout."""

    def __init__(self, decoder: Any):
        pre = decoder.blocks[0].norm == "pre"
        self.N_heads = decoder.N_heads
        self.blocks = [_in_order(block, pre) for block in decoder.blocks]
        self.norm = _norm(decoder.norm, pre)

    def __call__(
        self,
        S: Float[Tensor, "B D"],
        of_X: Sequence[KVCache],
        past: Sequence[KVCache],
        hidden: Bool[Tensor, "B 1 1 N_X"] | None = None,
    ) -> tuple[Float[Tensor, "B D"], Float[Tensor, "B N_heads N_X"], list[KVCache]]:
        """Return the next word's new vector, where the last block's heads looked, and
        what is kept of each block. `hidden` are the inputs that are padding, if any is.
        """
        (B, D), kept = S.shape, []
        by_head = B, self.N_heads, 1, D // self.N_heads
        for weights, (K_X, V_X), (K, V) in zip(self.blocks, of_X, past, strict=True):
            (W, W_O, U_Q, U_O, W_1, b_1, W_2, b_2), before, after = weights
            Q, new_K, new_V = (before[0](S) @ W).view(B, 3, *by_head[1:]).unbind(1)
            K, V = torch.cat([K, new_K], dim=2), torch.cat([V, new_V], dim=2)
            kept.append((K, V))
            Y = F.scaled_dot_product_attention(Q, K, V).view(B, D)
            S = after[0](torch.addmm(S, Y, W_O))
            E = (before[1](S) @ U_Q).view(by_head) @ K_X.mT
            A = (E if hidden is None else E.masked_fill(hidden, -torch.inf)).softmax(-1)
            S = after[1](torch.addmm(S, (A @ V_X).view(B, D), U_O))
            Z = torch.addmm(b_1, before[2](S), W_1).relu()
            S = after[2](S + torch.addmm(b_2, Z, W_2))
        return self.norm(S), A[:, :, 0], kept


def _in_order(block: Any, pre: bool) -> tuple[Any, list[Norm], list[Norm]]:
    """A block's matrices, and the norms before and after its three parts."""
    attend, cross, mlp = block.attend, block.cross, block.mlp
    W = torch.cat([attend.W_Q, attend.W_K, attend.W_V], dim=1)
    U_Q = cross.W_Q / sqrt(cross.W_Q.shape[1] // cross.N_heads)  # the scores' divisor
    matrices = W, attend.W_O, U_Q, cross.W_O, mlp.W_1, mlp.b_1, mlp.W_2, mlp.b_2
    norms = block.norm_1, block.norm_2, block.norm_3
    before, after = ([_norm(n, there) for n in norms] for there in (pre, not pre))
    return matrices, before, after


def _norm(norm: Any, there: bool) -> Norm:
    if not there:
        return lambda S: S
    gamma, beta, eps = norm.gamma, norm.beta, norm.eps
    return lambda S: torch.layer_norm(S, gamma.shape, gamma, beta, eps)
