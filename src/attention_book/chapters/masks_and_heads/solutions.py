"""Chapter 7, *Masks and heads*: worked solutions."""

from copy import deepcopy

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.chapters.masks_and_heads.model import HeadsModel
from attention_book.data import Batch


def for_torch(
    visible: Bool[Tensor, "B N N"], N_heads: int
) -> Bool[Tensor, "B_heads N N"]:
    """Write masks as torch's layer wants them: a mask for each head, True hides."""
    hidden = ~visible
    return hidden.repeat_interleave(N_heads, dim=0)  # all heads of a sentence together


class Nearby(nn.Module):
    """A layer in which no word sees further than a window."""

    def __init__(self, layer: layers.MultiHeadAttention, r: int):
        super().__init__()
        self.layer, self.r = layer, r

    def forward(
        self, X: Float[Tensor, "B N D"], visible: Bool[Tensor, "B N N"]
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B N_heads N N"]]:
        """Attend to what is near; padding stands behind the words, out of sight."""
        N, device = X.shape[1], X.device
        near = layers.window_mask(N, self.r, device)
        return self.layer(X, layers.causal_mask(N, device) & near)


@torch.no_grad()
def said_nearby(
    model: HeadsModel, batch: Batch, r: int
) -> Int[Tensor, "B N_questions"]:
    """What the model says to each question if no word sees further than a window."""
    trial = deepcopy(model)
    trial.attend = Nearby(model.attend, r)
    return trial(batch.source, batch.source_visible).argmax(dim=-1)
