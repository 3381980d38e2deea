"""`check_word_loss` and `check_smoothed_loss`: what training makes small."""

import numpy as np

from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.losses import (
    FAR,
    MISTAKES,
    NEAR,
    TASK,
    cases_of_means,
    laws_of_means,
    logits,
    not_capped,
    of_the_right,
    surprises,
)
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import log_softmax, smoothed_loss, word_loss

OWN = read_mistakes(__file__)

check_word_loss = Check(
    name="word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task=f"Write `word_loss(logits, target, real)`: {TASK} over the real words of a "
    "batch, whose ids are in `target` (B, N_Y). `real` (B, N_Y) is False where there "
    "is padding, which may hold any id. If no word is real, raise ValueError.",
    cases=cases_of_means("real"),
    mutants=(*OWN["word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("real"),
)

EACH = "Together all words share it, the right one as well: epsilon / N_words each."


def shares(r, o, e, K, m, N, N_Y, s, target):
    """Of the surprises of the right word, r, and of all others together, o."""
    others = {
        "Your loss is plain cross-entropy: epsilon is not used.": r,
        "You also divide by the number of words in the vocabulary, as .mean() does "
        "over everything, and kl_div unless told otherwise: sum over the words.": m / K,
        "Your shares sum to 1 + epsilon: what is handed out must be taken from the "
        "right word, which keeps 1 - epsilon.": r + e / K * (r + o),
        "Your shares sum to less than 1: you divide epsilon by "
        f"N_words, but only the wrong words get their part. {EACH}": (1 - e) * r
        + e / K * o,
        f"You give epsilon to every wrong word. {EACH}": (1 - e) * r + e * o,
        "You give epsilon to every word (or add up surprises "
        f"where their mean belongs). {EACH}": (1 - e) * r + e * (r + o),
        "You divide by the number of sentences: divide by that of all places.": m * N_Y,
        "You leave out the places whose word has the id 0, as if that were padding. "
        "Here it is a word, and every place counts.": s[target != 0].mean(),
        "You leave out the last place of each sentence.": s[:, :-1].mean(),
        "You leave epsilon to the right word and spread 1 - epsilon. It "
        "is the other way round: epsilon is small, and is what is "
        "spread.": e * r + (1 - e) / K * (r + o),
    }
    return [(m, others | of_the_right(m, N))]


def means(example: Example) -> dict[str, object]:
    """What the readings of a smoothed loss are made of, averaged over the places."""
    scores, target, e = example.inputs.values()
    K, N_Y = scores.shape[-1], target.shape[-1]
    each, m = surprises(example), example.expected["loss"]
    every = -log_softmax(scores).sum(axis=-1)
    s, r = (1 - e) * each + e / K * every, each.mean()
    named = {"r": r, "o": every.mean() - r, "e": e, "K": K, "m": m, "N": target.size}
    return named | {"N_Y": N_Y, "s": s, "target": target}


def case(name: str, logits: np.ndarray, target: str, epsilon: float) -> Case:
    return Case(name, logits=logits, target=table(target, int), epsilon=epsilon)


check_smoothed_loss = Check(
    name="smoothed_loss",
    reference=smoothed_loss,
    gives={"loss": ""},
    task=f"Write `smoothed_loss(logits, target, epsilon)`: {TASK} over all places, "
    "with label smoothing. `epsilon` is spread evenly over all N_words words, the "
    "right one, target[b, t], included: 1 - epsilon + epsilon / N_words for that one.",
    cases=(
        case("epsilon 0.1", logits(5, 2, 3, 4), "2 3 1; 3 0 2", 0.1),
        case("epsilon 0, no smoothing", logits(7, 2, 3, 4), "1 2 3; 2 2 1", 0.0),
        case("logits near 800, and near 0", NEAR, "2 1 3; 1 3 1", 0.2),
        case("almost impossible words", FAR, "1 3; 1 2", 0.3),
    ),
    mutants=(*OWN["smoothed_loss"], *MISTAKES["log P"]),
    laws=(
        not_capped,
        Counted(
            "the loss",
            shares,
            names=means,
            hint="Do the shares of all words sum to 1? The loss is minus the sum of "
            "share times log P over the words, and its mean over the places; what is "
            "smoothed are the shares, and not P.",
        ),
    ),
)
