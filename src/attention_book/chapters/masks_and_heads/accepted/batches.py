"""Right ways to take a step of attention in a whole batch."""

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence


def sentence_by_sentence(s, h, lengths):
    """A loop that never sees the padding."""
    c, a = np.zeros_like(s), np.zeros(h.shape[:2])
    for b, n in enumerate(lengths):
        e = h[b, :n] @ s[b]
        a[b, :n] = np.exp(e - np.logaddexp.reduce(e))
        c[b] = a[b, :n] @ h[b, :n]
    return c, a


def with_masked_fill(s, h, lengths):
    """Tensors; a mask from a comparison."""
    hidden = torch.arange(h.size(1)) >= torch.tensor(lengths)[:, None]
    a = (h @ s.unsqueeze(-1)).squeeze(-1).masked_fill(hidden, -torch.inf).softmax(-1)
    return (a.unsqueeze(1) @ h).squeeze(1), a


def padded_again(s, h, lengths):
    """Tensors: weights made of the words alone, then filled up with zeros."""
    rows = [(h[b, :n] @ s[b]).softmax(0) for b, n in enumerate(lengths)]
    a = pad_sequence([*rows, torch.zeros(h.shape[1])], batch_first=True)[:-1]
    return torch.einsum("bn,bnd->bd", a, h), a


STYLES = {"contexts": (sentence_by_sentence, with_masked_fill, padded_again)}
