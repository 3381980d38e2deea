"""Right ways to write decoding."""

import heapq

import numpy as np
import torch


def greedy_with_while(step, start, stop, max_words):
    """A list that grows."""
    words = []
    while len(words) < max_words:
        log_p = list(step((start, *words)))
        word = log_p.index(max(log_p))
        if word == stop:
            return words
        words.append(word)
    return words


def greedy_with_tensors(step, start, stop, max_words):
    """A tensor that grows, cut at the first stop."""
    words = torch.tensor([start])
    for _ in range(max_words):
        log_p = torch.as_tensor(step(tuple(words.tolist())))
        words = torch.cat([words, log_p.argmax().view(1)])
    after = words[1:].tolist()
    return after[: after.index(stop)] if stop in after else after


def greedy_by_itself(step, start, stop, max_words):
    """A function that calls itself, and returns a tuple."""

    def rest(words, left):
        word = max(range(len(step(words))), key=lambda w: step(words)[w])
        return () if left == 0 or word == stop else (word, *rest((*words, word), left - 1))

    return rest((start,), max_words)


def beam_with_heap(step, start, stop, width, max_words):
    """The largest of a heap, in plain Python."""
    live, done = {(start,): 0.0}, {}
    for _ in range(max_words):
        longer = {(*words, w): p + q for words, p in live.items() for w, q in enumerate(step(words))}
        kept = heapq.nlargest(width - len(done), longer, key=longer.get)
        done |= {words: longer[words] for words in kept if words[-1] == stop}
        live = {words: longer[words] for words in kept if words[-1] != stop}
        if not live:
            break
    pool = done or live
    best = max(pool, key=lambda words: pool[words] / (len(words) - 1))
    return [word for word in best[1:] if word != stop]


def beam_with_topk(step, start, stop, width, max_words):
    """Tensors: all continuations in one table, the best by topk."""
    live, scores, done, open_places = [[start]], torch.zeros(1, dtype=torch.double), [], width
    for _ in range(max_words):
        table = scores[:, None] + torch.stack([torch.as_tensor(step(tuple(words))) for words in live])
        values, flat = table.flatten().topk(min(open_places, table.numel()))
        chosen = [
            (v, [*live[i // table.shape[1]], i % table.shape[1]]) for v, i in zip(values, flat.tolist(), strict=True)
        ]
        done += [(v / (len(words) - 1), words[1:-1]) for v, words in chosen if words[-1] == stop]
        rest = [(v, words) for v, words in chosen if words[-1] != stop]
        open_places = width - len(done)
        if not rest or open_places == 0:
            break
        scores, live = torch.stack([v for v, _ in rest]), [words for _, words in rest]
    ranked = done or [(v / (len(words) - 1), words[1:]) for v, words in rest]
    return max(ranked, key=lambda one: one[0])[1]


def beam_with_numpy(step, start, stop, width, max_words):
    """NumPy: sort the negative scores."""
    beams, finished = [([start], 0.0)], []
    for length in range(1, max_words + 1):
        scores = np.concatenate([p + np.asarray(step(tuple(words))) for words, p in beams])
        N_words = len(scores) // len(beams)
        new = []
        for place in np.argsort(-scores)[: width - len(finished)]:
            words = [*beams[place // N_words][0], int(place % N_words)]
            if words[-1] == stop:
                finished.append((words[1:-1], scores[place] / length))
            else:
                new.append((words, scores[place]))
        beams = new
        if not beams:
            break
    if not finished:
        finished = [(words[1:], p / max_words) for words, p in beams]
    return sorted(finished, key=lambda one: one[1])[-1][0]


STYLES = {
    "greedy": (greedy_with_while, greedy_with_tensors, greedy_by_itself),
    "beam_search": (beam_with_heap, beam_with_topk, beam_with_numpy),
}
