"""Chapter 10's experiments: what its cells measure, without the bookkeeping."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float

from attention_book import layers
from attention_book.chapters.norm_and_residuals.model import (
    ByFunction,
    DeepModel,
    Norm,
)
from attention_book.chapters.norm_and_residuals.recipes import deep
from attention_book.chapters.norm_and_residuals.sentences import (
    N_MAX,
    WORDS,
    pieces,
    streams,
)
from attention_book.chapters.norm_and_residuals.tasks import NextWord
from attention_book.data import Batch
from attention_book.training import fit, seeded, token_cross_entropy


class AtStart(NamedTuple):
    """A stack before its first step of training: what goes into the first block, and
    what comes out of each.
    """

    sizes: Float[np.ndarray, "N_blocks+1"]  # root mean square
    kept: Float[np.ndarray, "N_blocks+1"]  # cosine with what goes into the first block
    alike: Float[np.ndarray, "N_blocks+1"]  # mean cosine of two places of one piece
    gradients: Float[np.ndarray, "N_blocks"]  # lengths, by all numbers of a block


@lru_cache
def at_start(stack: str, N_blocks: int, start: str, seed: int = 0) -> AtStart:
    """Measure a stack, one of `recipes.STACKS`, on the first batch of its training."""
    task = deep(stack, N_blocks, start)
    with seeded(seed):
        model = task.model()
    return layer_by_layer(model, next(task.batches(seed, 1)))


def layer_by_layer(model: DeepModel, batch: Batch) -> AtStart:
    """Measure each block's output and gradient on one batch, before training."""
    X = model.places(model.words(batch.target_in))
    causal, stream = layers.causal_mask(X.shape[1]), [X]
    for block in model.encoder.blocks:
        stream.append(block(stream[-1], causal)[0])
    logits = model.read(model.encoder.norm(stream[-1]))
    loss = F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten())
    model.zero_grad()
    loss.backward()
    gradients = [
        torch.cat([p.grad.flatten() for p in block.parameters()]).norm().item()
        for block in model.encoder.blocks
    ]
    sizes = [Y.double().square().mean().sqrt().item() for Y in stream]
    units = [F.normalize(Y.double(), dim=-1, eps=1e-99) for Y in stream]
    kept = [(U * units[0]).sum(-1).mean().item() for U in units]
    N = X.shape[1]
    alike = [((U.sum(1) ** 2).sum(-1) - N).mean().item() / (N * N - N) for U in units]
    return AtStart(*map(np.array, (sizes, kept, alike, gradients)))


def frequency_alone() -> float:
    """Surprise at unseen words, in nats, if only how frequent each is were known."""
    train, test = streams()
    counts = torch.bincount(train, minlength=len(WORDS)).double()
    return -(counts / counts.sum()).log()[test].mean().item()


def surprise_with(norm: Norm, steps: int = 200) -> dict[str, float]:
    """Train a language model of two blocks whose norms are a function.

    Nats a word of unseen sentences: with `whole pieces` shown, and `word by word`, each
    place given only what stands before it.
    """
    task = NextWord("pre", 2)
    with seeded(0):
        model = task.model()
    for block in model.encoder.blocks:
        block.norm_1, block.norm_2 = (
            ByFunction(norm, model.config.D) for _ in range(2)
        )
    model.encoder.norm = ByFunction(norm, model.config.D)
    fit(model, task.batches(0, steps), steps=steps, seed=0, callbacks=())
    _, test = streams()
    batch = pieces(test, torch.arange(0, 60 * N_MAX, N_MAX))
    with torch.no_grad():
        logits = [
            model(None, None, batch.target_in[:, :n])[:, -1]
            for n in range(1, N_MAX + 1)
        ]
        right = batch.target_out.flatten()
        return {
            "whole pieces": token_cross_entropy(model, batch).item(),
            "word by word": F.cross_entropy(
                torch.stack(logits, dim=1).flatten(0, 1), right
            ).item(),
        }
