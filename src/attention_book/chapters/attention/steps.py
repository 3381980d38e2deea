"""One step of the decoder in two forms, without checks: which state asks?

`models.AttentionDecoder.step` is the code that trains; a test holds both against it.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from attention_book.models import AttentionDecoder

Step = tuple[Float[Tensor, "B N_words"], Float[Tensor, "B D_S"]]


def bahdanau_step(
    model: AttentionDecoder,
    y: Float[Tensor, "B D_E"],
    s: Float[Tensor, "B D_S"],
    h: Float[Tensor, "B N_X D_H"],
) -> Step:
    """The state before the step asks: s_t = g_U(y_{t-1}, s_{t-1}, c_t)."""
    a = model.score(s[:, None], model.score.project_keys(h)).softmax(dim=-1)
    c = (a @ h)[:, 0]
    s = model.g_U.cell(torch.cat([y, c], dim=-1), s)
    return model.output(torch.cat([s, y, c], dim=-1)), s


def luong_step(
    model: AttentionDecoder,
    y: Float[Tensor, "B D_E"],
    s: Float[Tensor, "B D_S"],
    h: Float[Tensor, "B N_X D_H"],
) -> Step:
    """The new state asks: s_t = g_U(y_{t-1}, s_{t-1})."""
    s = model.g_U.cell(y, s)
    a = model.score(s[:, None], model.score.project_keys(h)).softmax(dim=-1)
    c = (a @ h)[:, 0]
    return model.output(torch.cat([s, y, c], dim=-1)), s
