"""Positions: five ways to tell attention where an input stands. Twins of
`reference.positions`.

Three change the inputs before a layer sees them: a vector of the position is added
(sines and cosines [vaswani2017attention], or learned [gehring2017convolutional]) or put
beside. Two change how a layer compares: a learned number for each distance is added to
the scores [shaw2018self], or queries and keys are turned by their positions
[su2024roformer].
"""

from math import sqrt

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import SelfAttention, attention
from attention_book.layers.scores import attention_weights
from attention_book.shapes import (
    check_count,
    check_counts,
    check_floats,
    check_multiple,
    check_shape,
)


def sine_positions(
    X: Float[Tensor, "*axes N D_X"], D: int, base: float = 10_000, first: int = 0
) -> Float[Tensor, "N D"]:
    """Write the positions of X as D / 2 clock hands, from fast to slow.

    X gives their number, the type and the device; its first input stands at position
    `first`. Sines are in the even columns, cosines in the odd ones; the slowest hand
    turns about `base` times slower than the fastest.
    """
    check_even("D", D)
    check_shape("X", X, "*axes N D_X")
    check_floats("X", X)
    check_count("first", first, least=0)
    kind = torch.promote_types(X.dtype, torch.float32)  # shorter ones cannot count far
    t = first + torch.arange(X.shape[-2], device=X.device, dtype=kind)
    angle = t[:, None] / base ** (torch.arange(0, D, 2).to(t) / D)  # (N, D / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(X)


def check_even(name: str, D: int) -> None:
    """Raise ValueError unless a width is even and positive: it is cut into pairs."""
    check_count(name, D, least=2)
    check_multiple(name, D, of=2)


class SinePositions(nn.Module):
    """Add sines and cosines: nothing to learn, for any length."""

    def __init__(self, D: int):
        super().__init__()
        check_even("D", D)
        self.D = D

    def forward(
        self, X: Float[Tensor, "*axes N D"], first: int = 0
    ) -> Float[Tensor, "*axes N D"]:
        """Return X + P; the first input stands at position `first`."""
        check_shape("X", X, "*axes N D", D=self.D)
        return X + sine_positions(X, self.D, first=first)


class FastSinePositions(SinePositions):
    """The same layer, from a table that is made once, and grows by doubling."""

    def __init__(self, D: int):
        super().__init__(D)
        self.P = torch.empty(0, D)  # no buffer: a cast would keep its rounding

    def forward(
        self, X: Float[Tensor, "*axes N D"], first: int = 0
    ) -> Float[Tensor, "*axes N D"]:
        """Return X + P; the first input stands at position `first`."""
        check_shape("X", X, "*axes N D", D=self.D)
        check_count("first", first, least=0)
        end = first + X.shape[-2]
        return X + self.table(X, end)[first:end]

    def table(self, X: Tensor, N: int | torch.SymInt) -> Float[Tensor, "N_rows D"]:
        """P with `N` rows at least, of the type and on the device of X."""
        kind = X.dtype, X.device
        if len(self.P) < N or (self.P.dtype, self.P.device) != kind:
            with torch.inference_mode(False):  # it may be kept for training
                self.P = sine_positions(X.new_empty(2 * N, 1), self.D)
        return self.P


class LearnedPositions(nn.Module):
    """Add a vector learned for each position, up to the longest."""

    def __init__(self, N_max: int, D: int):
        super().__init__()
        check_counts(N_max=N_max, D=D)
        self.P = nn.Parameter(torch.randn(N_max, D))

    def forward(
        self, X: Float[Tensor, "*axes N D"], first: int = 0
    ) -> Float[Tensor, "*axes N D"]:
        """Return X + P[first : first + N]."""
        check_shape("X", X, "*axes N D", D=self.P.shape[1])
        check_count("first", first, least=0)
        end = first + X.shape[-2]
        return X + self.table(X, end)[first:end]

    def table(self, X: Tensor, N: int | torch.SymInt) -> Float[Tensor, "N_max D"]:
        """P, which must have `N` rows at least; of the parameters' type."""
        N_max = len(self.P)
        if N_max < N:
            raise ValueError(
                f"X ends with position {N - 1}, expected at most "
                f"N_max - 1 = {N_max - 1}"
            )
        return self.P


class ConcatenatedPositions(nn.Module):
    """Put sines and cosines beside each input: it gets wider by D_P."""

    def __init__(self, D_P: int):
        super().__init__()
        check_even("D_P", D_P)
        self.D_P = D_P

    def forward(self, X: Float[Tensor, "*axes N D"]) -> Float[Tensor, "*axes N D_out"]:
        """Return [X, P], of width D + D_P."""
        P = sine_positions(X, self.D_P)
        return torch.cat([X, P.expand(*X.shape[:-1], -1)], dim=-1)


class RelativeSelfAttention(SelfAttention):
    """Self-attention that adds a learned number for each distance to the scores.

    All distances from `clip` on share one number. (Shaw et al. add vectors to the keys
    and values; a number is the simpler form of T5 [raffel2020exploring].)
    """

    def __init__(self, D_X: int, D_Q: int, D_V: int, clip: int = 8):
        super().__init__(D_X, D_Q, D_V)
        check_count("clip", clip, least=0)
        self.b = nn.Parameter(torch.zeros(2 * clip + 1))

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D_X"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D_V"], Float[Tensor, "*axes N_X N_X"]]:
        """Return a new vector for each input, and the weights."""
        Q, K, V = self.project(X)
        clip = len(self.b) // 2
        t = torch.arange(X.shape[-2], device=X.device)
        distance = (t[None, :] - t[:, None]).clamp(-clip, clip)  # (N_X, N_X), u - t
        E = Q @ K.mT / sqrt(Q.shape[-1]) + self.b[distance + clip]
        A = attention_weights(E, visible)
        return A @ V, A


def rotate(X: Float[Tensor, "*axes N D"]) -> Float[Tensor, "*axes N D"]:
    """Turn each pair of entries by an angle that grows with the position.

    The dot product of two vectors turned so depends on their distance, not on where
    they stand.
    """
    check_shape("X", X, "*axes N D")
    P = sine_positions(X, X.shape[-1])
    sin, cos = P[:, 0::2], P[:, 1::2]
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * cos - y * sin, x * sin + y * cos], dim=-1).flatten(-2)


class RotarySelfAttention(SelfAttention):
    """Self-attention whose queries and keys are turned by their positions."""

    def __init__(self, D_X: int, D_Q: int, D_V: int):
        super().__init__(D_X, D_Q, D_V)
        check_even("D_Q", D_Q)

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D_X"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D_V"], Float[Tensor, "*axes N_X N_X"]]:
        """Return a new vector for each input, and the weights."""
        Q, K, V = self.project(X)
        return attention(rotate(Q), rotate(K), V, visible)
