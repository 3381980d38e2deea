"""Right ways to test a model that writes alone."""

import numpy as np
import torch


def with_while(step, start, stop, references, max_words):
    """Plain Python."""
    right = 0
    for b, reference in enumerate(references):
        words = [start]
        while len(words) <= max_words and words[-1] != stop:
            log_p = list(step(b, words))
            words.append(log_p.index(max(log_p)))
        pairs = zip(words[1:], reference, strict=False)
        right += sum(1 for said, meant in pairs if said == meant)
    return right / sum(map(len, references))


def with_numpy(step, start, stop, references, max_words):
    """NumPy: everything after the first stop overwritten."""
    hits = []
    for b, reference in enumerate(references):
        words = np.array([start])
        for _ in range(max_words):
            words = np.append(words, np.argmax(step(b, tuple(words))))
        said = np.where(np.cumsum(words[1:] == stop) > 0, -1, words[1:])
        said = np.append(said, np.full(len(reference), -1))[: len(reference)]
        hits.append(said == reference)
    return np.concatenate(hits).mean()


def with_tensors(step, start, stop, references, max_words):
    """All sentences a step at a time, as in a batch."""
    words = torch.full((len(references), 1), start)
    for _ in range(max_words):
        log_p = [torch.as_tensor(step(b, w.tolist())) for b, w in enumerate(words)]
        words = torch.cat([words, torch.stack(log_p).argmax(-1, keepdim=True)], dim=1)
    said = words[:, 1:].masked_fill((words[:, 1:] == stop).cumsum(1) > 0, -1)
    right = [
        said[b, t] == word
        for b, reference in enumerate(references)
        for t, word in enumerate(reference[:max_words])
    ]
    return sum(right) / sum(map(len, references))


STYLES = {"words_right": (with_while, with_numpy, with_tensors)}
