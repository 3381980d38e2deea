"""A gated recurrent unit for batches: one cell, and a layer that walks it over time.

    r, z = sigmoid(x_t W + h_{t-1} U)      n = tanh(x_t W_n + r * (h_{t-1} U_n))
    h_t  = (1 - z) * n + z * h_{t-1}

Cho et al. (2014), in torch's form and its order of blocks, r, z, n. Where `visible` is
False the old state is carried on unchanged, so what stands in the padding, and how much
of it there is, can reach neither the result nor a gradient.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.shapes import check_count, check_mask, check_multiple, check_shape


def tracing() -> bool:
    """Say whether `torch.export` is writing the model down."""
    asked: Any = getattr(torch.compiler, "is_exporting", None)  # not in torch 2.4
    return asked is not None and asked()


class GRUCell(nn.Module):
    """One step: h_t from x_t and h_{t-1}."""

    def __init__(self, D_X: int, D_H: int):
        super().__init__()
        check_count("D_X", D_X)
        check_count("D_H", D_H)
        self.D_X, self.D_H = D_X, D_H
        self.from_input = nn.Linear(D_X, 3 * D_H)
        self.from_state = nn.Linear(D_H, 3 * D_H)
        # as torch does: small against the D_H terms that are summed
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(D_H**-0.5), D_H**-0.5)

    def forward(
        self, x_t: Float[Tensor, "B D_X"], h_prev: Float[Tensor, "B D_H"]
    ) -> Float[Tensor, "B D_H"]:
        """Take one step."""
        check_shape("x_t", x_t, "B D_X", D_X=self.D_X)
        check_shape("h_prev", h_prev, "B D_H", B=len(x_t), D_H=self.D_H)
        return self.mix(h_prev, self.from_input(x_t))

    def mix(
        self, h_prev: Float[Tensor, "B D_H"], x_part: Float[Tensor, "B 3*D_H"]
    ) -> Float[Tensor, "B D_H"]:
        """Finish the step of an input that has met its matrix: gates and blend."""
        D_H = h_prev.shape[-1]
        x_gates, x_n = x_part.split([2 * D_H, D_H], dim=-1)
        h_gates, h_n = self.from_state(h_prev).split([2 * D_H, D_H], dim=-1)
        r, z = torch.sigmoid(x_gates + h_gates).chunk(2, dim=-1)  # (B, D_H) each
        n = torch.tanh(x_n + r * h_n)
        return torch.lerp(n, h_prev, z)  # (1 - z) n + z h_prev


class GRU(nn.Module):
    """The cell walked over time, from the first step to the last."""

    def __init__(self, D_X: int, D_H: int):
        super().__init__()
        self.cell = GRUCell(D_X, D_H)

    def forward(
        self,
        X: Float[Tensor, "B N_X D_X"],
        visible: Bool[Tensor, "B N_X"] | None = None,
        h_0: Float[Tensor, "B D_H"] | None = None,
    ) -> tuple[Float[Tensor, "B N_X D_H"], Float[Tensor, "B D_H"]]:
        """Read every sequence of the batch.

        At padding, h repeats the state of the last word before it; h_T is the state
        after the last word of each sequence. The first state is 0 unless `h_0` is
        given.
        """
        check_shape("X", X, "B N_X D_X", D_X=self.cell.D_X)
        B, N_X, _ = X.shape
        h_0 = X.new_zeros(B, self.cell.D_H) if h_0 is None else h_0
        check_shape("h_0", h_0, "B D_H", B=B, D_H=self.cell.D_H)
        if tracing():
            return self._scan(X, visible, h_0)
        steps = [None] * N_X if visible is None else _columns(visible, B, N_X)
        # All inputs meet their matrix in one product; only what depends on the state is
        # left for the loop.
        return self._walk(self.cell.from_input(X).unbind(1), steps, h_0)

    def _walk(
        self, x_parts: Sequence[Tensor], steps: Sequence[Tensor | None], h_t: Tensor
    ) -> tuple[Tensor, Tensor]:
        h = []
        for x_part, is_word in zip(x_parts, steps, strict=True):
            new = self.cell.mix(h_t, x_part)
            h_t = new if is_word is None else torch.where(is_word, new, h_t)
            h.append(h_t)
        return torch.stack(h, dim=1), h_t

    def _scan(
        self, X: Tensor, visible: Tensor | None, h_0: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The same walk as one operation of torch, whose length stays open."""
        from torch._higher_order_ops.scan import scan

        is_word = X.new_ones(X.shape[:2], dtype=torch.bool)
        is_word = is_word if visible is None else visible

        def step(h: Tensor, x: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
            x_part, is_word = x
            h = torch.where(is_word, self.cell.mix(h, x_part), h)
            return h.clone(), h.clone()

        x_parts = self.cell.from_input(X).transpose(0, 1)  # (N_X, B, 3*D_H)
        h_T, h = scan(step, h_0, (x_parts, is_word.transpose(0, 1)[..., None]))
        return h.transpose(0, 1), h_T


class BidirectionalGRU(nn.Module):
    """Two GRUs, one from each end: h_i knows the words before *and* after its own.

    From [schuster1997bidirectional].

        h_i = [forward state after words 1 ... i ; backward state after words N_X ... i]
    """

    def __init__(self, D_X: int, D_H: int):
        super().__init__()
        check_multiple("D_H", D_H, 2)  # one half for each direction
        self.forwards, self.backwards = GRU(D_X, D_H // 2), GRU(D_X, D_H // 2)

    def forward(
        self,
        X: Float[Tensor, "B N_X D_X"],
        visible: Bool[Tensor, "B N_X"] | None = None,
    ) -> tuple[Float[Tensor, "B N_X D_H"], Float[Tensor, "B D_H"]]:
        """Read every sequence of the batch from both ends.

        Read backwards, a row begins with its padding, which leaves the state at zero.
        h_T is the state after the last word, and the backward state after the first.
        """
        mirrored = None if visible is None else visible.flip(1)
        h_forth, last = self.forwards(X, visible)
        h_back, first = self.backwards(X.flip(1), mirrored)
        h = torch.cat([h_forth, h_back.flip(1)], dim=-1)  # (B, N_X, D_H)
        return h, torch.cat([last, first], dim=-1)


class Stack(nn.Module):
    """Recurrent layers one on the other: each reads the states of the one below.

    Its own state is theirs side by side, (B, N_layers*D_H), that of the last at its
    end. As `nn.GRU` with `num_layers`, with dropout between the layers and never from
    step to step, as Zaremba et al. (2014) have it.
    """

    def __init__(self, *layers: nn.Module, dropout: float = 0.0):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.between = nn.Dropout(dropout)

    def cell(
        self, x_t: Float[Tensor, "B D_X"], h_prev: Float[Tensor, "B D_state"]
    ) -> Float[Tensor, "B D_state"]:
        """Take one step with every layer, all of them a `GRU`."""
        states = h_prev.chunk(len(self.layers), dim=-1)
        new: list[Tensor] = []
        layer: Any
        for layer, h in zip(self.layers, states, strict=True):
            new.append(layer.cell(self.between(new[-1]) if new else x_t, h))
        return torch.cat(new, dim=-1)

    def forward(
        self,
        X: Float[Tensor, "B N_X D_X"],
        visible: Bool[Tensor, "B N_X"] | None = None,
        h_0: Float[Tensor, "B D_state"] | None = None,
    ) -> tuple[Float[Tensor, "B N_X D_H"], Float[Tensor, "B D_state"]]:
        """Read every sequence of the batch.

        h are the states of the last layer, h_T those of every layer after the last
        word; `h_0` is of them all, and of `GRU`s only.
        """
        N = len(self.layers)
        first = [()] * N if h_0 is None else [(part,) for part in h_0.chunk(N, dim=-1)]
        h, h_T = X, list[Tensor]()
        for layer, at_first in zip(self.layers, first, strict=True):
            h, last = layer(self.between(h) if h_T else h, visible, *at_first)
            h_T.append(last)
        return h, torch.cat(h_T, dim=-1)


def stacked(
    layer: Callable[[int, int], nn.Module],
    D_X: int,
    D_H: int,
    N_layers: int,
    dropout: float = 0.0,
) -> Any:
    """One layer of a kind, `GRU` or `BidirectionalGRU`, or a `Stack` of several."""
    layers = [layer(D_H if k else D_X, D_H) for k in range(N_layers)]
    return layers[0] if N_layers == 1 else Stack(*layers, dropout=dropout)


def _columns(visible: Tensor, B: int, N_X: int) -> Sequence[Tensor]:
    check_mask("visible", visible, "B N_X", B=B, N_X=N_X)
    return visible.unsqueeze(-1).unbind(1)  # N_X times (B, 1)
