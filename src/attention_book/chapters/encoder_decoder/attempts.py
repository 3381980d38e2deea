"""Right ways to write a decoder that looks back, its losses, and its sentences."""

import heapq
import math
import statistics
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.verdict import RIGHT


def cross_looping(S, X, W_Q, W_K, W_V, visible):
    """One sentence after the other, and in it one step of the decoder."""
    if S.ndim == 3:
        matrices = W_Q, W_K, W_V
        batch = zip(S, X, visible, strict=True)
        each = [cross_looping(s, x, *matrices, seen) for s, x, seen in batch]
        return tuple(map(np.array, zip(*each, strict=True)))
    A = []
    for s, may_look in zip(S, visible, strict=True):
        e_t = np.array([s @ W_Q @ W_K.T @ x for x in X]) / np.sqrt(W_Q.shape[1])
        e_t -= e_t[may_look].max()
        A.append(np.exp(np.minimum(e_t, 0)) * may_look / sum(np.exp(e_t[may_look])))
    return np.array(A) @ X @ W_V, np.array(A)


def cross_with_einsum(S, X, W_Q, W_K, W_V, visible):
    """Arrays, with any axes in front, in two products."""
    E = np.einsum("...ts,sq,xq,...ix->...ti", S, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    E = np.where(visible, E, -np.inf)
    A = np.exp(E - np.logaddexp.reduce(E, axis=-1, keepdims=True))
    return np.einsum("...ti,...ix,xv->...tv", A, X, W_V), A


def cross_of_torch(S, X, W_Q, W_K, W_V, visible):
    """Tensors; the weights from log_softmax."""
    Q, K, V = S @ W_Q, X @ W_K, X @ W_V
    E = Q.matmul(K.mT).mul(W_Q.size(1) ** -0.5)
    A = F.log_softmax(E + visible.float().log(), dim=-1).exp()
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=visible), A


def word_by_word(logits, target, real):
    """Python's numbers; statistics.mean refuses an empty list."""
    surprises = []
    for scores, word in zip(logits[real].tolist(), target[real], strict=True):
        others = sum(math.exp(score - max(scores)) for score in scores)
        surprises.append(math.log(others) + max(scores) - scores[word])
    return statistics.mean(surprises)


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


def smoothed_as_a_mixture(logits, target, epsilon):
    """NumPy: the plain loss, and that of a target with all words alike."""
    costs = np.logaddexp.reduce(logits, axis=-1, keepdims=True) - logits
    plain = np.take_along_axis(costs, target[..., None], axis=-1).mean()
    return (1 - epsilon) * plain + epsilon * costs.mean()


def smoothed_of_torch(logits, target, epsilon):
    """torch smooths as we do."""
    return F.cross_entropy(logits.mT, target, label_smoothing=epsilon)


def smoothed_with_einsum(logits, target, epsilon):
    """NumPy: the sum over places and words at once."""
    N_words = logits.shape[-1]
    q = epsilon / N_words + (1 - epsilon) * np.eye(N_words)[target]
    log_p = logits - np.logaddexp.reduce(logits, axis=2, keepdims=True)
    return -np.einsum("btw,btw->", q, log_p) / target.size


def with_a_while_loop(step, start, stop, max_words):
    """A list that grows."""
    words = [start]
    while len(words) <= max_words and words[-1] != stop:
        words.append(np.argmax(step(words)))
    return [int(word) for word in words[1:] if word != stop]


def by_calling_itself(step, start, stop, max_words, written=()):
    """No loop: the rest of the sentence is written by the same function."""
    log_p = step((start, *written)).tolist()
    word = max(range(len(log_p)), key=log_p.__getitem__)
    if word == stop or max_words == 0:
        return [*written]
    return by_calling_itself(step, start, stop, max_words - 1, (*written, word))


def cut_in_the_end(step, start, stop, max_words):
    """Always `max_words` words, as a batch would be written, and then cut."""
    words = torch.tensor([start])
    for _ in range(max_words):
        words = torch.cat([words, torch.tensor(step(words)).argmax()[None]])
    ids = [*words[1:].tolist(), stop]
    return ids[: ids.index(stop)]


def with_lists(step, start, stop, width, max_words):
    """Pairs of log P and words, sorted; sentences on a list of their own."""
    live, done = [(0, [start])], []
    for _ in range(max_words):
        longer = [(p + q, [*w, k]) for p, w in live for k, q in enumerate(step(w))]
        longer = sorted(longer, reverse=True)[: width - len(done)]
        done += [pair for pair in longer if pair[1][-1] == stop]
        live = [pair for pair in longer if pair[1][-1] != stop]
    _, words = max((p / (len(words) - 1), words) for p, words in done or live)
    return [word for word in words[1:] if word != stop]


def with_a_heap(step, start, stop, width, max_words):
    """Probabilities multiplied, kept by the words; their geometric mean decides."""
    P, live, done = {(start,): 1}, [(start,)], []
    for _ in range(max_words):
        for words in live:
            P |= {(*words, k): P[words] * p for k, p in enumerate(np.exp(step(words)))}
        longer = [(*words, k) for words in live for k in range(5)]
        best = heapq.nlargest(width - len(done), longer, key=P.get)
        done += [words for words in best if words[-1] == stop]
        live = [words for words in best if words[-1] != stop]
    words = max(done or live, key=lambda words: P[words] ** (1 / (len(words) - 1)))
    return [word for word in words if word not in (start, stop)]


def with_slots(step, start, stop, width, max_words):
    """Tensors: a row of words for each slot that is still open."""
    words, live, best = torch.tensor([[start]]), torch.zeros(1), (-math.inf, [])
    for t in range(1, max_words + 1):
        if width > 0:
            log_p = torch.stack([torch.tensor(step(row.tolist())) for row in words])
            scores = (live[:, None] + log_p).flatten()
            live, place = scores.topk(min(width, len(scores)))
            words = torch.hstack([words[place // 5], place[:, None] % 5])
            ended = words[:, -1] == stop
            for score, row in zip(live[ended] / t, words[ended, 1:-1], strict=True):
                best = max(best, (score.item(), row.tolist()))
            words, live, width = words[~ended], live[~ended], width - int(ended.sum())
    return words[live.argmax(), 1:].tolist() if best[0] == -math.inf else best[1]


def with_a_running_count(step, start, stop, references, max_words):
    """One sentence after the other."""
    right = 0
    for b, reference in enumerate(references):
        said = with_a_while_loop(partial(step, b), start, stop, max_words)
        right += sum(map(int.__eq__, said, reference))
    return right / sum(map(len, references))


def with_numpy(step, start, stop, references, max_words):
    """NumPy: no word, -1, behind what is written."""
    hits = []
    for b, reference in enumerate(references):
        said = by_calling_itself(partial(step, b), start, stop, max_words)
        said += [-1] * len(reference)
        hits.extend(np.equal(said[: len(reference)], reference))
    return np.mean(hits)


def with_tensors(step, start, stop, references, max_words):
    """All sentences a step at a time, as in a batch; -1 behind the first stop."""
    words = torch.full((len(references), 1), start)
    for _ in range(max_words):
        log_p = [torch.as_tensor(step(b, w.tolist())) for b, w in enumerate(words)]
        words = torch.cat([words, torch.stack(log_p).argmax(-1, keepdim=True)], dim=1)
    words = words.masked_fill((words == stop).cumsum(1) > 0, -1)[:, 1:].tolist()
    hits = [sum(map(int.__eq__, *pair)) for pair in zip(words, references, strict=True)]
    return sum(hits) / sum(map(len, references))


ATTEMPTS = {
    "cross_attention": {
        cross_looping: RIGHT,
        cross_with_einsum: RIGHT,
        cross_of_torch: RIGHT,
    },
    "word_loss": {
        word_by_word: RIGHT,
        with_weights: RIGHT,
        with_an_ignored_id: RIGHT,
    },
    "smoothed_loss": {
        smoothed_as_a_mixture: RIGHT,
        smoothed_of_torch: RIGHT,
        smoothed_with_einsum: RIGHT,
    },
    "greedy": {
        with_a_while_loop: RIGHT,
        by_calling_itself: RIGHT,
        cut_in_the_end: RIGHT,
    },
    "beam_search": {
        with_lists: RIGHT,
        with_a_heap: RIGHT,
        with_slots: RIGHT,
    },
    "words_right": {
        with_a_running_count: RIGHT,
        with_numpy: RIGHT,
        with_tensors: RIGHT,
    },
}
