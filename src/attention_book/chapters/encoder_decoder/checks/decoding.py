"""`check_greedy` and `check_beam_search`: writing a sentence with a model that knows
what may come next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import beam_search, greedy

Row = tuple[float, ...]
MISTAKES = read_mistakes(__file__)


@dataclass(frozen=True)
class Step:
    """A model that has counted what comes after what.

    P of the next word, by the longest ending that it knows. Not a function, so that a
    verdict can show what it knows, and that two copies are equal.
    """

    after: tuple[tuple[tuple[int, ...], Row], ...]
    otherwise: Row

    def __call__(self, words: Any) -> np.ndarray:
        """Give log P of each next word after a tuple, list, array or tensor of ids."""
        return np.log(self.P(words))

    def P(self, words: Any) -> Row:
        """Give P of each next word."""
        if isinstance(words, int) or getattr(words, "ndim", 1) == 0:
            raise TypeError(
                "step takes all the words so far, as a tuple or list, got the single "
                f"word {words!r}"
            )
        read, known = tuple(map(int, words)), dict(self.after)
        endings = (read[k:] for k in range(len(read)))  # the longest first
        return next((known[end] for end in endings if end in known), self.otherwise)

    def __repr__(self) -> str:
        rows = [(" ".join(map(str, ending)), row) for ending, row in self.after]
        lines = [
            f"  ... {ending:5} | {' '.join(f'{p:.2f}'[1:] for p in row)}"
            for ending, row in [*rows, ("else", self.otherwise)]
        ]
        ids = "   ".join(map(str, range(len(self.otherwise))))
        head = ["log P of the next word, with P =", f"  after     |  {ids}"]
        return "\n".join([*head, *lines])


def model(text: str) -> Step:
    """Read a `Step` from "words: probabilities in hundredths; ...", the rest last."""
    pairs = [part.split(":") for part in text.split(";")]
    rows = [tuple(int(p) / 100 for p in right.split()) for _, right in pairs]
    endings = [tuple(map(int, left.split())) for left, _ in pairs[:-1]]
    return Step(tuple(zip(endings, rows, strict=False)), rows[-1])


def sentence(
    name: str, text: str, start: int = 1, stop: int = 2, **limits: int
) -> Case:
    """Make a case of a model, the ids of [START] and [STOP], and the limits."""
    return Case(name, step=model(text), start=start, stop=stop, **limits)


def only_words(example: Example) -> str | None:
    """Whole numbers that are ids of words."""
    start, stop = example.inputs["start"], example.inputs["stop"]
    N_words = len(example.inputs["step"].otherwise)
    for word in example.got["words"]:
        if type(word) is not int or not 0 <= word < N_words:
            return (
                f"words holds {word!r}, which is no id. Give back whole numbers from 0 "
                f"to {N_words - 1}."
            )
        if word in (start, stop):
            name = "[START]" if word == start else "[STOP]"
            return (
                f"words holds {word}, which is {name}. Give back the words between "
                "[START] and [STOP] only."
            )
    return None


def not_too_long(example: Example) -> str | None:
    """At most max_words words."""
    count, most = len(example.got["words"]), example.inputs["max_words"]
    return (
        f"you wrote {count} words, and max_words is {most}." if count > most else None
    )


def always_the_likeliest(example: Example) -> str | None:
    """Every word, and the end, is the likeliest there."""
    step, stop = example.inputs["step"], example.inputs["stop"]
    written, words = [*example.got["words"]], (example.inputs["start"],)
    if len(written) < example.inputs["max_words"]:
        written.append(stop)
    for word in written:
        P = step.P(words)
        best = int(np.argmax(P))
        if word != best:
            did = "you stopped" if word == stop else f"you wrote {word}"
            due = "[STOP]" if best == stop else str(best)
            return (
                f"after {' '.join(map(str, words))} {did}, with P = {P[word]:.2f}; "
                f"{due} has P = {P[best]:.2f}."
            )
        words = (*words, word)
    return None


def best_per_word(example: Example) -> str | None:
    """Compare the reader's sentence with the right one by log P per word."""
    got, want = [*example.got["words"]], [*example.expected["words"]]
    if got == want:
        return None
    (ours, N_ours), (theirs, N_theirs) = (score(example, w) for w in (want, got))
    if len(got) == N_theirs and len(want) < N_ours:
        why = (
            "Yours was cut off at max_words and is no sentence: take it only if none "
            "is finished. Is what ends with [STOP] put on a list of its own?"
        )
    elif theirs / N_theirs > ours / N_ours:
        why = (
            "Yours is better than what `width` slots find: do you keep more than "
            "`width` beginnings?"
        )
    elif N_ours > N_theirs:
        why = (
            "The better one ends later: go on until all slots hold sentences, or "
            "`max_words`. Or did something else take its slot?"
        )
    else:
        why = "Did the better one lose its slot, or do you compare by something else?"
    return (
        f"your sentence {got} has log P = {theirs:.2f} and |y| = {N_theirs} ([STOP] "
        f"counts), {theirs / N_theirs:.2f} per word; {want} has {ours:.2f} and |y| = "
        f"{N_ours}, {ours / N_ours:.2f} per word. {why}"
    )


def score(example: Example, words: Sequence[int]) -> tuple[float, int]:
    """Give log P of a sentence with its [STOP], and how many words that are."""
    step, start, stop, *_, max_words = example.inputs.values()
    written = [*words, stop][:max_words]
    log_p = [step((start, *written[:t]))[word] for t, word in enumerate(written)]
    return float(sum(log_p)), len(written)


check_greedy = Check(
    name="greedy",
    reference=greedy,
    gives={"words": ""},
    task="Write `greedy(step, start, stop, max_words)`: always take the likeliest next "
    "word. `step(words)` gives the log P of each next word, a NumPy array of shape "
    "(N_words,), after all words so far, a tuple or list of ids that begins with "
    "`start`, the id of [START]. Stop at the word `stop`, which is [STOP], or when "
    "`max_words` words are written, [STOP] included. Return the words as a list of "
    "ids, without [START] and [STOP].",
    cases=(
        sentence(
            "a sentence that ends",
            "1: 52 2 8 32 6; 0: 27 2 25 16 30; 3: 20 1 3 60 16; 4: 20 2 33 35 10;"
            "0 1: 29 1 55 4 11; 1 0 4: 18 2 55 11 14; 2: 12 2 25 50 11;"
            "else: 22 2 45 7 24",
            max_words=5,
        ),
        sentence(
            "a sentence that is cut off",
            "1: 51 1 8 34 6; 0: 13 1 33 37 16; 3: 76 1 3 13 7; 4: 35 2 33 4 26;"
            "0 1: 14 1 55 11 19; 2: 12 1 55 18 14; 0 3: 5 1 6 60 28;"
            "else: 24 2 21 34 19",
            max_words=4,
        ),
        sentence("nothing to say", "1: 11 1 59 20 9; else: 30 1 15 20 34", max_words=3),
        sentence(
            "other ids for [START] and [STOP]",
            "3: 8 17 20 1 54; 1: 48 17 10 2 23; 2: 6 29 7 1 57; 4: 21 4 41 2 32;"
            "1 2: 21 7 7 2 63; 4 2: 48 8 27 1 16; 2 1: 21 4 4 1 70; else: 30 61 4 2 3",
            start=3,
            stop=0,
            max_words=4,
        ),
    ),
    mutants=(*MISTAKES["decoding"], *MISTAKES["greedy"]),
    laws=(only_words, not_too_long, always_the_likeliest),
)

check_beam_search = Check(
    name="beam_search",
    reference=beam_search,
    gives={"words": ""},
    task="Write `beam_search(step, start, stop, width, max_words)`. `step(words)` "
    "gives the log P of each next word, a NumPy array of shape (N_words,), after all "
    "words so far, a tuple or list of ids that begins with `start`. Begin with [START] "
    "alone. At every step take all continuations by one word together, and keep those "
    "with the largest sum of log P: `width` of them, less one for every sentence that "
    "was finished before. Those that end with `stop` are finished: set them aside, "
    "they are not continued. End when `width` sentences are finished or `max_words` "
    "words are written, [STOP] included. Of the finished sentences (if there is none: "
    "of what was cut off), return the one with the largest log P divided by its number "
    "of words, [STOP] included, as a list of ids without [START] and [STOP]. No two "
    "are equally likely.",
    cases=(
        sentence(
            "three slots", "1: 4 2 31 6 57; else: 4 1 45 35 15", width=3, max_words=5
        ),
        sentence(
            "four slots", "1: 8 2 14 60 16; else: 4 1 21 66 8", width=4, max_words=5
        ),
        sentence(
            "an early end", "1: 56 1 10 5 28; else: 80 1 10 5 4", width=4, max_words=5
        ),
        sentence(
            "a late end",
            "1: 8 1 42 25 24; 0: 12 1 3 66 18; 3: 17 1 50 1 31; else: 11 1 3 75 10",
            width=3,
            max_words=5,
        ),
        sentence(
            "an end at the last word",
            "1: 44 1 30 12 13; 0: 43 1 1 36 19; 3: 2 1 35 61 1; else: 21 1 56 10 12",
            width=3,
            max_words=5,
        ),
        sentence(
            "more words",
            "1: 53 2 8 31 6; 0: 11 1 72 12 4; 3: 13 1 6 31 49; 1 0: 34 1 39 15 11;"
            "3 1: 18 2 6 6 68; else: 65 1 21 8 5",
            width=3,
            max_words=6,
        ),
        sentence(
            "no sentence finished",
            "1: 7 1 5 26 61; 0: 37 1 30 14 18; 3: 11 1 72 9 7; 4: 56 1 6 4 33;"
            "3 0: 15 2 48 11 24; 2: 12 1 3 5 79; else: 7 2 45 36 10",
            width=2,
            max_words=5,
        ),
        sentence(
            "few words",
            "1: 36 2 5 18 39; 0: 3 1 86 4 6; 3: 10 2 3 30 55; 4: 37 1 3 53 6;"
            "1 3 0: 3 1 12 39 45; 1 3: 17 2 48 27 6; 0 1: 6 1 21 9 63;"
            "else: 28 2 21 17 32",
            width=3,
            max_words=4,
        ),
        sentence(
            "other ids for [START] and [STOP]",
            "3: 5 44 15 2 34; 1: 3 26 30 1 40; 2: 61 4 27 1 7; 4 1: 30 5 6 2 57;"
            "3 4: 48 12 7 1 32; else: 21 36 33 2 8",
            start=3,
            stop=0,
            width=3,
            max_words=4,
        ),
    ),
    mutants=(*MISTAKES["decoding"], *MISTAKES["beam_search"]),
    laws=(only_words, not_too_long, best_per_word),
)
