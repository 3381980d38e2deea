"""Right ways to write BERT's loss."""

import numpy as np
import torch
from torch import nn


def flattened(logits, target, chosen):
    """NumPy: places in one axis, fancy indices, logaddexp."""
    at = np.flatnonzero(chosen)
    if len(at) == 0:
        raise ValueError("no word was chosen")
    rows, words = logits.reshape(-1, logits.shape[-1])[at], target.ravel()[at]
    picked = rows[np.arange(len(at)), words]
    return np.logaddexp.reduce(rows, axis=1).mean() - picked.mean()


def as_a_module(logits, target, chosen):
    """torch: the loss of every place from a module, then a weighted sum."""
    if not chosen.any():
        raise ValueError("no word was chosen")
    losses = nn.CrossEntropyLoss(reduction="none")(logits.mT, target)
    return (losses * chosen).sum() / chosen.sum()


def with_likely_words(logits, target, chosen):
    """torch: a distribution that is asked for log P."""
    assert chosen.any(), "no word was chosen"
    words = torch.distributions.Categorical(logits=logits)
    return -words.log_prob(target)[chosen].mean()


STYLES = {"masked_word_loss": (flattened, as_a_module, with_likely_words)}
