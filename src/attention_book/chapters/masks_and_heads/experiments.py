"""Chapter 7's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book import layers, models
from attention_book.chapters.masks_and_heads.model import HeadsModel
from attention_book.chapters.masks_and_heads.sentences import (
    ADJECTIVES,
    NAMES,
    RELATIONS,
    Sentence,
    collate,
)
from attention_book.chapters.masks_and_heads.tasks.four_questions import (
    last_rows,
    pointing,
    right,
    without,
)
from attention_book.data.batching import groups
from attention_book.training import seeded

Program = Callable[..., Tensor]  # of E (N, N), V (N, D_V) and visible (N, N); gives Y
FAR_BELOW = 20_000  # how much lower the scores are made: no weight should change


def compare(programs: Mapping[str, Program], N: int = 6) -> dict[str, list[object]]:
    """Give ways to hide the future the same scores, and look what arrives.

    With V = 1, the unit matrix, Y is the shares in which the values are mixed. By
    program: the least and the largest sum of a row, as text; the most of what is hidden
    that arrives; how much a later word changes a row before it; and again the most that
    arrives when all scores are `FAR_BELOW` lower.
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
    """What becomes of a row that may look nowhere, in five programs."""
    with seeded(0):
        X, twin = torch.randn(1, 3, 4), nn.MultiheadAttention(4, 2, batch_first=True)
    visible = layers.causal_mask(3)
    visible[1] = False
    found = {
        "softmax": (X @ X.mT).masked_fill(~visible, -torch.inf).softmax(dim=-1),
        "scaled_dot_product_attention": F.scaled_dot_product_attention(
            X, X, X, attn_mask=visible
        ),
        "nn.MultiheadAttention": twin(X, X, X, attn_mask=~visible)[0],
        "the same, need_weights=False": twin(
            X, X, X, attn_mask=~visible, need_weights=False
        )[0],
    }
    rows = {name: _told(Y[0, 1]) for name, Y in found.items()}
    try:
        layers.attention(X, X, X, visible)
    except ValueError:
        rows["layers.attention"] = "ValueError"
    return rows


def _told(row: Tensor) -> str:
    if row.isnan().all():
        return "NaN"
    return "zeros" if (row == 0).all() else "numbers"


def head_by_head(
    layer: layers.MultiHeadAttention,
    X: Float[Tensor, "N D"],
    visible: Bool[Tensor, "N N"],
) -> Float[Tensor, "N D"]:
    """Let one head after the other look, join what they find, and mix it by W_O."""
    D_head, found = len(layer.W_O) // layer.N_heads, []
    for k in range(layer.N_heads):
        own = slice(k * D_head, (k + 1) * D_head)
        Q, K, V = (X @ W[:, own] for W in (layer.W_Q, layer.W_K, layer.W_V))
        Y, _ = layers.attention(Q, K, V, visible)
        found.append(Y)  # (N, D_head)
    return torch.cat(found, dim=-1) @ layer.W_O


def cost(N_heads: int, D: int = 64, N: int = 32) -> list[int]:
    """Count a layer's weights, its multiply-adds for N inputs, and the numbers in A.

    PyTorch counts the multiply-adds of the matrix products, while the layer computes.
    """
    layer, X = layers.MultiHeadAttention(D, N_heads), torch.zeros(N, D)
    _, A = layer(X)
    return [models.N_weights(layer), models.N_products(layer, X), A.numel()]


def noun_by_kind(
    model: HeadsModel, tested: Sequence[Sentence], silent: int
) -> dict[str, dict[str, float]]:
    """How the heads serve *noun?*, by the kind of the noun that the last word fits.

    How often each head's largest weight is on the noun, and how often the answer is
    right, with all heads and without the silent one, counted from 0.
    """
    noun, rows = RELATIONS.index("noun"), {}
    for kind, adjectives in ADJECTIVES.items():
        some = [
            each
            for each in tested
            if each.words[-1] in adjectives and each.gold[noun] is not None
        ]
        batch = collate(some)
        rows[kind] = {
            f"head {k}": share
            for k, share in enumerate(pointing(model, some)[:, noun], start=1)
        } | {
            "right": right(model, batch)[noun],
            f"without {silent + 1}": right(without(model, [silent]), batch)[noun],
        }
    return rows


def weight_by_name(
    model: HeadsModel, tested: Sequence[Sentence]
) -> dict[str, list[float]]:
    """Mean weight that the first head gives each name, as speaker and as hearer.

    The names stand in the order of the first mean.
    """
    rows = last_rows(model, tested)[:, 0]  # (B, N)
    means = {name: [] for name in NAMES}
    for place in (0, 2):
        there = np.array([each.words[place] for each in tested])
        for name in NAMES:
            means[name].append(rows[there == name, place].mean().item())
    return dict(sorted(means.items(), key=lambda item: item[1]))


class AmountsExchanged(nn.Module):
    """A layer with one head in which the first and third *place* exchange weights.

    A value is the sum of its word's part and its place's part. The words' parts are
    mixed by the same weights as before.
    """

    def __init__(self, model: HeadsModel):
        super().__init__()
        self.layer, self.P = model.attend, model.places.P

    def forward(
        self, X: Float[Tensor, "B N D"], visible: Bool[Tensor, "B N N"]
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B 1 N N"]]:
        """Return what is found then, and the weights as they were."""
        Y, A = self.layer(X, visible)
        N = X.shape[1]
        V_places = self.P[:N] @ self.layer.W_V
        change = A[:, 0][..., [2, 1, 0, *range(3, N)]] - A[:, 0]
        return Y + change @ V_places @ self.layer.W_O, A


def with_amounts_exchanged(model: HeadsModel) -> HeadsModel:
    """Exchange the amounts of the places of speaker and hearer in a copy of a model."""
    trial = deepcopy(model)
    trial.attend = AmountsExchanged(trial)
    return trial


@torch.no_grad()
def names_said(model: nn.Module, tested: Sequence[Sentence]) -> dict[str, float]:
    """What is said of sentences with two names: shares of them."""
    some = [each for each in tested if {each.words[0], each.words[2]} <= {*NAMES}]
    batch = collate(some)
    said = model(batch.source, batch.source_visible).argmax(-1)
    right, names = said == batch.target_out, batch.target_out[:, :2]
    shares = {
        "both names right": right[:, :2].all(dim=1),
        "exchanged": (said[:, :2] == names.flip(1)).all(dim=1),
        "before": right[:, 2],
        "noun": right[:, 3],
    }
    return {name: share.double().mean().item() for name, share in shares.items()}


class ByTorch(nn.Module):
    """A layer's twin in torch, which is handed the masks that `for_torch` makes."""

    def __init__(
        self,
        layer: layers.MultiHeadAttention,
        for_torch: Callable[[Tensor, int], Tensor],
    ):
        super().__init__()
        self.twin, self.for_torch = layers.to_torch(layer), for_torch

    def forward(
        self, X: Float[Tensor, "B N D"], visible: Bool[Tensor, "B N N"]
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B N_heads N N"]]:
        """Return outputs and weights, as the layer does."""
        hidden = self.for_torch(visible, self.twin.num_heads)
        return self.twin(X, X, X, attn_mask=hidden, average_attn_weights=False)


def right_by_torch(
    model: HeadsModel,
    for_torch: Callable[[Tensor, int], Tensor],
    tested: Sequence[Sentence],
    N_together: int,
) -> Float[np.ndarray, "N_questions"]:
    """Share of right answers, by torch's layer, with so many sentences in a batch."""
    trial = deepcopy(model)
    trial.attend = ByTorch(model.attend, for_torch)
    batches = [collate(some) for some in groups(tested, N_together)]
    shares = [right(trial, batch) for batch in batches]
    return np.average(shares, axis=0, weights=[len(batch) for batch in batches])
