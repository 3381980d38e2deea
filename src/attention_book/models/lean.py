"""A Transformer that reads and writes with NumPy: the words that `Transformer` writes,
and where it looks, in less time, for one sentence in little more than a third of it.

Writing takes many small products, and most of them take less time than calling torch
does. Calls to NumPy are faster, but it has no gradients and computes on the CPU only;
of its ways to ask for a product or a sum, `dot` and `reduce` take least for one row.
Steps are not checked here. Twin: `Transformer`, the one to read.
"""

from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor, nn

Norm = Callable[[ndarray], ndarray]
SETTINGS = "norm", "residual", "N_heads", "activate", "max_norm"  # of parts
ROOM = 16  # words; doubled whenever they are not enough
FEW = 80  # words; more are read by torch in less time
MANY = 8  # sentences; for as many, the table of words is turned round once


class Inputs(NamedTuple):
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
        return self._replace(B=len(rows))


class Words(NamedTuple):
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
        self.model, self.N_heads, self.root_D = model, config.N_heads, sqrt(config.D)
        E = model.target_embedding.weight
        self.E = _array(E)
        self.output = (E.T if config.tied else model.output).detach()
        self.output_array = _array(self.output)
        self.table = partial(model.target_positions.table, E)
        self.P = self.E[:0]  # of no position yet
        self.blocks = [_of_block(block) for block in decoder.blocks]
        self.norm = _norm(decoder.norm)

    def encode(self, source: Tensor, visible: Tensor | None) -> Inputs:
        """Read the source, as `Transformer.encode` does, and keep what a step needs."""
        self.model.check_source(source, visible)
        hidden = None
        if visible is not None and not visible.all():
            shown = visible.numpy()[:, None, None]
            hidden = np.where(shown, 0, -np.inf).astype(self.E.dtype)
        if source.numel() > FEW:
            of_X = self.model.encode(source, visible).kv_cache
            kept = [(_array(K.mT.contiguous()), _array(V)) for K, V in of_X]
        else:
            kept = self._read(source.numpy(), hidden)
        return Inputs(kept, hidden, len(source))

    @np.errstate(all="ignore")  # as torch does where weights have run away
    def _read(
        self, words: Int[ndarray, "B N"], hidden: Float[ndarray, "B 1 1 N"] | None
    ) -> list[tuple[ndarray, ndarray]]:
        model, (B, N) = self.model, words.shape
        E = model.source_embedding.weight
        X = _array(E)[words] * self.root_D
        X += _array(model.source_positions.table(E, N))[:N]
        X = X.reshape(B * N, -1)
        for block in model.encoder.blocks:
            W_Q, W_K, W_V, W_O = _matrices(block.attend)
            before, after = _norms(block, block.norm_1, block.norm_2)
            Z = before[0](X)
            Q, K, V = (self._cut(Z.dot(W), B) for W in (W_Q, W_K, W_V))
            Q /= _root_d(block.attend)
            Y, _ = _attend(Q, K.swapaxes(2, 3), V, hidden)
            X = after[0](X + Y.dot(W_O))
            X = after[1](X + _mlp(before[1](X), *_of_mlp(block.mlp)))
        X = _norm(model.encoder.norm)(X)
        kept = []
        for block in model.decoder.blocks:
            _, W_K, W_V, _ = _matrices(block.cross)
            K, V = self._cut(X.dot(W_K), B), self._cut(X.dot(W_V), B)
            # contiguous for each head, as steps read them
            kept.append((K.swapaxes(2, 3).copy(), V.copy()))
        return kept

    def initial_state(self, memory: Inputs) -> Words:
        """Return the state before the first step, with room for `ROOM` words."""
        _, N_heads, _, d = memory.kept[0][1].shape
        shape = memory.B, 2, N_heads, ROOM, d
        if memory.B >= MANY:
            self.output = self.output.contiguous()
        return Words([np.empty(shape, self.E.dtype) for _ in self.blocks])

    @np.errstate(all="ignore")
    def step(
        self, token: Int[Tensor | ndarray, "B"], memory: Inputs, state: Words
    ) -> tuple[Float[ndarray, "B N_words"], Words, Float[ndarray, "B N_X"]]:
        """Write one word, as `Transformer.step` does without an intervention."""
        kept, t = state
        B, _, N_heads, room, d = kept[0].shape
        if t == room:
            kept = [np.concatenate([KV, np.empty_like(KV)], axis=3) for KV in kept]
        if t >= len(self.P):
            self.P = _array(self.table(t + 1))
        S = self.E.take(token, axis=0) * self.root_D + self.P[t]
        for block, KV, (K_X, V_X) in zip(self.blocks, kept, memory.kept, strict=True):
            (W, W_O, U_Q, U_O), mlp, before, after = block
            QKV = before[0](S).dot(W).reshape(B, 3, N_heads, d)
            KV[:, :, :, t] = QKV[:, 1:]
            K, V = KV[:, 0, :, : t + 1], KV[:, 1, :, : t + 1]
            Y, _ = _attend(QKV[:, 0, :, None], K.swapaxes(2, 3), V)
            S = after[0](S + Y.dot(W_O))
            Q = self._cut(before[1](S).dot(U_Q), len(K_X))
            Y, A = _attend(Q, K_X, V_X, memory.hidden)
            S = after[1](S + Y.dot(U_O))
            S = after[2](S + _mlp(before[2](S), *mlp))
        a_t = np.add.reduce(A, axis=1).reshape(B, -1) / N_heads
        return self._logits(self.norm(S)), Words(kept, t + 1), a_t

    def _cut(self, Z: Float[ndarray, "B_N D"], B: int) -> Float[ndarray, "B H N d"]:
        """Give sentences and heads axes of their own."""
        return Z.reshape(B, -1, self.N_heads, Z.shape[1] // self.N_heads).swapaxes(1, 2)

    def _logits(self, S: Float[ndarray, "B D"]) -> Float[ndarray, "B N_words"]:
        if len(S) == 1:
            return S.dot(self.output_array)
        # with more rows torch is faster
        return torch.mm(torch.from_numpy(S), self.output).numpy()


def is_known(model: Any) -> bool:
    """Say whether a Transformer is as its configuration builds it, but for its numbers,
    so that it reads and writes as this file does.

    Not seen: hooks set for all modules at once, and modes that count calls of torch.
    """
    E = model.target_embedding.weight
    return (
        E.device.type == "cpu"
        and E.dtype in (torch.float32, torch.float64)
        and not torch.is_autocast_enabled("cpu")
        and _plan(model) == _as_built(model.__class__, model.config, E.dtype)
    )


@cache
def _as_built(kind: Any, config: Any, dtype: torch.dtype) -> list[Any]:
    with torch.device("meta"):  # no number is drawn there
        return _plan(kind(config).to(dtype))


def _plan(part: nn.Module) -> list[Any]:
    """All of a module but its numbers, and of its parts, in their order."""
    own = vars(part)
    weights = own["_parameters"]
    hooks = own["_forward_hooks"], own["_forward_pre_hooks"]
    # with a method that a reader replaces, its own names are more
    plan = [type(part), len(own), *map(len, hooks), *map(own.get, SETTINGS), *weights]
    plan += [W.dtype for W in weights.values() if W is not None]
    for name, each in own["_modules"].items():
        plan += name, *(_plan(each) if each is not None else ())
    return plan


def _array(weights: Tensor) -> ndarray:
    return weights.numpy(force=True)  # what detach().numpy() gives, sooner


def _attend(
    Q: Float[ndarray, "B H N_Q d"],
    K: Float[ndarray, "B H d N_X"],
    V: Float[ndarray, "B H N_X d"],
    hidden: Float[ndarray, "B 1 1 N_X"] | None = None,
) -> tuple[Float[ndarray, "B_N D"], Float[ndarray, "B H N_Q N_X"]]:
    """What the heads found, side by side, and their weights; Q is scaled already."""
    A = Q @ K
    if hidden is not None:
        A += hidden
    A -= np.maximum.reduce(A, axis=-1, keepdims=True)
    np.exp(A, out=A)
    A /= np.add.reduce(A, axis=-1, keepdims=True)
    Y = (A @ V).swapaxes(1, 2)
    B, N, H, d = Y.shape
    return Y.reshape(B * N, H * d), A


def _mlp(S: ndarray, W_1: ndarray, b_1: ndarray, W_2: ndarray, b_2: ndarray) -> ndarray:
    Z = S.dot(W_1)
    Z += b_1
    Z = np.maximum(Z, 0, out=Z).dot(W_2)
    Z += b_2
    return Z


def _of_mlp(mlp: Any) -> tuple[ndarray, ...]:
    W_1, b_1, W_2, b_2 = map(_array, (mlp.W_1, mlp.b_1, mlp.W_2, mlp.b_2))
    return W_1, b_1[None], W_2, b_2[None]  # rows: added to one row in less time


def _matrices(heads: Any) -> list[ndarray]:
    return [_array(W) for W in (heads.W_Q, heads.W_K, heads.W_V, heads.W_O)]


def _root_d(heads: Any) -> float:
    """The scores' divisor."""
    return sqrt(heads.W_Q.shape[1] // heads.N_heads)


def _of_block(
    block: Any,
) -> tuple[list[ndarray], tuple[ndarray, ...], list[Norm], list[Norm]]:
    """A block's matrices, and the norms before and after its three parts."""
    (W_Q, W_K, W_V, W_O), (U_Q, *_, U_O) = map(_matrices, (block.attend, block.cross))
    W = np.concatenate([W_Q / _root_d(block.attend), W_K, W_V], axis=1)
    before, after = _norms(block, block.norm_1, block.norm_2, block.norm_3)
    return [W, W_O, U_Q / _root_d(block.cross), U_O], _of_mlp(block.mlp), before, after


def _norms(block: Any, *norms: Any) -> tuple[list[Norm], list[Norm]]:
    """What is done before each part of a block, and after it."""
    applied: list[Norm] = [_norm(norm) for norm in norms]
    left_out: list[Norm] = [_unchanged] * len(norms)
    return (applied, left_out) if block.norm == "pre" else (left_out, applied)


def _norm(norm: Any) -> Norm:
    if type(norm) is nn.Identity:
        return _unchanged
    gamma, beta = _array(norm.gamma)[None], _array(norm.beta)[None]
    mean, eps = _constants(gamma.size, norm.eps, gamma.dtype)

    def normalised(S: ndarray) -> ndarray:
        S = S - S.dot(mean)
        S /= np.sqrt((S * S).dot(mean) + eps)
        S *= gamma
        S += beta
        return S

    return normalised


def _unchanged(S: ndarray) -> ndarray:
    return S


@cache
def _constants(D: int, eps: float, dtype: Any) -> tuple[ndarray, ndarray]:
    """What takes the mean of `D` numbers as a product, and eps as an array."""
    return np.full((D, 1), 1 / D, dtype), np.full((1, 1), eps, dtype)
