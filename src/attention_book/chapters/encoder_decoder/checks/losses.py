"""`check_word_loss` and `check_smoothed_loss`: what training makes small."""

from functools import partial

import numpy as np

from attention_book.exercises.arrays import mask, numbers, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.losses import (
    FAR,
    MISTAKES,
    NEAR,
    SAFE,
    TASK,
    all_words_alike,
    cases_of_means,
    laws_of_means,
    not_below_zero,
    not_capped,
    surprises,
    value,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import log_softmax, smoothed_loss, word_loss

OWN = read_mistakes(__file__)
logits = partial(numbers, scale=1.5)

check_word_loss = Check(
    name="word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task=f"Write `word_loss(logits, target, real)`: {TASK}`real`, bool of shape (B, "
    "N_Y), is True where there is a word and False where there is padding, which may "
    "hold any id. Return one number, the mean cross-entropy (natural logarithm) over "
    f"all real words of the batch. {SAFE} If no word is real, raise ValueError.",
    cases=cases_of_means(
        "real",
        Case(
            "padding behind the shorter sentence",
            logits=logits(0, 2, 3, 4),
            target=table("2 3 1; 3 0 0", int),
            real=mask("111 100"),
        ),
        Case(
            "gaps, padding that holds words, and word 0",
            logits=logits(1, 3, 4, 3),
            target=table("0 2 1 1; 1 1 2 0; 2 0 1 2", int),
            real=mask("1101 1000 1110"),
        ),
        Case(
            "a sentence that is padding only",
            logits=logits(8, 2, 3, 4),
            target=table("2 0 1; 3 1 2", int),
            real=mask("110 000"),
        ),
        nothing="nothing but padding",
    ),
    mutants=(*OWN["word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("real"),
)


SHARES = (
    ("1", "0"),
    ("1 + epsilon / N_words", "epsilon / N_words"),
    ("1 - epsilon", "epsilon / N_words"),
    ("1", "epsilon"),
    ("1 - epsilon", "epsilon"),
    ("epsilon + (1 - epsilon) / N_words", "(1 - epsilon) / N_words"),
)


def shares_sum_to_one(example: Example) -> str | None:
    """Find the shares of the right word and of the others that give this loss."""
    if np.isclose(value(example), example.expected["loss"]):
        return None
    epsilon, N_words = example.inputs["epsilon"], example.inputs["logits"].shape[-1]
    right = surprises(example)
    others = -log_softmax(example.inputs["logits"]).sum(axis=-1) - right
    for shares in SHARES:
        r, o = (
            eval(share, {"epsilon": epsilon, "N_words": N_words}) for share in shares
        )
        if np.isclose(value(example), (r * right + o * others).mean(), atol=1e-5):
            return (
                f"in your target the right word has a share of {shares[0]}, and every "
                f"other {shares[1]}: {r + (N_words - 1) * o:.2f} together. All words "
                "share epsilon, the right one as well: epsilon / N_words each, and 1 - "
                "epsilon on top for the right one, which makes 1."
            )
    return None


def between_right_and_any(example: Example) -> str | None:
    """Keep the loss between its two parts: the plain loss, and that of all words."""
    plain = float(surprises(example).mean())
    uniform = -float(log_softmax(example.inputs["logits"]).mean())
    low, high = sorted((plain, uniform))
    if low - 1e-3 <= value(example) <= high + 1e-3:
        return None
    return (
        f"the plain cross-entropy is {plain:.3f}, and that of a target with all words "
        f"alike {uniform:.3f}. With 1 - epsilon of the one and epsilon of the other, "
        f"the loss lies between them; yours is {value(example):.3f}. Do the shares of "
        "all words sum to 1?"
    )


def case(name: str, logits: np.ndarray, target: str, epsilon: float) -> Case:
    return Case(name, logits=logits, target=table(target, int), epsilon=epsilon)


check_smoothed_loss = Check(
    name="smoothed_loss",
    reference=smoothed_loss,
    gives={"loss": ""},
    task="Write `smoothed_loss(logits, target, epsilon)`, cross-entropy with label "
    f"smoothing: {TASK}`epsilon`, from 0 to 1, is spread evenly over all N_words "
    "words, the right one included. So the right word has a share of 1 - epsilon + "
    "epsilon / N_words in the target, and every other word epsilon / N_words. Return "
    f"one number, the mean cross-entropy (natural logarithm) over all places. {SAFE}",
    cases=(
        case("epsilon 0.1", logits(5, 2, 3, 4), "2 3 1; 3 1 2", 0.1),
        case("epsilon 0.6, more words", logits(6, 3, 2, 5), "4 1; 2 3; 1 1", 0.6),
        case("epsilon 0, no smoothing", logits(7, 2, 3, 4), "1 2 3; 2 2 1", 0.0),
        case("word 0", logits(9, 2, 3, 4), "0 3 1; 2 0 0", 0.3),
        case("logits near 800", NEAR, "2 1 3; 1 3 1", 0.2),
        case("logits near -800", NEAR - 1600, "2 1 3; 1 3 1", 0.2),
        case("words that are almost impossible", FAR, "1 3; 1 2", 0.3),
        case("all words equally likely", np.full((2, 3, 4), 0.7), "2 3 1; 3 1 2", 0.2),
    ),
    mutants=(*OWN["smoothed_loss"], *MISTAKES["log P"]),
    laws=(
        not_below_zero,
        all_words_alike,
        not_capped,
        shares_sum_to_one,
        between_right_and_any,
    ),
)
