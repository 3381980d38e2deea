"""Chapter 11's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.model import MaskedWords
from attention_book.data import PAD
from attention_book.training import seeded

Encode = Callable[[Tensor, Tensor, nn.ModuleList], list[Tensor]]


def untrained(N_seeds: int, kind: str) -> Float[np.ndarray, "N_seeds N_layers"]:
    """Share of senses told right by models that have learned nothing, one a seed."""
    shares = []
    for seed in range(N_seeds):
        with seeded(seed):
            model = tasks.Senses({"N_blocks": 3}).model()
        shares.append(tasks.apart(model, kind)["right"])
    return np.array(shares)


@torch.no_grad()
def moved_by_padding(
    encode: Encode, model: MaskedWords, paddings: Sequence[int]
) -> dict[int, list[float]]:
    """How far the vectors of a sentence move when its row is filled up with [PAD].

    `encode` is given X (B, N, D), visible (B, 1, N) and the model's blocks, and gives
    the vectors as they enter, and after each block. By the number of [PAD]: the largest
    difference at each of these.
    """
    words = ["the", "man", "fed", "the", "seal", "in", "the", "barn"]

    def vectors(padding: int) -> Tensor:
        row = sentences.WORDS.encode(words) + padding * [PAD]
        source = torch.tensor([row])
        X = model.states(source, source != PAD)[0]
        found = encode(X, (source != PAD)[:, None], model.encoder.blocks)
        return torch.stack([each[0, : len(words)] for each in found])

    alone = vectors(0)
    return {n: (vectors(n) - alone).abs().amax((1, 2)).tolist() for n in paddings}
