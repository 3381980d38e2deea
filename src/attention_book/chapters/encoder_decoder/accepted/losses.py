"""Right ways to write the losses: loops, NumPy, torch's cross_entropy in several forms."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def surprise_of(logits, word):
    """Minus log P of one word, from Python's numbers."""
    top = max(logits)
    return top + math.log(sum(math.exp(logit - top) for logit in logits)) - logits[word]


def word_by_word(logits, target, real):
    """Two loops and two running totals."""
    total, count = 0.0, 0
    for b, sentence in enumerate(logits.tolist()):
        for t, scores in enumerate(sentence):
            if real[b][t]:
                total += surprise_of(scores, target[b][t])
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
    """torch: what does not count gets the id -100, which cross_entropy leaves out."""
    if not real.any():
        raise ValueError("no word")
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(~real, -100))


def with_selected_rows(logits, target, real):
    """torch: only the rows that count, as one long list."""
    if real.sum() == 0:
        raise ValueError("no word")
    return F.cross_entropy(logits[real], target[real])


def with_gather(logits, target, real):
    """Tensors: log_softmax, gather, masked_select."""
    if not torch.any(real):
        raise ValueError("no word")
    log_p = logits.log_softmax(-1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
    return -log_p.masked_select(real).mean()


def flattened(logits, target, chosen):
    """NumPy: places in one axis, fancy indices, logaddexp."""
    at = np.flatnonzero(chosen)
    if len(at) == 0:
        raise ValueError("no word was chosen")
    rows, words = logits.reshape(-1, logits.shape[-1])[at], target.ravel()[at]
    return (
        np.logaddexp.reduce(rows, axis=1).mean()
        - rows[np.arange(len(at)), words].mean()
    )


def as_a_module(logits, target, chosen):
    """torch: the loss of every place from a module, then a weighted sum."""
    if not chosen.any():
        raise ValueError("no word was chosen")
    losses = nn.CrossEntropyLoss(reduction="none")(logits.mT, target)
    return (losses * chosen).sum() / chosen.sum()


def with_likely_words(logits, target, chosen):
    """torch: a distribution that is asked for log P."""
    assert chosen.any(), "no word was chosen"
    return (
        -torch.distributions.Categorical(logits=logits).log_prob(target)[chosen].mean()
    )


def smoothed_by_loops(logits, target, epsilon):
    """Python's numbers: each place, each word."""
    losses = []
    for b, row in enumerate(target):
        for t, right in enumerate(row):
            scores = logits[b, t].tolist()
            costs = [surprise_of(scores, word) for word in range(len(scores))]
            losses.append(
                (1 - epsilon) * costs[right] + epsilon * sum(costs) / len(costs)
            )
    return sum(losses) / len(losses)


def smoothed_by_torch(logits, target, epsilon):
    """torch's own label smoothing."""
    return F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), label_smoothing=epsilon
    )


def smoothed_with_scatter(logits, target, epsilon):
    """Tensors: the target written out, compared with cross_entropy, which also takes shares."""
    N_words = logits.size(-1)
    q = torch.full_like(logits, epsilon / N_words)
    q.scatter_(-1, target[..., None], 1 - epsilon + epsilon / N_words)
    return F.cross_entropy(logits.reshape(-1, N_words), q.reshape(-1, N_words))


def smoothed_with_einsum(logits, target, epsilon):
    """NumPy: the sum over places and words at once."""
    q = epsilon / logits.shape[-1] + (1 - epsilon) * (
        target[..., None] == np.arange(logits.shape[-1])
    )
    shifted = logits - logits.max(axis=2, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=2, keepdims=True))
    return -np.einsum("btw,btw->", q, log_p) / target.size


STYLES = {
    "word_loss": (
        word_by_word,
        with_weights,
        with_an_ignored_id,
        with_selected_rows,
        with_gather,
    ),
    "masked_word_loss": (flattened, as_a_module, with_likely_words, word_by_word),
    "smoothed_loss": (
        smoothed_by_loops,
        smoothed_by_torch,
        smoothed_with_scatter,
        smoothed_with_einsum,
    ),
}
