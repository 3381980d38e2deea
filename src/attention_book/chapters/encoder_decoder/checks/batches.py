"""`check_contexts`, `check_words_right`: mistakes that no single function shows, only a program that is run."""

import numpy as np

from attention_book.chapters.attention_layer.checks.attention import numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import not_negative, rows_sum_to_one
from attention_book.exercises.mutants import Mutant
from attention_book.reference import contexts, words_right

MASKED = (
    "a = softmax(np.where(padding_mask(np.asarray(lengths), h.shape[1]), e, -np.inf))"
)
WRITTEN = "greedy(lambda words, b=b: step(b, words), start, stop, max_words)"
COUNTED = "return hits / sum(map(len, references))"


def padding_gets_nothing(example: Example) -> str | None:
    """No weight behind a sentence's length."""
    for b, (row, length) in enumerate(
        zip(np.asarray(example.got["a"]), example.inputs["lengths"], strict=True)
    ):
        if abs(row[length:]).max(initial=0) > 1e-6:
            return f"sentence {b} has {length} words, and a[{b}] gives weight to what stands behind them."
    return None


class Models:
    """A model of two words a sentence can be made of, right most of the time: its own mistake leads it astray."""

    table = (  # sentence: next word after each last word; words are 3 and 4, [START] 1, [STOP] 2
        {1: 3, 3: 4, 4: 2},
        {1: 4, 4: 3, 3: 3},
        {1: 3, 3: 2, 4: 2},
        {1: 4, 4: 2, 3: 4},
    )

    def __call__(self, b, words):
        log_p = np.full(5, -4.0)
        log_p[self.table[b].get(int(words[-1]), 3)] = -0.2
        return log_p

    def __repr__(self) -> str:
        return f"step(b, words); the likeliest word after each, by sentence: {list(self.table)}"


class Remembering:
    """A model that knows all the words so far: it says what comes next in a text of its own, sentence by sentence."""

    texts = ((1, 3, 4, 2, 3), (1, 3, 4, 3, 4, 3, 4), (1, 3, 3, 4, 2))

    def __call__(self, b, words):
        log_p, text, n = np.full(5, -4.0), self.texts[b], len(words)
        log_p[
            text[n] if tuple(map(int, words)) == text[:n] and n < len(text) else 2
        ] = -0.2
        return log_p

    def __repr__(self) -> str:
        return f"step(b, words); the likeliest words, as long as words is the beginning: {list(self.texts)}"


check_contexts = Check(
    name="contexts",
    reference=contexts,
    gives={"c": "B D_S", "a": "B N_X"},
    task="Write `contexts(s, h, lengths)`: one attention step in each sentence of a batch. s has shape (B, D_S), h "
    "(B, N_X, D_S), and of sentence b only the first lengths[b] rows are words, the "
    "others are padding. Dot scores, softmax over the words; return the contexts (B, "
    "D_S) and the weights (B, N_X), 0 on padding. A sentence must get the same "
    "context whatever finite numbers its padding holds. Every sentence has a word.",
    cases=(
        Case(
            "three sentences",
            {"s": numbers(0, 3, 4), "h": numbers(1, 3, 5, 4), "lengths": [3, 5, 1]},
        ),
        Case(
            "no padding at all",
            {"s": numbers(2, 2, 4), "h": numbers(3, 2, 3, 4), "lengths": [3, 3]},
        ),
        Case(
            "padding of zeros",
            {
                "s": numbers(4, 2, 4),
                "h": numbers(5, 2, 4, 4) * [[[1], [1], [0], [0]]],
                "lengths": [2, 1],
            },
        ),
        Case(
            "one sentence with large scores",
            {
                "s": numbers(8, 2, 4) * [[1], [400]],
                "h": numbers(9, 2, 3, 4),
                "lengths": [3, 2],
            },
        ),
        Case(
            "padding of large numbers",
            {
                "s": numbers(6, 2, 4),
                "h": numbers(7, 2, 4, 4) * [[1], [1], [1e10], [-1e10]],
                "lengths": [2, 2],
            },
        ),
    ),
    mutants=(
        Mutant(
            "padding not hidden",
            ((MASKED, "a = softmax(e)"),),
            "A sentence's context depends on how much padding its batch got. A model "
            "that is trained so learns to count on the padding, and collapses when it "
            "is tested on a sentence alone, without any. Set the scores of padding to "
            "-inf.",
            seen="pytorch/tutorials 3643, pytorch-seq2seq 152; trained with padding, tested without: PyTorch's "
            "tutorial of 2023",
        ),
        Mutant(
            "padding hidden after the softmax",
            (
                (
                    MASKED,
                    "a = softmax(e) * padding_mask(np.asarray(lengths), h.shape[1])",
                ),
            ),
            "You take the weight off the padding after the softmax. The words keep "
            "less than 1 between them, and how much less depends on the batch. Hide "
            "the scores before.",
        ),
        Mutant(
            "padding with a score of 0",
            (
                (
                    MASKED,
                    "a = softmax(e * padding_mask(np.asarray(lengths), h.shape[1]))",
                ),
            ),
            "You set the scores of padding to 0. exp(0) is 1, so padding still gets "
            "weight. -inf is the score of what may not be looked at.",
        ),
        Mutant(
            "as long as the first sentence",
            (
                (
                    MASKED,
                    "a = softmax(np.where(np.arange(h.shape[1]) < lengths[0], e, "
                    "-np.inf))",
                ),
            ),
            "You cut every sentence to the length of the first. Each has its own: "
            "lengths[b].",
        ),
        Mutant(
            "the last word hidden",
            (
                (
                    MASKED,
                    "a = softmax(np.where(np.arange(h.shape[1]) < "
                    "np.maximum(np.asarray(lengths)[:, None] - 1, 1), e, -np.inf))",
                ),
            ),
            "You hide each sentence's last word. Positions count from 0: words are "
            "those below lengths[b].",
        ),
    ),
    laws=(
        not_negative("a"),
        padding_gets_nothing,
        rows_sum_to_one("a", over="the words", instead="the sentences"),
    ),
)

check_words_right = Check(
    name="words_right",
    reference=words_right,
    gives={"share": ""},
    task="How good is a model when it writes alone? Write `words_right(step, start, stop, references, max_words)`: "
    "for each reference b (a list of word ids, without start and stop) decode "
    "greedily with `step(b, words)`, the log-probabilities of the next word after the "
    "words so far, `start` first, until it is `stop` or max_words words were taken "
    "(`stop` counted). Word t of a reference is right if it is word t of what was "
    "written. Return the share of the references' words, all counted together, that "
    "are right.",
    cases=(
        Case(
            "one wrong word that leads astray",
            {
                "step": Models(),
                "start": 1,
                "stop": 2,
                "references": [[3, 4], [3, 3, 3], [4], [3, 4, 4]],
                "max_words": 5,
            },
        ),
        Case(
            "sentences that remember, and are cut off",
            {
                "step": Remembering(),
                "start": 1,
                "stop": 2,
                "references": [[3, 4, 4, 3], [3, 4, 3, 4, 3], [3, 3, 4]],
                "max_words": 4,
            },
        ),
        Case(
            "sentences that end too early",
            {
                "step": Models(),
                "start": 1,
                "stop": 2,
                "references": [[3, 4, 3], [4, 3], [3, 3, 4], [4]],
                "max_words": 3,
            },
        ),
    ),
    mutants=(
        Mutant(
            "teacher forcing at test time",
            (
                (
                    WRITTEN,
                    "[int(np.argmax(step(b, (start, *references[b][:t])))) for t in "
                    "range(len(references[b]))]",
                ),
            ),
            "Your model is fed the right words while it is tested, so each of its "
            "mistakes is repaired before the next word, and it never has to find the "
            "end. Give it its own words, from start to stop.",
        ),
        Mutant(
            "mean of sentence means",
            (
                (
                    COUNTED,
                    "shares = [np.mean([w == r for w, r in zip([*said, *[None] * "
                    "len(right)], right)])\n        for said, right in zip(written, "
                    "references, strict=True)]\n    return float(np.mean(shares))",
                ),
            ),
            "You average each sentence and then the sentences, so a word in a short "
            "one counts more. Count all words together.",
        ),
        Mutant(
            "divided by what was written",
            ((COUNTED, "return hits / sum(map(len, written))"),),
            "You divide by the number of words the model wrote: whoever stops early "
            "looks good. Divide by the words there should be.",
        ),
        Mutant(
            "sentences counted, not words",
            (
                (
                    COUNTED,
                    "return float(np.mean([said == [*right] for said, right in "
                    "zip(written, references)]))",
                ),
            ),
            "You give the share of sentences without a mistake. That is worth knowing "
            "too, but here words are counted.",
        ),
        Mutant(
            "every sentence read by the first",
            (
                (
                    WRITTEN,
                    "greedy(lambda words: step(0, words), start, stop, max_words)",
                ),
            ),
            "You let the model write the first sentence again and again. Sentence b "
            "is step(b, ...); in a loop, a lambda sees the loop's variable as it is "
            "when it is called.",
        ),
    ),
)
