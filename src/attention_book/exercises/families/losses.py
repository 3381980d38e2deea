"""What all checks of a loss over words share: mistakes, laws, inputs."""

from functools import partial
from pathlib import Path

import numpy as np

from attention_book.exercises.arrays import mask, numbers, table
from attention_book.exercises.cases import Case, Example, Law
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import parse
from attention_book.reference import log_softmax

MISTAKES = parse(Path(__file__).with_suffix(".md").read_text("utf-8"), "losses.md")
TASK = "the mean cross-entropy (natural logarithm) of `logits` (B, N_Y, N_words)"

logits = partial(numbers, scale=1.5)
NEAR = logits(4, 2, 3, 4).round() + table("800; 0; 800 / 0; 0; 0")
FAR = table("0.5 -800 1 0.2; 1 0.5 -900 0.3 / 2 0.1 -1 -700; 0.3 0.2 1000 -0.4")


def of_the_right(m, N):
    """What is made of the right mean m of N numbers."""
    return {
        "Your loss is negative, and training would make the right words less likely. "
        "Logarithms of probabilities are negative: put a minus in front.": -m,
        "Your loss is in bits: take the natural logarithm, for nats.": m / np.log(2),
        "You return exp of the loss, the perplexity. The loss is the mean "
        "itself.": np.exp(m),
        "You add up and do not divide, so the loss grows with the batch: divide by the "
        "number of words that count.": m * N,
    }


def of_the_places(s, real):
    """What is made of the surprises s, where `real` is True."""
    means = (s * real).sum(1) / np.maximum(real.sum(1), 1)
    return {
        "You divide by the number of sentences: divide by the number of words that "
        "count.": s[real].sum() / len(s),
        "You average each sentence first, and then the sentences, so a word weighs "
        "more in a sentence where few count. Take one mean over all words of the batch "
        "that count.": means.mean(),
    }


def surprises(example: Example) -> np.ndarray:
    """Minus log P of the right word at each place."""
    log_p, target = log_softmax(example.inputs["logits"]), example.inputs["target"]
    return -np.take_along_axis(log_p, target[..., None], axis=-1)[..., 0]


def not_capped(example: Example) -> str | None:
    """An almost impossible word costs as much as its logit lies below the others."""
    due, loss = example.expected["loss"], float(example.got["loss"])
    if due < 100 or not 0 <= loss < due / 2:
        return None
    return (
        f"a right word was almost impossible, and costs {due:.1f} nats on average; "
        f"yours is {loss:.1f}. Do you keep probabilities away from 0, as in log(p + "
        "1e-9)? log_softmax needs no such help, and still has a gradient there."
    )


def laws_of_means(counts: str) -> tuple[Law, ...]:
    """Give the laws of a mean over the words that count, by the name of the mask."""

    def names(example: Example) -> dict[str, object]:
        s, real = surprises(example), example.inputs[counts]
        return {"s": s, "real": real, "m": s[real].mean(), "N": int(real.sum())}

    hint = (
        "It is the mean of -log P of the word target[b, t], from logits[b, t], over "
        f"the places where `{counts}` is True, and over nothing else."
    )

    def readings(s, real, m, N):
        return [(m, of_the_right(m, N) | of_the_places(s, real))]

    return not_capped, Counted("the loss", readings, hint, names=names)


def cases_of_means(counts: str) -> tuple[Case, ...]:
    """Give the cases of a mean over the words that count, by the name of the mask."""

    def case(name: str, logits: np.ndarray, target: str, marks: str, refuse: str = ""):
        inputs = {"logits": logits, "target": table(target, int), counts: mask(marks)}
        return Case(name, inputs, refuse=refuse)

    no_word = "a mean over no word is no number"
    return (
        case("two sentences", logits(0, 2, 3, 5), "2 0 1; 2 1 0", "100 111"),
        case("logits near 800, and near 0", NEAR, "2 0 3; 1 3 0", "110 001"),
        case("almost impossible words", FAR, "1 0; 3 2", "11 11"),
        case(
            "a batch in which nothing counts", NEAR, "2 0 3; 1 3 0", "000 000", no_word
        ),
    )
