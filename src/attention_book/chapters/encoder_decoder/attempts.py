"""Attempts to write a decoder that looks back, its losses, and its sentences."""

import heapq
import math
import statistics
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT
from attention_book.reference import smoothed_loss


def cross_looping(S, X, W_Q, W_K, W_V, visible):
    if S.ndim == 3:
        matrices = W_Q, W_K, W_V
        batch = zip(S, X, visible, strict=True)
        each = [cross_looping(s, x, *matrices, seen) for s, x, seen in batch]
        return tuple(map(np.array, zip(*each, strict=True)))
    A = []
    for s, may_attend in zip(S, visible, strict=True):
        e_t = np.array([s @ W_Q @ W_K.T @ x for x in X]) / np.sqrt(W_Q.shape[1])
        e_t -= e_t[may_attend].max()
        A.append(np.exp(np.minimum(e_t, 0)) * may_attend / sum(np.exp(e_t[may_attend])))
    return np.array(A) @ X @ W_V, np.array(A)


def cross_of_one(S, X, W_Q, W_K, W_V, visible):
    """Without a batch."""
    E = (S @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    powers = np.where(visible, np.exp(E), 0)
    A = powers / powers.sum(1, keepdims=True)
    return A @ X @ W_V, A


def cross_with_einsum(S, X, W_Q, W_K, W_V, visible):
    E = np.einsum("...ts,sq,xq,...ix->...ti", S, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    E = np.where(visible, E, -np.inf)
    A = np.exp(E - np.logaddexp.reduce(E, axis=-1, keepdims=True))
    return np.einsum("...ti,...ix,xv->...tv", A, X, W_V), A


def cross_of_torch(S, X, W_Q, W_K, W_V, visible):
    Q, K, V = S @ W_Q, X @ W_K, X @ W_V
    E = Q.matmul(K.mT).mul(W_Q.size(1) ** -0.5)
    A = F.log_softmax(E + visible.float().log(), dim=-1).exp()
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=visible), A


def word_by_word(logits, target, real):
    surprises = []
    for scores, word in zip(logits[real].tolist(), target[real], strict=True):
        others = sum(math.exp(score - max(scores)) for score in scores)
        surprises.append(math.log(others) + max(scores) - scores[word])
    return statistics.mean(surprises)


def with_weights(logits, target, real):
    assert real.any(), "no word"
    shifted = logits - logits.max(-1, keepdims=True)
    picked = (np.eye(logits.shape[-1])[target] * shifted).sum(-1)
    return np.average(np.log(np.exp(shifted).sum(-1)) - picked, weights=real)


def with_an_ignored_id(logits, target, real):
    if not real.any():
        raise ValueError("no word")
    return F.cross_entropy(logits.transpose(1, 2), target.masked_fill(~real, -100))


def smoothed_as_a_mixture(logits, target, epsilon):
    costs = np.logaddexp.reduce(logits, axis=-1, keepdims=True) - logits
    plain = np.take_along_axis(costs, target[..., None], axis=-1).mean()
    return (1 - epsilon) * plain + epsilon * costs.mean()


def smoothed_of_torch(logits, target, epsilon):
    return F.cross_entropy(logits.mT, target, label_smoothing=epsilon)


def smoothed_with_einsum(logits, target, epsilon):
    N_words = logits.shape[-1]
    q = epsilon / N_words + (1 - epsilon) * np.eye(N_words)[target]
    log_p = logits - np.logaddexp.reduce(logits, axis=2, keepdims=True)
    return -np.einsum("btw,btw->", q, log_p) / target.size


def with_a_while_loop(step, start, stop, max_words):
    words = [start]
    while len(words) <= max_words and words[-1] != stop:
        words.append(np.argmax(step(words)))
    return [int(word) for word in words[1:] if word != stop]


def by_calling_itself(step, start, stop, max_words, written=()):
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
    right = 0
    for b, reference in enumerate(references):
        said = with_a_while_loop(partial(step, b), start, stop, max_words)
        right += sum(map(int.__eq__, said, reference))
    return right / sum(map(len, references))


def with_numpy(step, start, stop, references, max_words):
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


def as_a_long_double(logits, target, epsilon):
    """A number of NumPy's with more digits."""
    return np.longdouble(smoothed_loss(logits, target, epsilon))


def tensors_in_a_list(step, start, stop, max_words):
    words = [torch.tensor(start)]
    while len(words) <= max_words:
        words.append(torch.from_numpy(step(words)).argmax())
        if words[-1] == stop:
            return words[1:-1]
    return words[1:]


ATTEMPTS = {
    "cross_attention": {
        cross_looping: RIGHT,
        cross_with_einsum: RIGHT,
        cross_of_torch: RIGHT,
        edited(
            cross_of_torch, "dim=-1", "dim=1"
        ): "as A is something else: A sums to 1",
        edited(cross_with_einsum, "W_Q.shape[1]", "X.shape[-1]"): "divide the dot",
        edited(cross_with_einsum, "-np.inf", "-100"): "Its score must be -inf when the",
        edited(cross_of_one, " / np.sqrt(W_Q.shape[1])", ""): "And on a batch of three",
        edited(cross_of_one, "(1, k", "(0, k"): "over the steps, each column",
        edited(
            cross_of_torch, "Q, K, V =", "assert visible.any(-2).all(); Q, K, V ="
        ): "inputs than steps there is an answer to give",
    },
    "word_loss": {
        word_by_word: RIGHT,
        with_weights: RIGHT,
        with_an_ignored_id: RIGHT,
        edited(with_weights, "- picked", "- np.maximum(picked, -20)"): "log(p + 1e-9)",
        edited(with_weights, "=real)", "=real) + 0.05"): "the loss is off",
        edited(with_an_ignored_id, "not real.any()", "False"): "a mean over no word is",
    },
    "smoothed_loss": {
        smoothed_as_a_mixture: RIGHT,
        smoothed_of_torch: RIGHT,
        smoothed_with_einsum: RIGHT,
        as_a_long_double: RIGHT,
        edited(smoothed_of_torch, "=epsilon", "=0"): "epsilon is not used",
        edited(smoothed_with_einsum, "epsilon / N_words", "epsilon"): "to every word",
        edited(smoothed_as_a_mixture, "costs.mean()", "1.4"): "of all words sum to 1?",
    },
    "greedy": {
        with_a_while_loop: RIGHT,
        by_calling_itself: RIGHT,
        cut_in_the_end: RIGHT,
        tensors_in_a_list: RIGHT,
        edited(tensors_in_a_list, "words[1:-1]", "words[1:]"): "which is [STOP]",
        edited(with_a_while_loop, "len(words) <=", "len(words) <"): "you wrote 4 words",
        edited(with_a_while_loop, "step(words)", "step(words[-1:])"): "all the words",
        edited(with_a_while_loop, "    return", "        return"): "stand inside the",
        edited(with_a_while_loop, " and words[-1] != stop", ""): "[STOP] has P = 0.35",
        edited(tensors_in_a_list, "words[1:]\n", "[]\n"): "you return nothing where no",
        edited(with_a_while_loop, "len(words) <= max_words and", ""): "computed for",
        lambda step, start, stop, max_words: [0.5]: "which is no id",
        edited(
            tensors_in_a_list, "argmax()", "topk(1).indices"
        ): "list of numbers; got",
    },
    "beam_search": {
        with_lists: RIGHT,
        with_a_heap: RIGHT,
        with_slots: RIGHT,
        edited(with_lists, "(p / (", "(np.exp(p) / ("): "compare log P per word?",
        edited(
            with_lists, "(len(words) - 1)", "(len(words) - 1) ** 0.5"
        ): "such as its root",
        edited(
            with_lists, "(len(words) - 1)", "((4 + len(words)) / 6) ** 0.6"
        ): "or by a length penalty",
        edited(with_lists, "[: width - len(done)]", ""): "no more and no others",
        edited(with_lists, "done or live)", "done or [(0, [1, stop])])"): "you return",
        edited(with_lists, "range(max_words)", "range(1)"): "stand inside the loop?",
    },
    "words_right": {
        with_a_running_count: RIGHT,
        with_numpy: RIGHT,
        with_tensors: RIGHT,
        edited(with_numpy, "np.equal(", "np.isin("): "[0 3 1 3] of the [1 5 1 5]",
        edited(with_tensors, "w.tolist()", "w[-1:].tolist()"): "step takes all the",
        edited(with_a_running_count, "right +=", "right += 1 +"): "the share is off",
    },
}
