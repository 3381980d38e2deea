"""Right ways to write a sentence: loops, recursion, a heap, tensors with slots."""

import heapq
from math import inf

import numpy as np
import torch


def with_a_while_loop(step, start, stop, max_words):
    """A list that grows."""
    words = [start]
    while len(words) <= max_words:
        y = np.argmax(step(words))
        if y == stop:
            break
        words.append(y)
    return [int(y) for y in words[1:]]


def by_calling_itself(step, start, stop, max_words, written=()):
    """No loop: the rest of the sentence is written by the same function."""
    log_p = step((start, *written)).tolist()
    word = max(range(len(log_p)), key=log_p.__getitem__)
    if word == stop:
        return [*written]
    written = (*written, word)
    if len(written) == max_words:
        return [*written]
    return by_calling_itself(step, start, stop, max_words, written)


def cut_in_the_end(step, start, stop, max_words):
    """Always `max_words` words, as a batch would be written, and then cut."""
    words = torch.tensor([start])
    for _ in range(max_words):
        logits = torch.from_numpy(step(words))
        words = torch.cat([words, logits.argmax(dim=-1, keepdim=True)])
    ids = words[1:].tolist()
    return ids[: ids.index(stop)] if stop in ids else ids


def with_lists(step, start, stop, width, max_words):
    """Pairs of log P and words, sorted; ends as soon as no slot is left."""
    live, done = [(0.0, [start])], []
    for _ in range(max_words):
        found = []
        for log_p, words in live:
            for word, more in enumerate(step(words)):
                found.append((log_p + more, [*words, word]))
        found = sorted(found, reverse=True)[: width - len(done)]
        done = done + [pair for pair in found if pair[1][-1] == stop]
        live = [pair for pair in found if pair[1][-1] != stop]
        if not live:
            break
    finished = [(log_p / (len(words) - 1), words[1:-1]) for log_p, words in done]
    cut_off = [(log_p / (len(words) - 1), words[1:]) for log_p, words in live]
    return max(finished or cut_off)[1]


def with_a_heap(step, start, stop, width, max_words):
    """Probabilities multiplied; of each beginning only its `width` best words."""
    beam, sentences = [(1.0, ())], {}
    while beam and max_words:
        max_words -= 1
        room = width - len(sentences)
        longer = (
            (p * P[word], (*words, word))
            for p, words in beam
            for P in [np.exp(step((start, *words)))]
            for word in heapq.nlargest(width, range(len(P)), key=P.__getitem__)
        )
        best = heapq.nlargest(room, longer)
        beam = [(p, words) for p, words in best if words[-1] != stop]
        sentences |= {words: p for p, words in best if words[-1] == stop}
    scores = sentences or {words: p for p, words in beam}
    words = max(scores, key=lambda words: scores[words] ** (1 / len(words)))
    return [int(word) for word in words if word != stop]


def with_slots(step, start, stop, width, max_words):
    """Tensors: `width` rows of words; -inf where a slot is finished or unused."""
    words = torch.full((width, 1), start)
    live = torch.tensor([0.0] + [-inf] * (width - 1), dtype=torch.float64)
    room, best, best_score = width, None, -inf
    for t in range(1, max_words + 1):
        log_p = torch.stack([torch.from_numpy(step(row.tolist())) for row in words])
        scores, place = (live.unsqueeze(1) + log_p).flatten().topk(width)
        scores[room:] = -inf
        row, word = place // log_p.shape[1], place % log_p.shape[1]
        words = torch.cat([words[row], word.unsqueeze(1)], dim=1)
        for k in torch.nonzero((word == stop) & scores.isfinite()).flatten().tolist():
            room -= 1
            if scores[k] / t > best_score:
                best, best_score = words[k, 1:-1].tolist(), scores[k] / t
        live = scores.masked_fill(word == stop, -inf)
    return words[live.argmax(), 1:].tolist() if best is None else best


STYLES = {
    "greedy": (with_a_while_loop, by_calling_itself, cut_in_the_end),
    "beam_search": (with_lists, with_a_heap, with_slots),
}
