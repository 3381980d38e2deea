"""Chapter 7's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Mapping

import numpy as np
import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from attention_book import layers
from attention_book.training import seeded

Program = Callable[..., Tensor]  # of E (N, N), V (N, D_V) and visible (N, N); gives Y
FAR_BELOW = 20_000  # how much lower the scores are made: no weight should change


def compare(programs: Mapping[str, Program], N: int = 6) -> dict[str, list[object]]:
    """Give ways to hide the future the same scores, and look what arrives.

    With V = 1, the unit matrix, Y is the shares in which the values are mixed.

    Returns
    -------
    dict
        By program: the least and the largest sum of a row, as text; the largest share of
        what is hidden; how much a later word changes a row before it; and the largest
        hidden share when all scores are `FAR_BELOW` lower.
    """
    with seeded(0):
        E = torch.randn(N, N).double()
        V = torch.eye(N).double()
    visible = layers.causal_mask(N)
    E_new, V_new = E.clone(), V.clone()
    E_new[:, -1] += 3  # the last word is exchanged for one that fits all queries
    V_new[-1] = -1
    rows = {}
    for name, program in programs.items():
        Y = program(E, V, visible)
        sums = Y.sum(dim=-1)
        rows[name] = [
            f"{sums.min():.2f}-{sums.max():.2f}",
            Y[~visible].max().item(),
            (program(E_new, V_new, visible) - Y)[:-1].abs().max().item(),
            program(E - FAR_BELOW, V, visible)[~visible].max().item(),
        ]
    return rows


def blind_row() -> dict[str, str]:
    """What becomes of a row that may look nowhere, in four programs."""
    with seeded(0):
        X, twin = torch.randn(3, 4), nn.MultiheadAttention(4, 2, batch_first=True)
    visible = layers.causal_mask(3)
    visible[1] = False
    scores = (X @ X.T).masked_fill(~visible, -torch.inf)
    found = {
        "softmax of the scores": scores.softmax(dim=-1),
        "scaled_dot_product_attention": F.scaled_dot_product_attention(
            X[None], X[None], X[None], attn_mask=visible
        )[0],
    }
    for need in (True, False):
        Y, _ = twin(X, X, X, attn_mask=~visible, need_weights=need)
        found[f"nn.MultiheadAttention, need_weights={need}"] = Y
    rows = {name: _told(Y[1]) for name, Y in found.items()}
    try:
        layers.attention(X, X, X, visible)
    except ValueError as error:
        rows["layers.attention"] = f"ValueError: {error}"
    return rows


def _told(row: Tensor) -> str:
    if row.isnan().all():
        return "NaN"
    return "zeros" if (row == 0).all() else "numbers"


def head_by_head(
    layer: layers.MultiHeadSelfAttention,
    X: Float[Tensor, "N D"],
    visible: Bool[Tensor, "N N"],
) -> Float[Tensor, "N D"]:
    """Let one head after the other look, join what they find, and mix it by W_O."""
    found = []
    for W_Q, W_K, W_V in zip(
        *(W.chunk(layer.N_heads, dim=1) for W in (layer.W_Q, layer.W_K, layer.W_V)),
        strict=True,
    ):  # each (D, D_head)
        Y, _ = layers.attention(X @ W_Q, X @ W_K, X @ W_V, visible)
        found.append(Y)  # (N, D_head)
    return torch.cat(found, dim=-1) @ layer.W_O


def cost(N_heads: int, D: int = 64, N: int = 32) -> list[int]:
    """Count a layer's weights, its multiply-adds for N inputs, and the numbers in A.

    PyTorch counts the multiply-adds of the matrix products, while the layer computes.
    """
    layer = layers.MultiHeadSelfAttention(D, N_heads)
    with FlopCounterMode(display=False) as counter:
        _, A = layer(torch.zeros(N, D))
    N_weights = sum(W.numel() for W in layer.parameters())
    return [N_weights, counter.get_total_flops() // 2, A.numel()]
