"""`check_words_right`: how good is a model when it writes alone?"""

import numpy as np

from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import greedy, words_right

NEXT = {1: 3, 3: 4, 4: 2}  # words are 3 and 4, [START] is 1, [STOP] 2


class Writer:
    """A model with a text of its own for each sentence; off it, the last word decides.

    So its own mistakes lead it astray, and one right word puts it right again.
    """

    def __init__(self, *texts: str) -> None:
        self.texts = [[*map(int, text)] for text in texts]

    def __call__(self, b, words):
        words, text = [*map(int, words)], self.texts[b]
        known = len(words) < len(text) and words == text[: len(words)]
        log_p = np.full(5, -4.0)
        log_p[text[len(words)] if known else NEXT.get(words[-1], 3)] = -0.2
        return log_p

    def __repr__(self) -> str:
        return f"step(b, words); left alone, it writes {self.texts}"


def _written(name: str, texts: str, references: str, max_words: int) -> Case:
    """Text and reference of each sentence, both as digits."""
    references = [[*map(int, words)] for words in references.split()]
    step = Writer(*texts.split())
    return Case(
        name, step=step, start=1, stop=2, references=references, max_words=max_words
    )


def word_by_word(example: Example) -> str | None:
    """Show what the model writes alone, and how many words are right."""
    step, start, stop, references, max_words = example.inputs.values()
    share, due = example.got["share"], example.expected["share"]
    if np.isclose(share, due, atol=1e-4):
        return None
    written = [
        greedy(lambda words, b=b: step(b, words), start, stop, max_words)
        for b in range(len(references))
    ]
    total = sum(map(len, references))
    return (
        f"alone, the model writes {written}; the references are {references}. That is "
        f"{due * total:.0f} right words of {total}, {due:.3f}; you return {share:.3f}."
    )


check_words_right = Check(
    name="words_right",
    reference=words_right,
    gives={"share": ""},
    task="How good is a model when it writes alone? Write `words_right(step, start, "
    "stop, references, max_words)`: for each reference b (a list of word ids, without "
    "start and stop) decode greedily with `step(b, words)`, the log-probabilities of "
    "the next word after the words so far, `start` first, until it is `stop` or "
    "max_words words were taken (`stop` counted). Word t of a reference is right if it "
    "is word t of what was written. Return the share of the references' words, all "
    "counted together, that are right.",
    cases=(
        _written("a wrong word leads astray", "1342 14342 132 142", "34 343 4 344", 5),
        _written("texts cut off", "13423 1343434 13342", "3443 34343 334", 4),
        _written("texts that end early", "132 1432 13342 12", "343 43 334 4", 3),
    ),
    mutants=read_mistakes(__file__)["words_right"],
    laws=(word_by_word,),
)
