"""`check_greedy`, `check_beam_search`: writing word by word."""

from collections.abc import Sequence

import numpy as np

from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.reference import beam_search, greedy


class Table:
    """A model of words that knows only the last one: a row of probabilities after each."""

    def __init__(self, rows: Sequence[Sequence[float]]):
        self.rows = rows

    def __call__(self, words: Sequence[int]) -> np.ndarray:
        return np.log(self.rows[int(words[-1])])

    def __repr__(self) -> str:
        rows = "\n".join(f"  after {word}: {list(row)}" for word, row in enumerate(self.rows))
        return f"step(words), log of the probabilities of the words 0 ... {len(self.rows) - 1}:\n{rows}"


def no_special_words(seen: Seen) -> str | None:
    """Neither start nor stop belongs to what was written."""
    words = list(seen.got["words"])
    for name in ("start", "stop"):
        if seen.inputs[name] in words:
            return f"your result holds {name}, {seen.inputs[name]}. It is a sign, not a word: leave it out."
    return None


def not_too_long(seen: Seen) -> str | None:
    """At most max_words."""
    n, most = len(seen.got["words"]), seen.inputs["max_words"]
    return f"your result has {n} words, and max_words is {most}." if n > most else None


TASK = (
    "`step(words)` gives the log-probabilities of every next word, an array (N_words,), for the tuple of words so "
    "far, `start` first. Words are whole numbers from 0."
)
TAKE = "word = int(np.argmax(step(tuple(words))))"

TALK = Table(
    [
        [0.1, 0.5, 0.1, 0.2, 0.1],
        [0.1, 0.1, 0.2, 0.5, 0.1],
        [0.3, 0.4, 0.1, 0.1, 0.1],
        [0.5, 0.1, 0.1, 0.1, 0.2],
        [0.2, 0.1, 0.4, 0.1, 0.2],
    ]
)
ENDS = Table([[0.1, 0.2, 0.3, 0.4], [0.6, 0.1, 0.1, 0.2], [0.1, 0.1, 0.2, 0.6], [0.1, 0.3, 0.5, 0.1]])

check_greedy = Check(
    name="greedy",
    reference=greedy,
    gives={"words": ""},
    task="Write `greedy(step, start, stop, max_words)`: take the likeliest word each time, until it is `stop` or "
    f"max_words words were taken (`stop` counted). {TASK} Return the list of words without `start` and `stop`.",
    cases=(
        Case("a model that stops", {"step": TALK, "start": 4, "stop": 3, "max_words": 10}),
        Case("a model that is cut off", {"step": TALK, "start": 0, "stop": 4, "max_words": 3}),
        Case("a model that stops at once", {"step": ENDS, "start": 2, "stop": 3, "max_words": 5}),
        Case("another start", {"step": ENDS, "start": 1, "stop": 3, "max_words": 5}),
    ),
    mutants=(
        Mutant(
            "another start symbol",
            (("words = [start]", "words = [0]"),),
            "Your decoder begins with 0, whatever `start` is. It must begin with what it read first in training.",
            seen="annotated-transformer 127",
        ),
        Mutant(
            "never stops",
            (("if word == stop:", "if False:"),),
            "Yours writes on after `stop`, until max_words. The sentence is over: leave the loop.",
        ),
        Mutant(
            "stop kept",
            (
                (
                    "        if word == stop:\n            break\n        words.append(word)",
                    "        words.append(word)\n        if word == stop:\n            break",
                ),
            ),
            "Your result ends with `stop`. Look whether the word is `stop` before you keep it.",
        ),
        Mutant(
            "start kept",
            (("return words[1:]\n", "return words\n"),),
            "Your result begins with `start`. It is what the decoder read, not what it wrote.",
        ),
        Mutant(
            "one word too few",
            (
                (
                    "    words = [start]\n    for _ in range(max_words):",
                    "    words = [start]\n    for _ in range(max_words - 1):",
                ),
            ),
            "Yours is cut off one word early: max_words steps may be taken.",
        ),
        Mutant(
            "does not read its own words",
            ((TAKE, "word = int(np.argmax(step((start,))))"),),
            "Your `step` is always given `start` alone, so the model says its first word for ever. Give it all the "
            "words so far, those it wrote itself.",
        ),
        Mutant(
            "the unlikeliest word",
            ((TAKE, TAKE.replace("argmax", "argmin")),),
            "You take the word with the smallest log-probability. They are negative, and the likeliest is the "
            "largest: argmax.",
        ),
    ),
    laws=(no_special_words, not_too_long),
)

PICK = "_, words = max(finished or live, key=lambda one: one[0] / (len(one[1]) - 1))"
BEST = "best = sorted(longer, reverse=True)[: width - len(finished)]"
LIVE = "live = [one for one in best if one[1][-1] != stop]"
SURE = Table([[0.27, 0.54, 0.04, 0.15], [0.15, 0.07, 0.51, 0.27], [0.46, 0.11, 0.37, 0.06], [0.02, 0.42, 0.12, 0.44]])
LATE = Table([[0.1, 0.14, 0.12, 0.64], [0.15, 0.06, 0.28, 0.51], [0.29, 0.31, 0.33, 0.07], [0.25, 0.33, 0.32, 0.1]])
SLOW = Table([[0.71, 0.11, 0.16, 0.02], [0.09, 0.31, 0.43, 0.17], [0.16, 0.23, 0.19, 0.42], [0.44, 0.35, 0.07, 0.14]])

check_beam_search = Check(
    name="beam_search",
    reference=beam_search,
    gives={"words": ""},
    task=f"Write `beam_search(step, start, stop, width, max_words)`. {TASK} Keep a list of beginnings, at first only "
    "`start`. At each step extend every one of them by every word, and keep, of all these, the `width` with the "
    "largest sums of log-probabilities. Those of them that end in `stop` are finished sentences: set them aside, and "
    "keep one beginning less from then on for each. End when there is none to keep, or after max_words steps. Of the "
    "finished sentences return the one with the largest sum divided by its number of words, `stop` counted; only if "
    "none was finished, the best beginning in the same measure. Return the list of words without `start` and `stop`.",
    cases=(
        Case(
            "a sentence that greedy decoding misses", {"step": SURE, "start": 3, "stop": 2, "width": 3, "max_words": 5}
        ),
        Case("a short sentence and a better one", {"step": LATE, "start": 3, "stop": 1, "width": 3, "max_words": 5}),
        Case("a tempting loop", {"step": SLOW, "start": 3, "stop": 2, "width": 3, "max_words": 6}),
    ),
    mutants=(
        Mutant(
            "not divided by the length",
            ((PICK, PICK.replace("one[0] / (len(one[1]) - 1)", "one[0]")),),
            "You take the sentence with the largest sum. Every word makes the sum smaller, so short sentences win. "
            "Divide by the number of words before you choose.",
        ),
        Mutant(
            "stop not counted",
            ((PICK, PICK.replace("len(one[1]) - 1", "max(len(one[1]) - 2, 1)")),),
            "You divide by the number of words without `stop`. The sum holds the log-probability of `stop`, so the "
            "number must count it.",
        ),
        Mutant(
            "finished sentences go on",
            ((LIVE, "live = best"),),
            "Yours extends sentences that have already ended with `stop`. A finished one is set aside.",
        ),
        Mutant(
            "finished sentences forgotten",
            ((PICK, PICK.replace("finished or live", "live or finished")),),
            "You return a beginning that is still open where a finished sentence was found. Open ones count only if "
            "none was finished.",
        ),
        Mutant(
            "cut off competes",
            ((PICK, PICK.replace("finished or live", "finished + live")),),
            "You compare finished sentences with beginnings that were cut off. Those have not paid for their end: "
            "they count only if no sentence was finished.",
        ),
        Mutant(
            "the first that is finished",
            ((PICK, "_, words = (finished or live)[0]"),),
            "You return the first sentence that was finished. A later one may have a better score: wait for all, then "
            "choose.",
        ),
        Mutant(
            "greedy in disguise",
            ((BEST, BEST.replace("width", "1")),),
            "Yours keeps one beginning only, which is greedy decoding. Keep `width` of them.",
        ),
        Mutant(
            "places filled again",
            ((BEST, BEST.replace("width - len(finished)", "width")),),
            "Where a sentence was finished, yours fills its place with another beginning. Some programs do; here the "
            "place stays empty, or a search need never end.",
        ),
        Mutant(
            "probabilities added",
            (("(log_p + p,", "(log_p + np.exp(p),"),),
            "You add probabilities. The probability of a sentence is their product, so add their logarithms: that is "
            "what `step` gives.",
        ),
    ),
    laws=(no_special_words, not_too_long),
)
