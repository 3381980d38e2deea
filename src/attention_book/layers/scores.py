"""Attention for batches: three score functions with one face, and the step that turns
scores into weights.

    e_{t,i} = f_att(s, h_i)      a_t = softmax(e_t)      c_t = sum_i a_{t,i} h_i

A score function is called as `score(s, score.project_keys(h))`: what it does to h does
not depend on the step, so it is done once per sentence. Twins: `reference.scores`.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.shapes import check_same, check_visible


class DotScore(nn.Module):
    """Score by s · h_i [luong2015effective]: nothing to learn, widths must agree."""

    def __init__(self, D_S: int, D_H: int):
        super().__init__()
        check_same("a dot product needs equal widths", D_S=D_S, D_H=D_H)

    def project_keys(self, h: Float[Tensor, "B N_X D_H"]) -> Float[Tensor, "B N_X D_H"]:
        """Compute what does not depend on the step: nothing here, the keys are h."""
        return h

    def forward(
        self, s: Float[Tensor, "B N_Y D_S"], keys: Float[Tensor, "B N_X D_S"]
    ) -> Float[Tensor, "B N_Y N_X"]:
        """Score every input for every state."""
        return s @ keys.mT


class BilinearScore(DotScore):
    """Score by s W h_i [luong2015effective]: a dot product, after W has moved h_i.

    W moves it into the state's space. Luong et al. call this score "general".
    """

    def __init__(self, D_S: int, D_H: int):
        super().__init__(D_S, D_S)
        self.W = nn.Linear(D_H, D_S, bias=False)

    def project_keys(self, h: Float[Tensor, "B N_X D_H"]) -> Float[Tensor, "B N_X D_S"]:
        """Compute W h_i for every input."""
        return self.W(h)


class MLPScore(nn.Module):
    """Score by v · tanh(W s + U h_i + b) [bahdanau2015neural]: a small network.

    It has D_S hidden units. Also called "additive", after the sum inside.
    """

    def __init__(self, D_S: int, D_H: int):
        super().__init__()
        self.W = nn.Linear(D_S, D_S, bias=False)
        self.U = nn.Linear(D_H, D_S)
        self.v = nn.Linear(D_S, 1, bias=False)

    def project_keys(self, h: Float[Tensor, "B N_X D_H"]) -> Float[Tensor, "B N_X D_S"]:
        """Compute U h_i + b for every input."""
        return self.U(h)

    def forward(
        self, s: Float[Tensor, "B N_Y D_S"], keys: Float[Tensor, "B N_X D_S"]
    ) -> Float[Tensor, "B N_Y N_X"]:
        """Score every input for every state."""
        hidden = self.W(s).unsqueeze(2) + keys.unsqueeze(1)  # (B, N_Y, N_X, D_S)
        return self.v(torch.tanh(hidden)).squeeze(-1)


SCORES: dict[str, type[DotScore] | type[MLPScore]]
SCORES = {"dot": DotScore, "bilinear": BilinearScore, "mlp": MLPScore}
GeneralScore, AdditiveScore = BilinearScore, MLPScore  # their names in the literature


def attention_weights(
    E: Float[Tensor, "*axes N_Q N_X"], visible: Bool[Tensor, "... N_X"] | None = None
) -> Float[Tensor, "*axes N_Q N_X"]:
    """Turn scores into weights by a softmax over the inputs that are visible.

    An input that is not visible gets exactly 0, and no gradient.

    `visible` broadcasts to E: True where a query, or a state, may look.
    """
    if visible is not None:
        check_visible(visible, E.shape)
        E = E.masked_fill(~visible, -torch.inf)
    return E.softmax(dim=-1)
