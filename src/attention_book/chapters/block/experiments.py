"""Chapter 11's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.model import MaskedWords, NoAttention, NoMLP
from attention_book.data import PAD
from attention_book.shapes import check_choice
from attention_book.training import seeded

NOTHING = "nothing"
PARTS = "attention", "MLP", "all norms", "residual", "positions"
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


@dataclass(frozen=True)
class Grown:
    """How the vectors of a sentence grow, part by part."""

    parts: list[str]
    before: Float[np.ndarray, "N_parts N"]  # the length of each vector
    added: Float[np.ndarray, "N_parts N"]  # the length of what is added, 0 if off
    cosines: Float[np.ndarray, "N_parts N"]  # of the two
    logits: Float[Tensor, "N N_words"]  # at the end


def switch_off(model: MaskedWords, part: str) -> None:
    """Switch one of PARTS, or nothing, off in all blocks of a model."""
    check_choice("part", part, (NOTHING, *PARTS))
    for block in model.encoder.blocks:
        if part == "attention":
            block.attend = NoAttention()
        elif part == "MLP":
            block.mlp = NoMLP()
        elif part == "all norms":
            block.norm_1 = block.norm_2 = model.encoder.norm = nn.Identity()
        elif part == "residual":
            block.residual = False
        elif part == "positions":
            model.positions = nn.Identity()


@torch.no_grad()
def grow(model: MaskedWords, source: Int[Tensor, " N"]) -> Grown:
    """Send a sentence through a pre-norm model, and measure all that is added."""
    check_choice("model.config.norm", model.config.norm, ("pre", "none"))
    visible = torch.ones(1, len(source), dtype=torch.bool)
    X = model.states(source[None], visible)[0]
    parts, measured = [], []
    for k, block in enumerate(model.encoder.blocks, start=1):
        for name in ("attention", "MLP"):
            if name == "attention":
                change, _ = block.attend(block.norm_1(X), visible[:, None])
            else:
                change = block.mlp(block.norm_2(X))
            parts.append(f"{name} {k}")
            cosines = F.cosine_similarity(X, change, dim=-1)
            measured.append((X.norm(dim=-1), change.norm(dim=-1), cosines))
            X = X + change if block.residual else change
    before, added, cosines = (
        torch.cat(each).numpy() for each in zip(*measured, strict=True)
    )
    return Grown(parts, before, added, cosines, model.read(X[0]))


@torch.no_grad()
def sureness(model: MaskedWords) -> float:
    """Mean weight of the first guess, over the hidden words of unseen sentences."""
    batch = tasks.unseen()
    logits = model(batch.source, batch.source_visible)[batch.target_out > 0]
    return logits.softmax(-1).amax(-1).mean().item()
