"""Chapter 10's experiments: what its cells measure, without the bookkeeping."""

from functools import lru_cache

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from attention_book import layers
from attention_book.chapters.norm_and_residuals.model import DeepModel
from attention_book.chapters.norm_and_residuals.recipes import deep
from attention_book.chapters.norm_and_residuals.tasks import WORDS, streams
from attention_book.data import Batch
from attention_book.training import seeded


def layer_by_layer(
    model: DeepModel, batch: Batch
) -> tuple[list[Tensor], Float[np.ndarray, "N_blocks"]]:
    """Read a batch, and go back.

    Returns
    -------
    stream : list of N_blocks + 1 tensors (B, N, D)
        What goes into the first block, and what comes out of each.
    gradients : (N_blocks,)
        Length of the loss's gradient by all numbers of a block.
    """
    X = model.places(model.words(batch.target_in))
    causal, stream = layers.causal_mask(X.shape[1]), [X]
    for block in model.encoder.blocks:
        stream.append(block(stream[-1], causal)[0])
    logits = model.read(model.encoder.norm(stream[-1]))
    loss = F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten())
    loss.backward()
    gradients = [
        torch.cat([p.grad.flatten() for p in block.parameters()]).norm().item()
        for block in model.encoder.blocks
    ]
    return [X.detach() for X in stream], np.array(gradients)


@lru_cache
def at_start(
    stack: str, N_blocks: int, start: str, seed: int = 0
) -> tuple[Float[np.ndarray, "N_blocks+1"], Float[np.ndarray, "N_blocks"]]:
    """Measure a stack before its first step, on the first batch of its training.

    Parameters
    ----------
    stack, start : str
        Of `recipes.STACKS` and `recipes.STARTS`.

    Returns
    -------
    sizes : (N_blocks + 1,)
        Root mean square of what goes into the first block, and of what comes out of
        each.
    gradients : (N_blocks,)
        As `layer_by_layer`.
    """
    task = deep(stack, N_blocks, start)
    with seeded(seed):
        model = task.model()
    stream, gradients = layer_by_layer(model, next(task.batches(seed, 1)))
    return np.array([rms(X) for X in stream]), gradients


def rms(X: Tensor) -> float:
    """Root of the mean square of all numbers."""
    return X.square().mean().sqrt().item()


def one_word_alone() -> float:
    """Surprise at unseen words, in nats, of who only knows how frequent each is."""
    train, test = streams()
    counts = torch.bincount(train, minlength=len(WORDS)).double()
    return -(counts / counts.sum()).log()[test].mean().item()
