"""Greedy decoding, beam search, and how many words are right when a model writes alone.

All with a model that knows what may come next.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from attention_book.exercises.arrays import numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import beam_search, greedy, log_softmax, words_right

MISTAKES = read_mistakes(__file__)


@dataclass(frozen=True)
class Step:
    """A model of five words: what comes next depends on the sum of all words so far."""

    seed: int
    start: int

    @property
    def log_P(self) -> np.ndarray:
        """Log P of each next word, a row for each sum modulo 5; [START] is unlikely."""
        scores = numbers(self.seed, 5, 5, scale=1.5)
        scores[:, self.start] = -2
        return log_softmax(scores)

    def __call__(self, words: Any, b: Any = 0) -> np.ndarray:
        """Give log P of each next word after all words so far, ids, of sentence b."""
        several = isinstance(words, tuple | list) or np.ndim(words) == 1
        if not several or any(map(np.ndim, words)) or int(words[0]) != self.start:
            raise ValueError(
                f"step takes all the words so far, [START] = {self.start} first, as a "
                f"tuple or list of numbers; got {words!r}"
            )
        return self.log_P[sum(map(int, words), int(b)) % 5]

    def __repr__(self) -> str:
        rows = np.exp(self.log_P).round(2)
        return f"log P, with P in row (sum of b and all words so far) % 5 of\n{rows}"


class StepOfMany(Step):
    """The same for many sentences: what comes next depends on b, too."""

    def __call__(self, b: Any, words: Any) -> np.ndarray:
        return super().__call__(words, b)


def sentence(
    name: str,
    seed: int,
    start: int = 1,
    stop: int = 2,
    model: type[Step] = Step,
    **more: Any,
) -> Case:
    return Case(name, step=model(seed, start), start=start, stop=stop, **more)


def only_words(example: Example) -> str | None:
    """Whole numbers that are ids of words."""
    names = {example.inputs["start"]: "[START]", example.inputs["stop"]: "[STOP]"}
    for word in example.got["words"]:
        whole = type(word) is int
        if not whole or word in names or not 0 <= word < 5:
            kind = names.get(word, "no id") if whole else "no id"
            return (
                f"words holds {word!r}, which is {kind}. Give back the ids of the "
                "words between [START] and the first [STOP]."
            )
    return None


def kept_if_cut_off(example: Example) -> str | None:
    """What was cut off at max_words is returned, if all else is right."""
    every = (example, *example.among)
    cut = [len(it.expected["words"]) == it.inputs["max_words"] for it in every]
    due = [
        {"words": []} if c else it.expected for c, it in zip(cut, every, strict=True)
    ]
    if not cut[0] or [it.got for it in every] != due:
        return None
    return (
        "you return nothing where no [STOP] came until `max_words`: what is written by "
        "then is the answer."
    )


def as_long_as_asked(example: Example) -> str | None:
    """At most max_words words; so many if the right sentence is cut off there."""
    words, due = [*example.got["words"]], [*example.expected["words"]]
    most = example.inputs["max_words"]
    if len(words) <= most and (len(due) < most or words != due[:-1]):
        return None
    return (
        f"you wrote {len(words)} words with `max_words` {most}, and no [STOP] came: "
        "all that the model writes is counted, [STOP] too, but not [START]."
    )


def ends_after_one_round(example: Example) -> str | None:
    """Whoever writes one word everywhere leaves the loop too soon."""
    every = example.among or [example]
    most, due = (
        max(len(r["words"]) for r in some)
        for some in zip(*((it.got, it.expected) for it in every), strict=True)
    )
    if most != 1 or due == 1:
        return None
    return (
        "you never write more than one word. Does your `return` stand inside the loop? "
        "It ends the function in the first round."
    )


def always_the_likeliest(example: Example) -> str | None:
    """Every word, and the end, is the likeliest there."""
    step, start, stop, most = example.inputs.values()
    words = (start,)
    for word in [*example.got["words"], stop][:most]:
        log_P = step(words)
        best = int(log_P.argmax())
        if word != best:
            did, due = ("[STOP]" if w == stop else f"{w}" for w in (word, best))
            return (
                f"after {' '.join(map(str, words))} you wrote {did}, with P = "
                f"{np.exp(log_P[word]):.2f}; {due} has P = {np.exp(log_P[best]):.2f}."
            )
        words = (*words, word)
    return None


def score(example: Example, words: list[int]) -> tuple[float, int]:
    """Give log P of a sentence with its [STOP], and how many words that are."""
    step, start, stop, _, most = example.inputs.values()
    written = [*words, stop][:most]
    log_p = [step((start, *written[:t]))[word] for t, word in enumerate(written)]
    return float(sum(log_p)), len(written)


POWERS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1.1, 1.2, 1.5, 2.0)
DIVISORS = (lambda n, a: n**a, lambda n, a: ((5 + n) / 6) ** a)


@cache
def searches() -> list[Callable[..., list[int]]]:
    """Make beam searches that divide log P of n words by something else than n."""

    def divided(divisor: Callable[..., float], a: float) -> Callable[..., list[int]]:
        def per_word(beginning):
            return beginning.log_p / divisor(len(beginning.words) - 1, a)

        return swap(per_word=per_word)(beam_search)

    others = [divided(DIVISORS[0], a) for a in POWERS]
    return others + [divided(DIVISORS[1], a) for a in (1.0, *POWERS)]


def another_divisor(example: Example) -> str | None:
    """Sentences are compared by log P over something else than their length."""
    every = (example, *example.among)
    if not any(
        all(it.got["words"] == search(**it.inputs) for it in every)
        for search in searches()
    ):
        return None
    return (
        "you divide log P by another number than that of the words, it seems: by a "
        "power of it, such as its root, or by a length penalty. These are conventions, "
        "too; here it is the number of words itself, [STOP] included."
    )


def best_per_word(example: Example) -> str | None:
    """Compare the reader's sentence with the right one by log P per word."""
    inputs, got, want = example.inputs, example.got["words"], example.expected["words"]
    if got == want:
        return None
    (theirs, n), (ours, N) = (score(example, words) for words in (got, want))
    if len(got) == n and len(want) < N:
        why = "Yours was cut off: take that only if no sentence is finished."
    elif n < N and len(want) < N and theirs / n < ours / N:
        why = (
            "The better one ends later. Do you find it (go on until all slots hold "
            "sentences, or `max_words`, but not with what has ended), and compare log "
            "P per word?"
        )
    else:
        why = (
            "Keep the `width` beginnings with the largest sum of log P, no more and no "
            "others, and what is finished in its slot; divide by the words in the end."
        )
    return (
        f"your sentence {got} has log P = {theirs:.2f}, {theirs / n:.2f} for each of "
        f"{n} words with [STOP], {inputs['stop']}; {want} has {ours:.2f}, "
        f"{ours / N:.2f} for each of {N}. {why}"
    )


FOUR = [[0], [3, 4, 3, 0, 0], [3], [0, 3, 4, 3, 3]]  # two are longer than max_words
THREE = [[0], [4, 0, 3, 4, 3], [0, 0, 0, 0]]  # written: 0 0 0 0 / 3 / 0 0 0 0
STOP_COUNTED = (
    "You count [STOP] as a word of the reference. The references' words are counted, "
    "and they have no [STOP]."
)


def shares(hits, due, wrote, most):
    """What people take for the share, of words that are right, due and written."""
    right, ended = hits.sum(), wrote == due
    others = {
        "You give the share of sentences without a mistake. That is worth knowing too, "
        "but here words are counted.": ((hits == due) & ended).mean(),
        "You average each sentence and then the sentences, so a word in a short one "
        "counts more. Count all words together.": (hits / due).mean(),
        "You divide by the longer of the two, reference and output. Divide by the "
        "number of words there should be.": right / np.maximum(due, wrote).sum(),
        STOP_COUNTED: (right + ended.sum()) / (due + 1).sum(),
        f"{STOP_COUNTED} Nor does one that the model wrote make a hit.": (
            hits + ended * (wrote < most)
        ).sum()
        / (due + 1).sum(),
        "You count the right words. Divide by the number of words there should "
        "be.": float(right),
        "You give the share in percent: it is a number from 0 to 1.": 100
        * right
        / due.sum(),
        "You divide by the number of words the model wrote: whoever stops early looks "
        "good. Divide by the words there should be.": right / wrote.sum(),
    }
    return [(right / due.sum(), others)]


def counts(example: Example) -> dict[str, Any]:
    """Of each sentence: words that are right, that should be, and that are written."""
    step, *limits, references, most = example.inputs.values()
    numbered = range(len(references))
    alone = [greedy(lambda w, b=b: step(b, w), *limits, most) for b in numbered]
    hits = [sum(map(int.__eq__, *pair)) for pair in zip(alone, references, strict=True)]
    due, wrote = ([*map(len, sentences)] for sentences in (references, alone))
    arrays = map(np.array, (hits, due, wrote))
    return dict(zip(("hits", "due", "wrote"), arrays, strict=True), most=most)


check_greedy = Check(
    name="greedy",
    reference=greedy,
    gives={"words": ""},
    task="Write `greedy(step, start, stop, max_words)`: take the likeliest next word, "
    "by `step(words)` of all words so far, `start` first, until it is `stop` or there "
    "are `max_words` of them, [STOP] included. Return the words without both.",
    cases=(
        sentence("a sentence that is cut off", 46, max_words=5),
        sentence("other ids for [START] and [STOP]", 72, start=3, stop=0, max_words=4),
        sentence("nothing to say", 16, max_words=4),
    ),
    mutants=MISTAKES["decoding"],
    laws=(
        only_words,
        kept_if_cut_off,
        ends_after_one_round,
        as_long_as_asked,
        always_the_likeliest,
    ),
)

check_beam_search = Check(
    name="beam_search",
    reference=beam_search,
    gives={"words": ""},
    task="Write `beam_search(step, start, stop, width, max_words)`: of all "
    "continuations keep the likeliest, `width` less one for each sentence that is "
    "finished. Return the finished one with the largest log P per word, with [STOP].",
    cases=(
        sentence("no sentence finished", 210, start=3, stop=0, width=3, max_words=5),
        sentence("an early end", 134, width=4, max_words=5),
        sentence("a late end", 131, width=4, max_words=5),
        sentence("two words", 215, width=4, max_words=5),
        sentence("one word twice", 296, width=4, max_words=5),
        sentence("two slots", 1464, start=3, stop=0, width=2, max_words=5),
        sentence("more slots than words", 33, width=6, max_words=5),
        sentence("a single word", 288, start=3, stop=0, width=4, max_words=5),
        # what is divided by a root or another power of the length ends elsewhere
        sentence("a short end and a long one", 481, width=4, max_words=5),
        sentence("two ends", 2390, width=4, max_words=5),
        sentence("an end that is better by little", 3591, width=4, max_words=5),
        sentence("a longer end that is worse by little", 2106, width=4, max_words=5),
    ),
    mutants=(*MISTAKES["decoding"], *MISTAKES["beam_search"]),
    laws=(
        only_words,
        kept_if_cut_off,
        ends_after_one_round,
        as_long_as_asked,
        another_divisor,
        best_per_word,
    ),
)

check_words_right = Check(
    name="words_right",
    reference=words_right,
    gives={"share": ""},
    task="Write `words_right(step, start, stop, references, max_words)`: the share of "
    "the references' words, all counted together, that a model has right, each in its "
    "place, when it writes alone: greedily, sentence b with `step(b, words)`.",
    cases=(
        sentence("four sentences", 217, model=StepOfMany, references=FOUR, max_words=4),
        sentence(
            "outputs longer than their references",
            362,
            model=StepOfMany,
            references=THREE,
            max_words=4,
        ),
    ),
    mutants=MISTAKES["words_right"],
    laws=(
        Counted(
            "the share",
            shares,
            names=counts,
            hint="Let the model write sentence b with step(b, words), on its own words "
            "from start to stop or max_words. Alone it writes {wrote} words; {hits} of "
            "the {due} in the references stand in their place.",
        ),
    ),
)
