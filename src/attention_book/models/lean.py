"""A Transformer that writes with NumPy: the words that `Transformer` writes, and where
it looks, in less time, for one sentence in a third to a half of it.

Writing takes many small products, and most of them take less time than calling torch
does. Calls to NumPy are faster, but it has no gradients and computes on the CPU only.
Steps are not checked here. Twin: `Transformer`, the one to read.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor, nn, relu

from attention_book.layers import (
    MLP,
    Decoder,
    FastLayerNorm,
    FastMultiHeadAttention,
    FastSinePositions,
    LearnedPositions,
)
from attention_book.layers.block import Dropout
from attention_book.layers.decoder import DecoderBlock

Norm = Callable[[ndarray], ndarray]
PARTS = (
    *(Decoder, DecoderBlock, nn.ModuleList, FastMultiHeadAttention, MLP, Dropout),
    *(FastLayerNorm, nn.Identity, FastSinePositions, LearnedPositions, nn.Embedding),
)
ROOM = 16  # words; doubled whenever they are not enough


@dataclass(frozen=True)
class Inputs:
    """What each block looks up in the inputs: K, transposed, (B_X, N_heads, D_head,
    N_X), and V. If any input is padding, `hidden` is added to the scores: -inf for
    padding, and 0 for the others.

    `B` sentences are written, equally many for each source, next to each other.
    """

    kept: list[tuple[ndarray, ndarray]]
    hidden: Float[ndarray, "B_X 1 1 N_X"] | None
    B: int

    def take_rows(self, rows: Int[Tensor, "B"]) -> "Inputs":
        """For a beam, which keeps the rows of a source together: they all look into the
        same memory.
        """
        return replace(self, B=len(rows))


@dataclass(frozen=True)
class Words:
    """K and V of the `t` words so far, for each block, in arrays with room for more.

    A step writes into these arrays, so no two steps may go on from the same words.
    """

    kept: list[Float[ndarray, "B 2 N_heads room D_head"]]
    t: int = 0

    def take_rows(self, rows: Int[Tensor, "B"]) -> "Words":
        """For a beam: row b goes on from what was row `rows[b]`."""
        into = (rows != torch.arange(len(rows))).numpy()
        for KV in self.kept:
            words = KV[:, :, :, : self.t]
            words[into] = words[rows.numpy()[into]]
        return self


class LeanTransformer:
    """A `Writer` of arrays; to be made again when the weights have changed."""

    def __init__(self, model: Any):
        decoder, config = model.decoder, model.config
        pre = config.norm == "pre"
        self.model, self.root_D = model, sqrt(config.D)
        E = model.target_embedding.weight
        self.E = _array(E)
        self.output = (E.T if config.tied else model.output).detach()
        self.output_array = _array(self.output)
        self.table = partial(model.target_positions.table, E)
        self.P = self.E[:0]  # of no position yet
        self.blocks = [_in_order(block, pre) for block in decoder.blocks]
        self.norm = _norm(decoder.norm, pre)

    def encode(self, source: Tensor, visible: Tensor | None) -> Inputs:
        """Read the source as the model does, and keep what a step needs."""
        memory, hidden = self.model.encode(source, visible), None
        if visible is not None and not visible.all():
            shown = _array(visible)[:, None, None]
            hidden = np.where(shown, 0, -np.inf).astype(self.E.dtype)
        of_X = [(_array(K.mT.contiguous()), _array(V)) for K, V in memory.kv_cache]
        return Inputs(of_X, hidden, len(source))

    def initial_state(self, memory: Inputs) -> Words:
        """Return the state before the first step, with room for `ROOM` words."""
        _, N_heads, _, d = memory.kept[0][1].shape
        shape = memory.B, 2, N_heads, ROOM, d
        return Words([np.empty(shape, self.E.dtype) for _ in self.blocks])

    @np.errstate(all="ignore")  # as torch does
    def step(
        self, token: Int[Tensor | ndarray, "B"], memory: Inputs, state: Words
    ) -> tuple[Float[ndarray, "B N_words"], Words, Float[ndarray, "B N_X"]]:
        """Write one word, as `Transformer.step` does without an intervention."""
        kept, t = state.kept, state.t
        B, _, N_heads, room, d = kept[0].shape
        if t == room:
            kept = [np.concatenate([KV, np.empty_like(KV)], axis=3) for KV in kept]
        if t >= len(self.P):
            self.P = _array(self.table(t + 1))
        S = self.E[np.asarray(token)] * self.root_D + self.P[t]
        for block, KV, (K_X, V_X) in zip(self.blocks, kept, memory.kept, strict=True):
            (W, W_O, U_Q, U_O, W_1, b_1, W_2, b_2), before, after = block
            QKV = (before[0](S) @ W).reshape(B, 3, N_heads, d)
            KV[:, :, :, t] = QKV[:, 1:]
            K, V = KV[:, 0, :, : t + 1], KV[:, 1, :, : t + 1]
            Y = _softmax(QKV[:, 0, :, None] @ K.swapaxes(2, 3)) @ V
            S = after[0](S + Y.reshape(B, -1) @ W_O)
            Q = (before[1](S) @ U_Q).reshape(len(K_X), -1, N_heads, d).swapaxes(1, 2)
            e = Q @ K_X
            A = _softmax(e if memory.hidden is None else e + memory.hidden)
            S = after[1](S + (A @ V_X).swapaxes(1, 2).reshape(B, -1) @ U_O)
            Z = np.maximum(before[2](S) @ W_1 + b_1, 0)
            S = after[2](S + Z @ W_2 + b_2)
        a_t = A.sum(axis=1).reshape(B, -1) / N_heads
        return self._logits(self.norm(S)), Words(kept, t + 1), a_t

    def _logits(self, S: Float[ndarray, "B D"]) -> Float[ndarray, "B N_words"]:
        if len(S) == 1:
            return S @ self.output_array
        # with more rows torch is faster, as the table of words need not be transposed
        return torch.mm(torch.from_numpy(S), self.output).numpy()


def is_known(model: Any) -> bool:
    """Say whether a Transformer's steps are those of this file."""
    E, parts = model.target_embedding.weight, [*model.decoder.modules()]
    parts += model.target_positions, model.target_embedding
    product = E[:1] @ E[:1].T  # of another type, where autocast is on
    return (
        E.device.type == "cpu"
        and E.dtype == product.dtype in (torch.float32, torch.float64)
        and not {"step", "target_vectors", "logits"} & vars(model).keys()
        and all(type(part) in PARTS and not _is_changed(part) for part in parts)
    )


def _is_changed(part: nn.Module) -> Any:
    own = vars(part)
    hooks = own["_forward_hooks"] or own["_forward_pre_hooks"]
    return hooks or "forward" in own or own.get("activate", relu) is not relu


def _array(weights: Tensor) -> ndarray:
    return weights.detach().numpy()


def _softmax(e: ndarray) -> ndarray:
    """Turn scores into weights, in place."""
    e -= e.max(axis=-1, keepdims=True)
    np.exp(e, out=e)
    e /= e.sum(axis=-1, keepdims=True)
    return e


def _in_order(block: Any, pre: bool) -> tuple[list[ndarray], list[Norm], list[Norm]]:
    """A block's matrices, and the norms before and after its three parts."""
    attend, cross, mlp = block.attend, block.cross, block.mlp
    matrices = [attend.W_Q, attend.W_K, attend.W_V, attend.W_O, cross.W_Q, cross.W_O]
    W_Q, W_K, W_V, W_O, U_Q, U_O = map(_array, matrices)
    root_d = sqrt(len(W_Q) // attend.N_heads)  # the scores' divisor
    W = np.concatenate([W_Q / root_d, W_K, W_V], axis=1)
    of_mlp = map(_array, (mlp.W_1, mlp.b_1, mlp.W_2, mlp.b_2))
    norms = block.norm_1, block.norm_2, block.norm_3
    before, after = ([_norm(n, there) for n in norms] for there in (pre, not pre))
    return [W, W_O, U_Q / root_d, U_O, *of_mlp], before, after


def _norm(norm: Any, there: bool) -> Norm:
    if not there:
        return lambda S: S
    gamma, beta, eps = _array(norm.gamma), _array(norm.beta), norm.eps
    mean = np.full((len(gamma), 1), 1 / len(gamma), gamma.dtype)

    def normalised(S: ndarray) -> ndarray:
        S = S - S @ mean
        return S / np.sqrt((S * S) @ mean + eps) * gamma + beta

    return normalised
