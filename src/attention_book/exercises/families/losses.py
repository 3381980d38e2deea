"""What all checks of a loss over words share: mistakes, laws, inputs."""

from pathlib import Path

import numpy as np

from attention_book.exercises.arrays import mask, numbers, table
from attention_book.exercises.cases import Case, Example, Law
from attention_book.exercises.mistakes import parse
from attention_book.reference import log_softmax

BESIDE = Path(__file__).with_suffix(".md")
MISTAKES = parse(BESIDE.read_text("utf-8"), BESIDE.name)

TASK = (
    "logits of shape (B, N_Y, N_words), the scores of all words at each place; "
    "`target` of shape (B, N_Y), the ids of the right words, logits[b, t] belonging to "
    "target[b, t]; "
)
SAFE = "The logits are finite; near 1000, or far apart, they must do no harm."
NEAR = 800 + numbers(4, 2, 3, 4, scale=1.5).round()
FAR = table("0.5 -800 1 0.2; 1 0.5 -900 0.3 / 2 0.1 -1 -700; 0.3 0.2 0.7 -0.4")


def surprises(example: Example) -> np.ndarray:
    """Minus log P of the right word at each place."""
    log_p, target = log_softmax(example.inputs["logits"]), example.inputs["target"]
    return -np.take_along_axis(log_p, target[..., None], axis=-1)[..., 0]


def value(example: Example) -> float:
    """Give the loss as a number."""
    return float(np.asarray(example.got["loss"]))


def not_below_zero(example: Example) -> str | None:
    """A surprise is never negative."""
    if value(example) >= 0:
        return None
    return (
        f"your loss is {value(example):.3f}, and training would make the right words "
        "less likely. Logarithms of probabilities are negative: put a minus in front."
    )


def all_words_alike(example: Example) -> str | None:
    """Where all words are equally likely, the loss is log N_words."""
    logits = example.inputs["logits"]
    due = float(np.log(logits.shape[-1]))
    if np.ptp(logits) > 0 or abs(value(example) - due) < 1e-3:
        return None
    return (
        f"where all words are equally likely, the loss is log {logits.shape[-1]} = "
        f"{due:.3f}, whichever word is right. Yours is {value(example):.3f}."
    )


def not_capped(example: Example) -> str | None:
    """An almost impossible word costs as much as its logit lies below the others."""
    due = float(example.expected["loss"])
    if due < 100 or value(example) > due / 2:
        return None
    return (
        f"a right word was almost impossible, and costs {due:.1f} nats on average; "
        f"yours is {value(example):.1f}. Do you keep probabilities away from 0, as in "
        "log(p + 1e-9)? log_softmax needs no such help, and still has a gradient there."
    )


def between_the_surprises(counts: str) -> Law:
    """Keep the mean between the smallest and the largest of what it is taken over."""

    def law(example: Example) -> str | None:
        kept = surprises(example)[example.inputs[counts]]
        low, high, loss = float(kept.min()), float(kept.max()), value(example)
        if low - 1e-3 <= loss <= high + 1e-3:
            return None
        few = "Do you divide by too few, by the number of sentences, or not at all?"
        hint = "Do you divide by too many?" if loss < low else few
        return (
            f"the {len(kept)} words that count have surprises from {low:.3f} to "
            f"{high:.3f}, so their mean lies between. Yours is {loss:.3f}. {hint}"
        )

    return law


def laws_of_means(counts: str) -> tuple[Law, ...]:
    """Give the laws of a mean over the words that count, by the name of the mask."""
    return not_below_zero, all_words_alike, not_capped, between_the_surprises(counts)


def cases_of_means(counts: str, *own: Case, nothing: str) -> tuple[Case, ...]:
    """Put the cases that every such mean needs behind those of one exercise."""
    target = table("2 0 3; 1 3 0", int)

    def case(name: str, logits: np.ndarray, marks: str, target: np.ndarray = target):
        return Case(name, {"logits": logits, "target": target, counts: mask(marks)})

    nobody = case(nothing, NEAR, "000 000")
    nobody.refuse = "a mean over no word is no number"
    return (
        *own,
        case("logits near 800", NEAR, "110 011"),
        case("logits near -800", NEAR - 1600, "101 110"),
        case("almost impossible words", FAR, "11 11", table("1 0; 3 2", int)),
        case("all words equally likely", np.full((2, 3, 4), 0.7), "110 100"),
        nobody,
    )
