"""Right ways to take a step in a whole batch, and to test a model that writes alone."""

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


def with_while(step, start, stop, references, max_words):
    """Plain Python."""
    right = total = 0
    for b, reference in enumerate(references):
        words = [start]
        while len(words) <= max_words:
            log_p = list(step(b, words))
            word = log_p.index(max(log_p))
            if word == stop:
                break
            words.append(word)
        total += len(reference)
        right += sum(
            1
            for said, meant in zip(words[1:], reference, strict=False)
            if said == meant
        )
    return right / total


def with_numpy(step, start, stop, references, max_words):
    """NumPy: everything after the first stop overwritten."""
    hits, words_in_all = 0, sum(len(reference) for reference in references)
    for b, reference in enumerate(references):
        words = np.array([start])
        for _ in range(max_words):
            words = np.append(words, np.argmax(step(b, tuple(words))))
        said = np.where(np.cumsum(words[1:] == stop) > 0, -1, words[1:])[
            : len(reference)
        ]
        hits += (said == np.array(reference)[: len(said)]).sum()
    return hits / words_in_all


def with_tensors(step, start, stop, references, max_words):
    """All sentences a step at a time, as in a batch."""
    words = torch.full((len(references), 1), start)
    for _ in range(max_words):
        log_p = torch.stack(
            [torch.as_tensor(step(b, row.tolist())) for b, row in enumerate(words)]
        )
        words = torch.cat([words, log_p.argmax(-1, keepdim=True)], dim=1)
    said = words[:, 1:].masked_fill((words[:, 1:] == stop).cumsum(1) > 0, -1)
    longest = max(map(len, references))
    meant = torch.tensor(
        [[*reference, *[-2] * (longest - len(reference))] for reference in references]
    )
    n = min(longest, max_words)
    return (said[:, :n] == meant[:, :n]).sum() / (meant != -2).sum()


STYLES = {
    "contexts": (sentence_by_sentence, with_masked_fill, padded_again),
    "words_right": (with_while, with_numpy, with_tensors),
}
