"""Writing a sentence word by word, in its plainest form: `step` says how likely each next word is.

Greedy decoding takes the likeliest word each time. Beam search keeps the `width` likeliest beginnings, so that a word
that looks worse now may still win:

    score(y) = log P(y) / |y|      |y| counts [STOP]

`decoding` has both for batches and models, and a length penalty that can be chosen.
"""

from collections.abc import Callable, Sequence

import numpy as np

Step = Callable[[tuple[int, ...]], Sequence[float]]


def greedy(step: Step, start: int, stop: int, max_words: int) -> list[int]:
    """Take the likeliest word each time, until it is `stop`.

    Parameters
    ----------
    step : callable
        `step(words)` gives the log-probability of every next word, (N_words,), after the words so far, `start` first.
    start, stop : int
        What is read first, and what is said when the sentence is done.
    max_words : int
        Longest output, `stop` included.

    Returns
    -------
    list of int
        The words, without `start` and `stop`.
    """
    words = [start]
    for _ in range(max_words):
        word = int(np.argmax(step(tuple(words))))
        if word == stop:
            break
        words.append(word)
    return words[1:]


def beam_search(step: Step, start: int, stop: int, width: int, max_words: int) -> list[int]:
    """Keep the `width` likeliest beginnings, and take the finished sentence with the best score.

    A beginning that ends in `stop` is a sentence: it is set aside and its place stays empty, so `width` places give
    `width` sentences. What is cut off after `max_words` words counts only where no sentence was finished.

    Parameters and result are those of `greedy`; `width` is the number of places.
    """
    live, finished = [(0.0, (start,))], []
    for _ in range(max_words):
        longer = [(log_p + p, (*words, word)) for log_p, words in live for word, p in enumerate(step(words))]
        best = sorted(longer, reverse=True)[: width - len(finished)]
        finished += [one for one in best if one[1][-1] == stop]
        live = [one for one in best if one[1][-1] != stop]
        if not live:
            break
    _, words = max(finished or live, key=lambda one: one[0] / (len(one[1]) - 1))
    return [word for word in words[1:] if word != stop]
