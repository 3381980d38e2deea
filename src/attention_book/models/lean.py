"""A Transformer's steps in a straight line: the same numbers as its readable `step`,
for one new word of each sentence, with fewer calls.

Writing is many small products, and what stands around them takes longer than they do.
So the weights are put in order once for all steps, W_Q, W_K and W_V in one matrix, and
nothing is checked. Twin: `Transformer._step`, which is to be read.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.layers.heads import KVCache

Norm = Callable[[Tensor], Tensor]


class LeanSteps:
    """The steps of a Transformer without dropout; made anew when weights change."""

    def __init__(self, model: Any):
        decoder = model.decoder
        pre = decoder.blocks[0].norm == "pre"
        self.scale = sqrt(model.config.D)
        self.E, self.rows = model.target_embedding.weight, model.target_positions.rows
        self.blocks = [_in_order(block, pre) for block in decoder.blocks]
        self.norm, self.logits = _norm(decoder.norm, pre), model.logits

    def __call__(
        self,
        token: Int[Tensor, "B"],
        of_X: Sequence[KVCache],
        past: Sequence[KVCache],
        hidden: Bool[Tensor, "B 1 N_X"] | None = None,
    ) -> tuple[Float[Tensor, "B N_words"], list[KVCache], Float[Tensor, "B N_X"]]:
        """Return what `Transformer.step` does. `hidden` are the inputs that are
        padding, if any is.
        """
        B, N_heads, t, d = past[0][0].shape
        of_words = F.embedding(token, self.E)
        S = torch.add(self.rows(of_words, t, t + 1), of_words, alpha=self.scale)
        kept = []
        for weights, (K_X, V_X), (K, V) in zip(self.blocks, of_X, past, strict=True):
            (W, W_O, U_Q, U_O, W_1, b_1, W_2, b_2), before, after = weights
            Q, new_K, new_V = (before[0](S) @ W).view(B, 3, N_heads, 1, d).unbind(1)
            K, V = torch.cat([K, new_K], dim=2), torch.cat([V, new_V], dim=2)
            kept.append((K, V))
            Y = F.scaled_dot_product_attention(Q, K, V).view(B, -1)
            S = after[0](torch.addmm(S, Y, W_O))
            Q = (before[1](S) @ U_Q).view(B * N_heads, 1, d)
            E = torch.bmm(Q, K_X.flatten(0, 1).mT).view(B, N_heads, -1)
            A = (E if hidden is None else E.masked_fill(hidden, -torch.inf)).softmax(-1)
            Y = torch.bmm(A.view(B * N_heads, 1, -1), V_X.flatten(0, 1)).view(B, -1)
            S = after[1](torch.addmm(S, Y, U_O))
            Z = torch.addmm(b_1, before[2](S), W_1).relu_()
            S = after[2](torch.addmm(S, Z, W_2).add_(b_2))
        return self.logits(self.norm(S)), kept, A.mean(dim=1)


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
