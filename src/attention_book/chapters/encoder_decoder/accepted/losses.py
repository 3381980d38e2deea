"""Right ways to write the losses."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def surprise_of(logits, word):
    """Minus log P of one word, from Python's numbers."""
    top = max(logits)
    return top + math.log(sum(math.exp(logit - top) for logit in logits)) - logits[word]


def word_by_word(logits, target, real):
    """Two loops and two running totals."""
    total, count = 0.0, 0
    for b, t in np.argwhere(real):
        total += surprise_of(logits[b, t].tolist(), target[b, t])
        count += 1
    if count == 0:
        raise ValueError("no word")
    return total / count


def with_weights(logits, target, real):
    """NumPy: every place, and a weight of 0 or 1."""
    assert real.any(), "no word"
    shifted = logits - logits.max(-1, keepdims=True)
    picked = (np.eye(logits.shape[-1])[target] * shifted).sum(-1)
    return np.average(np.log(np.exp(shifted).sum(-1)) - picked, weights=real)


def with_an_ignored_id(logits, target, real):
    """torch: what does not count gets the id that cross_entropy leaves out."""
    if not real.any():
        raise ValueError("no word")
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(~real, -100))


def smoothed_by_loops(logits, target, epsilon):
    """Python's numbers: each place, each word."""
    losses = []
    for scores, right in zip(logits.reshape(target.size, -1), target.flat, strict=True):
        costs = [surprise_of(scores.tolist(), word) for word in range(len(scores))]
        losses.append((1 - epsilon) * costs[right] + epsilon * sum(costs) / len(costs))
    return sum(losses) / len(losses)


def smoothed_with_scatter(logits, target, epsilon):
    """Tensors: the target written out, for a cross_entropy that takes shares."""
    N_words = logits.size(-1)
    q = torch.full_like(logits, epsilon / N_words)
    q.scatter_(-1, target[..., None], 1 - epsilon + epsilon / N_words)
    return F.cross_entropy(logits.reshape(-1, N_words), q.reshape(-1, N_words))


def smoothed_with_einsum(logits, target, epsilon):
    """NumPy: the sum over places and words at once."""
    N_words = logits.shape[-1]
    q = epsilon / N_words + (1 - epsilon) * np.eye(N_words)[target]
    log_p = logits - np.logaddexp.reduce(logits, axis=2, keepdims=True)
    return -np.einsum("btw,btw->", q, log_p) / target.size


STYLES = {
    "word_loss": (word_by_word, with_weights, with_an_ignored_id),
    "smoothed_loss": (smoothed_by_loops, smoothed_with_scatter, smoothed_with_einsum),
}
