"""Look and say: a caption, written while looking at the cells of a picture
[xu2015show].

The decoder is the one that translates, over the cells h_1 ... h_64 of a grid. Its
control has a set of *one*, made from the whole grid by a layer of its own: a fixed
context, at no fewer parameters.
"""

from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.layers import SCORES
from attention_book.layers.grid import GridEncoder
from attention_book.models.rnn_attention import (
    SCORED_STATES,
    AttentionDecoder,
    InputSet,
)
from attention_book.shapes import check_choice, check_count, check_type


@dataclass(frozen=True)
class CaptionerConfig:
    """Sizes and choices of a captioner.

    `score` and `scored_state` are those of `AttentionDecoder`. `attention` is False for
    the control, which has one vector for the whole picture.
    """

    N_target_words: int
    D_embedding: int = 32  # some twenty words
    D_grid: int = 64
    D_hidden: int = 128
    # as Xu et al., who follow Bahdanau et al.
    score: Literal["dot", "bilinear", "mlp"] = "mlp"
    scored_state: Literal["previous", "current"] = "previous"
    attention: bool = True

    def __post_init__(self):
        for name in ("N_target_words", "D_embedding", "D_grid", "D_hidden"):
            check_count(name, getattr(self, name))
        check_choice("score", self.score, SCORES)
        check_choice("scored_state", self.scored_state, SCORED_STATES)
        check_type("attention", self.attention, bool)


class Captioner(AttentionDecoder):
    """A picture in, words out."""

    def __init__(self, config: CaptionerConfig):
        D_E, D_H, D_S = config.D_embedding, config.D_grid, config.D_hidden
        super().__init__(
            config.N_target_words, D_E, D_H, D_S, config.score, config.scored_state
        )
        self.config = config
        self.grid = GridEncoder(D_H)
        if not config.attention:  # from a quarter of the cells, or it would be huge
            self.squeeze = nn.Linear(D_H * (self.grid.N_side // 2) ** 2, D_H)

    def encode(
        self,
        source: Float[Tensor, "B 1 N_pixels N_pixels"],
        source_visible: None = None,
    ) -> InputSet:
        """See the picture; keep a vector of every cell (the control: one of all)."""
        _check_no_mask(source_visible)
        h = self.grid(source)  # (B, N_X, D_H)
        if not self.config.attention:
            N_side = self.grid.N_side
            cells = h.mT.unflatten(-1, (N_side, N_side))  # (B, D_H, N_side, N_side)
            whole = self.squeeze(F.max_pool2d(cells, 2).flatten(1))
            h = torch.relu(whole).unsqueeze(1)  # (B, 1, D_H)
        return self.make_memory(h, None, h.mean(dim=1))


def _check_no_mask(source_visible: object) -> None:
    if source_visible is not None:
        raise ValueError(
            "source_visible must be None: all cells of a picture may be looked at"
        )
