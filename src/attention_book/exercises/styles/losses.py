"""Right ways to write the losses."""

import math

import numpy as np
import torch
from torch.nn import functional as F


def by_loops(logits, target, real):
    """One word after the other, in Python."""
    surprises = []
    for rows, ids, counts in zip(logits.tolist(), target.tolist(), real.tolist(), strict=True):
        for row, word, count in zip(rows, ids, counts, strict=True):
            if count:
                top = max(row)
                surprises.append(top + math.log(sum(math.exp(one - top) for one in row)) - row[word])
    if not surprises:
        raise ValueError("no word counts")
    return sum(surprises) / len(surprises)


def with_logaddexp(logits, target, real):
    """NumPy: only the rows that count are looked at."""
    rows, ids = logits[real], target[real]
    if len(ids) == 0:
        raise ValueError("no word counts")
    return np.mean(np.logaddexp.reduce(rows, axis=1) - rows[np.arange(len(ids)), ids])


def with_ignored_targets(logits, target, real):
    """torch's cross_entropy, told to leave out what does not count."""
    if not real.any():
        raise ValueError("no word counts")
    return F.cross_entropy(logits.flatten(0, 1), target.where(real, -100).flatten(), ignore_index=-100)


def with_weights(logits, target, real):
    """Tensors: log_softmax, gather, a weighted mean."""
    assert real.sum() > 0, "no word counts"
    picked = logits.log_softmax(-1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
    return -(picked * real).sum() / real.sum()


def smoothed_by_parts(logits, target, epsilon):
    """NumPy: the plain loss and the mean over all words, mixed."""
    log_p = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    right = log_p[np.arange(len(target)), target]
    return -((1 - epsilon) * right + epsilon * log_p.mean(axis=1)).mean()


def smoothed_with_the_library(logits, target, epsilon):
    """torch's cross_entropy."""
    return F.cross_entropy(logits, target, label_smoothing=epsilon)


def smoothed_with_full(logits, target, epsilon):
    """Tensors: the answer written out."""
    answer = torch.full_like(logits, epsilon / logits.size(1))
    answer[torch.arange(len(target)), target] += 1 - epsilon
    return -(answer * F.log_softmax(logits, dim=1)).sum(dim=1).mean()


STYLES = {
    "word_loss": (by_loops, with_logaddexp, with_ignored_targets, with_weights),
    "masked_word_loss": (by_loops, with_logaddexp, with_ignored_targets, with_weights),
    "smoothed_loss": (smoothed_by_parts, smoothed_with_the_library, smoothed_with_full),
}
