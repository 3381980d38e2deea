"""Write a sentence with a model that knows how likely each word is after a hypothesis.

    greedy       y_t = argmax_y P(y | y_1 ... y_{t-1})
    beam search  keeps the `width` likeliest hypotheses, so that a word that looks worse
    now may still win

Hypotheses of one length are compared by log P. Sentences have more factors the longer
they are, so they are compared per word, log P / |y|, where |y| counts [STOP]; other
divisors are in use [wu2016google].
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_count

Step = Callable[[tuple[int, ...]], Float[np.ndarray, "N_words"]]


class Hypothesis(NamedTuple):
    """Words so far, [START] first, and log P of all of them."""

    words: tuple[int, ...]
    log_p: float


def greedy(step: Step, start: int, stop: int, max_words: int) -> list[int]:
    """Write the likeliest next word until it is [STOP].

    `step(words)` gives log P of each next word, shape (N_words,), after the words so
    far, the first of which is `start`. `max_words` counts [STOP]; what is returned has
    neither it nor [START].
    """
    check_count("max_words", max_words)
    words: tuple[int, ...] = (start,)
    for _ in range(max_words):
        word = int(next_log_p(step, words).argmax())
        if word == stop:
            break
        words = (*words, word)
    return list(words[1:])


def beam_search(
    step: Step, start: int, stop: int, width: int, max_words: int
) -> list[int]:
    """Write the best sentence among those that `width` slots find.

    A hypothesis that writes [STOP] is a sentence: it is never continued, and keeps its
    slot. The search ends when all slots hold sentences, or at `max_words`. What is cut
    off there is no sentence, and is taken only if there is none.

    The sentence with the largest log P per word wins. `width` may be larger than the
    vocabulary; with 1, this is `greedy`.
    """
    check_count("width", width)
    check_count("max_words", max_words)
    sentences: list[Hypothesis]
    live, sentences = [Hypothesis((start,), 0.0)], []
    for _ in range(max_words):
        longer = [each for hypothesis in live for each in extended(step, hypothesis)]
        longer.sort(key=lambda hypothesis: hypothesis.log_p, reverse=True)
        kept = longer[: width - len(sentences)]
        sentences += [hypothesis for hypothesis in kept if hypothesis.words[-1] == stop]
        live = [hypothesis for hypothesis in kept if hypothesis.words[-1] != stop]
    best = max(sentences or live, key=per_word)
    return [word for word in best.words[1:] if word != stop]


def extended(step: Step, hypothesis: Hypothesis) -> list[Hypothesis]:
    """Add every word that is possible to a hypothesis."""
    log_p = next_log_p(step, hypothesis.words)
    possible = np.flatnonzero(np.isfinite(log_p))
    return [
        Hypothesis(
            (*hypothesis.words, int(word)), hypothesis.log_p + float(log_p[word])
        )
        for word in possible
    ]


def per_word(hypothesis: Hypothesis) -> float:
    """Divide log P by the number of words, [STOP] included and [START] not."""
    return hypothesis.log_p / (len(hypothesis.words) - 1)


def next_log_p(step: Step, so_far: tuple[int, ...]) -> np.ndarray:
    """Ask for log P of each next word."""
    log_p = np.asarray(step(so_far))
    if (
        log_p.ndim != 1
        or log_p.size == 0
        or np.isnan(log_p).any()
        or not (log_p > -np.inf).any()
    ):
        raise ValueError(
            f"step gave {log_p} after {so_far}, expected log P of each word, shape "
            "(N_words,)"
        )
    return log_p
