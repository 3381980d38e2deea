"""`check_word_loss`, `check_masked_word_loss`, `check_smoothed_loss`: what training
makes small.

The first two are one function. What differs is what people get wrong: padding in the
one, BERT's chosen words in the other.
"""

from functools import partial

import numpy as np

from attention_book.exercises import arrays as attention
from attention_book.exercises.checking import Case, Check, Law, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import log_softmax, smoothed_loss, word_loss

LOG_P = "logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)"
EXP = "np.exp(logits - logits.max(axis=-1, keepdims=True))"
SOFTMAX = f"{EXP} / {EXP}.sum(axis=-1, keepdims=True)"
RESHAPED = "logits.reshape(len(logits), -1, logits.shape[1])"
NOTHING = "if real.shape != target.shape or not real.any():"
PICK = "right = np.take_along_axis(log_softmax(logits), target[..., None], axis=-1)[..., 0]"
MINUS = "surprise = -right"
MEAN = "surprise[real].mean()"
Q = "q = (1 - epsilon) * right + epsilon / N_words"
CROSS = "cross_entropy = -(q * log_softmax(logits)).sum(axis=-1)"

# What goes wrong between logits and log P is the same in every loss.
PROBABILITIES = (
    Mutant(
        "logits taken for log-probabilities",
        ((LOG_P, "logits"),),
        "You take the logits as they are, as nll_loss does. They are scores and no "
        "log-probabilities yet: log_softmax over the words comes first (cross_entropy "
        "has it built in).",
    ),
    Mutant(
        "logarithm of the logits",
        ((LOG_P, "np.log(logits)"),),
        "You take the logarithm of the logits themselves: NaN where one is negative. "
        "They are scores and no probabilities: log_softmax over the words comes first.",
    ),
    Mutant(
        "probability without its logarithm",
        ((LOG_P, SOFTMAX),),
        "You average the probability of the right word (nll_loss after softmax does "
        "that). The loss is its negative logarithm: log_softmax in place of softmax.",
    ),
    Mutant(
        "logarithm to base 2",
        ((LOG_P, f"({LOG_P}) / np.log(2)"),),
        "Your loss is in bits, from a logarithm to base 2. It is asked for in nats: "
        "the natural logarithm.",
    ),
    Mutant(
        "softmax done twice",
        ((f"return {LOG_P}", f"logits = {SOFTMAX}\n    return {LOG_P}"),),
        "You apply softmax, and what comes after applies it again: cross_entropy "
        "wants the logits, not probabilities. What lies between 0 and 1 can never be "
        "made sure, so that the loss cannot become small.",
        seen="lightning-bolts 654",
    ),
    Mutant(
        "logarithm of a softmax that has become 0",
        ((LOG_P, f"np.log({SOFTMAX})"),),
        "A word far below the others gets probability 0 from your softmax, and log 0 "
        "is infinite. Do both in one: log_softmax, the logits minus log-sum-exp, "
        "never meets that 0.",
        seen="annotated-transformer 109",
    ),
    Mutant(
        "exp of large logits",
        (
            (
                LOG_P,
                "np.log(np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True))",
            ),
        ),
        "exp of a logit near 1000 overflows, and infinity over infinity is NaN. Take "
        "the largest logit at each place off first, or use log_softmax.",
    ),
    Mutant(
        "exp of large logits inside log-sum-exp",
        ((LOG_P, "logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))"),),
        "The logits minus the logarithm of the sum of their exp is right, but exp of "
        "a logit near 1000 overflows, and of one near -1000 it is 0. Take the largest "
        "logit off first, or use logsumexp, which does so.",
    ),
    Mutant(
        "softmax over the positions",
        ((LOG_P, LOG_P.replace("-1", "-2")),),
        "Your softmax runs over the places of a sentence. At each place the *words* "
        "compete: the last axis of logits.",
    ),
    Mutant(
        "reshaped where it should be transposed",
        (
            (
                f"return {LOG_P}",
                f"logits = np.swapaxes({RESHAPED}, -1, -2)\n    return {LOG_P}",
            ),
        ),
        "You bring the words to another axis with view or reshape, which cuts the "
        "numbers anew and mixes places with words. Swap the axes: transpose(1, 2), as "
        "cross_entropy wants (B, N_words, N_Y). Or flatten the two axes in front.",
        seen="weirme/FCSN 32",
    ),
)


def counting(what: str) -> tuple[Mutant, ...]:
    """Make the mistakes of a mean over the places that count, for an exercise in which these are called `what`."""
    return (
        Mutant(
            "set to 0, but divided by all places",
            ((MEAN, "(surprise * real).mean()"),),
            "You set what does not count to 0, and then divide by the number of all "
            "places: the more there are that do not count, the smaller your loss. "
            f"Divide by the number of {what}.",
            seen="d2l-en 2076, gluon-nlp 238",
        ),
        Mutant(
            "mean of the sentences' means",
            ((MEAN, "((surprise * real).sum(axis=-1) / real.sum(axis=-1)).mean()"),),
            "You average each sentence first, and then the sentences. So a word "
            "weighs more in a sentence where few count, and where none does you "
            f"divide 0 by 0. Take one mean over all {what} of the batch.",
        ),
        Mutant(
            "sum and no mean",
            ((MEAN, "surprise[real].sum()"),),
            "You add up and do not divide, so that the loss grows with the batch. "
            f"Divide by the number of {what}.",
        ),
        Mutant(
            "divided by the number of sentences",
            ((MEAN, "surprise[real].sum() / len(target)"),),
            f"You divide by the number of sentences. Divide by the number of {what}.",
        ),
        Mutant(
            "minus forgotten",
            ((MINUS, "surprise = right"),),
            "Your loss is negative, and training would make the right words less "
            "likely. Logarithms of probabilities are negative: put a minus in front.",
        ),
        Mutant(
            "mask the wrong way round",
            ((MEAN, "surprise[~real].mean()"),),
            f"You score what does not count, and leave out the {what}. True means "
            "that it counts.",
            seen="Bert-Chinese-Text-Classification-Pytorch 176",
        ),
        Mutant(
            "NaN where nothing counts",
            ((NOTHING, "if False:"),),
            "If nothing counts, you divide 0 by 0 and return NaN, which training "
            "spreads to all weights. Raise a ValueError.",
        ),
        Mutant(
            "0 where nothing counts",
            (
                (NOTHING, "if False:"),
                (MEAN, "(surprise[real].sum() / max(real.sum(), 1))"),
            ),
            "If nothing counts, you return 0, the best loss there is, and nobody "
            "notices that the batch is empty. Raise a ValueError.",
        ),
        Mutant(
            "target one place ahead",
            (
                (
                    PICK,
                    "logits, target, real = logits[:, :-1], target[:, 1:], real[:, "
                    f"1:]\n    {PICK}",
                ),
            ),
            "You compare the logits of one place with the word of the next, as "
            "language models do whose target is their own input. Here `target` is "
            "already what is to be said at each place: logits[b, t] belongs to "
            "target[b, t].",
            seen="tiny-llm-zh 10, transformers 47394",
        ),
        Mutant(
            "target one place behind",
            (
                (
                    PICK,
                    "logits, target, real = logits[:, 1:], target[:, :-1], real[:, "
                    f":-1]\n    {PICK}",
                ),
            ),
            "You compare the logits of one place with the word of the place before. "
            "logits[b, t] belongs to target[b, t]: nothing is to be shifted.",
        ),
    )


def value(example: Example) -> float:
    """Give the loss as a number."""
    return float(np.asarray(example.got["loss"]))


def not_below_zero(example: Example) -> str | None:
    """A surprise is never negative."""
    loss = value(example)
    return (
        f"your loss is {loss:.3f}. Minus the logarithm of a probability is never "
        "negative."
        if loss < 0
        else None
    )


def all_words_alike(example: Example) -> str | None:
    """Where all words are equally likely, the loss is log N_words."""
    logits, loss = example.inputs["logits"], value(example)
    due = float(np.log(logits.shape[-1]))
    if np.ptp(logits) > 0 or abs(loss - due) < 1e-3:
        return None
    return (
        f"where all words are equally likely, the loss is log {logits.shape[-1]} = "
        f"{due:.3f}, whichever word is right. Yours is {loss:.3f}."
    )


def not_capped(example: Example) -> str | None:
    """An almost impossible word costs as much as its logit lies below the others."""
    loss, due = value(example), float(example.expected["loss"])
    if due < 100 or loss > due / 2:
        return None
    return (
        f"a right word was almost impossible, and costs {due:.1f} nats on average; "
        f"yours is {loss:.1f}. Do you keep probabilities away from 0, as in log(p + "
        "1e-9)? log_softmax needs no such help, and still has a gradient there."
    )


def between_the_surprises(mask: str) -> Law:
    """Keep the mean between the smallest and the largest of what it is taken over."""

    def law(example: Example) -> str | None:
        logits, target, counts = (
            example.inputs[name] for name in ("logits", "target", mask)
        )
        surprise = -np.take_along_axis(log_softmax(logits), target[..., None], axis=-1)[
            ..., 0
        ][counts]
        low, high, loss = float(surprise.min()), float(surprise.max()), value(example)
        if low - 1e-3 <= loss <= high + 1e-3:
            return None
        too = (
            "Do you divide by too many?"
            if loss < low
            else "Do you divide by too few, or not at all?"
        )
        return (
            f"the words that count have surprises from {low:.3f} to {high:.3f}, so "
            f"their mean lies between. Yours is {loss:.3f}. {too}"
        )

    return law


numbers = partial(attention.numbers, scale=1.5)  # logits


def marks(*rows: str) -> np.ndarray:
    """Turn rows of x and . into True and False."""
    return np.array([[mark == "x" for mark in row] for row in rows])


TASK = (
    "logits of shape (B, N_Y, N_words), the scores of all words at each place; "
    "`target` of shape (B, N_Y), the ids of the right words, logits[b, t] belonging to "
    "target[b, t]; "
)
SAFE = "The logits are finite; near 1000, or far apart, they must do no harm."


def cases(mask: str, first: Case, second: Case, nothing: str) -> tuple[Case, ...]:
    """Put the cases that both means need behind two of their own."""
    near, target = 800 + numbers(4, 2, 3, 4).round(), np.array([[2, 0, 3], [1, 3, 0]])
    far = np.array(
        [
            [[0.5, -800.0, 1.0, 0.2], [1.0, 0.5, -900.0, 0.3]],
            [[2.0, 0.1, -1.0, -700.0], [0.3, 0.2, 0.7, -0.4]],
        ]
    )
    return (
        first,
        second,
        Case(
            "logits near 800",
            {"logits": near, "target": target, mask: marks("xx.", ".xx")},
        ),
        Case(
            "logits near -800",
            {"logits": near - 1600, "target": target, mask: marks("x.x", "xx.")},
        ),
        Case(
            "right words that are almost impossible",
            {
                "logits": far,
                "target": np.array([[1, 0], [3, 2]]),
                mask: marks("xx", "xx"),
            },
        ),
        Case(
            "all words equally likely",
            {
                "logits": np.full((2, 3, 4), 0.7),
                "target": target,
                mask: marks("xx.", "x.."),
            },
        ),
        Case(
            nothing,
            {"logits": near, "target": target, mask: marks("...", "...")},
            refuse="a mean over no word is no number",
        ),
    )


NO_WORD = Case(
    "a sentence that is padding only",
    {
        "logits": numbers(8, 2, 3, 4),
        "target": np.array([[2, 0, 1], [3, 1, 2]]),
        "real": marks("xx.", "..."),
    },
)

check_word_loss = Check(
    name="word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task=f"Write `word_loss(logits, target, real)`: {TASK}`real`, bool of shape (B, N_Y), is True where there is a "
    "word and False where there is padding, which may hold any id. Return one "
    "number, the mean cross-entropy (natural logarithm) over all real words of the "
    f"batch. {SAFE} If no word is real, raise ValueError.",
    cases=(
        *cases(
            "real",
            Case(
                "padding behind the shorter sentence",
                {
                    "logits": numbers(0, 2, 3, 4),
                    "target": np.array([[2, 3, 1], [3, 0, 0]]),
                    "real": marks("xxx", "x.."),
                },
            ),
            Case(
                "gaps, padding that holds words, and word 0",
                {
                    "logits": numbers(1, 3, 4, 3),
                    "target": np.array([[0, 2, 1, 1], [1, 1, 2, 0], [2, 0, 1, 2]]),
                    "real": marks("xx.x", "x...", "xxx."),
                },
            ),
            "nothing but padding",
        ),
        NO_WORD,
    ),
    mutants=(
        Mutant(
            "padding scored",
            ((MEAN, "surprise.mean()"),),
            "You average over all places, padding included: the model is trained to "
            "write padding, and looks good where there is much of it. Average over "
            "the real words only.",
            seen="transformers 2759",
        ),
        Mutant(
            "padding found by its id",
            ((PICK, f"real = target != 0\n    {PICK}"),),
            "You leave out the places with id 0 and do not use `real`. It is `real` "
            "that says what counts: padding may hold any id, and word 0 may be a word.",
            seen="mosaicml/examples 457",
        ),
        Mutant(
            "logits of padding set to 0",
            (
                (PICK, f"logits = logits * real[..., None]\n    {PICK}"),
                (MEAN, "surprise.mean()"),
            ),
            "You set the logits of padding to 0. All words are equally likely there "
            "then, and that costs log N_words at each such place. Leave those places "
            "out of the mean.",
        ),
        *PROBABILITIES,
        *counting("real words"),
    ),
    laws=(not_below_zero, all_words_alike, not_capped, between_the_surprises("real")),
)

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task=f"Write `masked_word_loss(logits, target, chosen)`, BERT's loss: {TASK}`chosen`, bool of shape (B, "
    "N_Y), is True at the places that the model has to guess: most of them were "
    "shown as [MASK], some as another word, some as they are. Return one number, the "
    "mean cross-entropy (natural logarithm) over all chosen places of the batch. "
    f"{SAFE} If none was chosen, raise ValueError.",
    cases=cases(
        "chosen",
        Case(
            "one or two words chosen",
            {
                "logits": numbers(2, 2, 3, 4),
                "target": np.array([[2, 0, 1], [3, 1, 2]]),
                "chosen": marks(".x.", "x.x"),
            },
        ),
        Case(
            "a sentence in which nothing was chosen",
            {
                "logits": numbers(3, 3, 4, 3),
                "target": np.array([[0, 2, 1, 1], [1, 1, 2, 0], [2, 0, 1, 2]]),
                "chosen": marks("x..x", "....", ".x.."),
            },
        ),
        "nothing chosen",
    ),
    mutants=(
        Mutant(
            "scored at all places",
            ((MEAN, "surprise.mean()"),),
            "You average over all places. Where nothing was chosen, the right word "
            "was shown, and the model only has to copy it: that makes up most of your "
            "loss. Average over the chosen places only.",
            seen="lucidrains/mlm-pytorch 2",
        ),
        *PROBABILITIES,
        *counting("chosen words"),
    ),
    laws=(not_below_zero, all_words_alike, not_capped, between_the_surprises("chosen")),
)


def between_right_and_any(example: Example) -> str | None:
    """Keep the loss between its two parts: the plain loss, and the mean surprise of all words."""
    logits, target = example.inputs["logits"], example.inputs["target"]
    log_P = log_softmax(logits)
    plain = -float(np.take_along_axis(log_P, target[..., None], axis=-1).mean())
    uniform, loss = -float(log_P.mean()), value(example)
    low, high = sorted((plain, uniform))
    if low - 1e-3 <= loss <= high + 1e-3:
        return None
    return (
        f"the plain cross-entropy is {plain:.3f}, and that of a target with all words "
        f"alike {uniform:.3f}. With 1 - epsilon of the one and epsilon of the other, "
        f"the loss lies between them; yours is {loss:.3f}. Do the shares of all words "
        "sum to 1?"
    )


def smoothed_case(
    name: str, logits: np.ndarray, target: list[list[int]], epsilon: float
) -> Case:
    return Case(
        name, {"logits": logits, "target": np.array(target), "epsilon": epsilon}
    )


check_smoothed_loss = Check(
    name="smoothed_loss",
    reference=smoothed_loss,
    gives={"loss": ""},
    task=f"Write `smoothed_loss(logits, target, epsilon)`, cross-entropy with label smoothing: {TASK}`epsilon`, from "
    "0 to 1, is spread evenly over all N_words words, the right one included. So the "
    "right word has a share of 1 - epsilon + epsilon / N_words in the target, and "
    "every other word epsilon / N_words. Return one number, the mean cross-entropy "
    f"(natural logarithm) over all places. {SAFE}",
    cases=(
        smoothed_case("epsilon 0.1", numbers(5, 2, 3, 4), [[2, 3, 1], [3, 1, 2]], 0.1),
        smoothed_case(
            "epsilon 0.6, more words",
            numbers(6, 3, 2, 5),
            [[4, 1], [2, 3], [1, 1]],
            0.6,
        ),
        smoothed_case(
            "epsilon 0, no smoothing", numbers(7, 2, 3, 4), [[1, 2, 3], [2, 2, 1]], 0.0
        ),
        smoothed_case("word 0", numbers(9, 2, 3, 4), [[0, 3, 1], [2, 0, 0]], 0.3),
        smoothed_case(
            "logits near 800",
            800 + numbers(4, 2, 3, 4).round(),
            [[2, 1, 3], [1, 3, 1]],
            0.2,
        ),
        smoothed_case(
            "logits near -800",
            numbers(4, 2, 3, 4).round() - 800,
            [[2, 1, 3], [1, 3, 1]],
            0.2,
        ),
        smoothed_case(
            "words that are almost impossible",
            np.array(
                [
                    [[0.5, -800.0, 1.0, 0.2], [1.0, 0.5, -900.0, 0.3]],
                    [[2.0, 0.1, -1.0, -700.0], [0.3, 0.2, 0.7, -0.4]],
                ]
            ),
            [[1, 3], [1, 2]],
            0.3,
        ),
        smoothed_case(
            "all words equally likely",
            np.full((2, 3, 4), 0.7),
            [[2, 3, 1], [3, 1, 2]],
            0.2,
        ),
    ),
    mutants=(
        Mutant(
            "epsilon for the wrong words only",
            ((Q, "q = (1 - epsilon) * right + epsilon / (N_words - 1) * (1 - right)"),),
            "You share epsilon among the wrong words, epsilon / (N_words - 1) each, "
            "and leave 1 - epsilon to the right one. That is another convention. "
            "Here, as in torch's label_smoothing, all words get epsilon / N_words, "
            "the right one as well.",
            seen="another convention; pytorch 7455",
        ),
        Mutant(
            "nothing for word 0",
            (
                (
                    Q,
                    "q = np.where(right == 1, 1 - epsilon, epsilon / (N_words - 2))\n "
                    "   q[..., 0] = 0",
                ),
            ),
            "You give 1 - epsilon to the right word, nothing to word 0, as if it were "
            "padding, and epsilon / (N_words - 2) to the others. That is another "
            "convention: here all words get epsilon / N_words.",
            seen="another convention; annotated-transformer",
        ),
        Mutant(
            "the right word keeps all",
            ((Q, "q = right + epsilon / N_words"),),
            "Your shares sum to 1 + epsilon: the right word keeps its 1, and epsilon "
            "is handed out on top. What is handed out must be taken from it: 1 - "
            "epsilon.",
        ),
        Mutant(
            "no share of epsilon for the right word",
            ((Q, "q = (1 - epsilon) * right + epsilon / N_words * (1 - right)"),),
            "Your shares sum to less than 1: epsilon is divided by N_words, but only "
            "the wrong words get their part. The right one gets it as well: 1 - "
            "epsilon + epsilon / N_words.",
        ),
        Mutant(
            "epsilon for every word",
            ((Q, "q = (1 - epsilon) * right + epsilon"),),
            "You give epsilon to every word (or add up all words' surprises where "
            "their mean belongs). Together they share epsilon: divide by N_words.",
        ),
        Mutant(
            "epsilon for every wrong word",
            ((Q, "q = (1 - epsilon) * right + epsilon * (1 - right)"),),
            "You give epsilon to every wrong word, so that the shares sum to more "
            "than 1. Together all words share epsilon: epsilon / N_words each.",
        ),
        Mutant(
            "epsilon and 1 - epsilon exchanged",
            ((Q, "q = epsilon * right + (1 - epsilon) / N_words"),),
            "You leave epsilon to the right word and spread 1 - epsilon. It is the "
            "other way round: epsilon is small, and is what is spread.",
        ),
        Mutant(
            "the model smoothed, and not the target",
            (
                (Q, "P = (right * np.exp(log_softmax(logits))).sum(axis=-1)"),
                (
                    CROSS,
                    "cross_entropy = -np.log((1 - epsilon) * P + epsilon / N_words)",
                ),
            ),
            "You mix epsilon into the model's probabilities, inside the logarithm. "
            "That forgives the model; smoothing is for the target: the mean of the "
            "logarithms, weighted with the shares.",
        ),
        Mutant(
            "no smoothing",
            ((Q, "q = right"),),
            "Your loss is plain cross-entropy: epsilon is not used.",
        ),
        Mutant(
            "the entropy of the target taken off",
            (
                (
                    CROSS,
                    "cross_entropy = (q * (np.log(np.where(q > 0, q, 1)) - "
                    "log_softmax(logits))).sum(axis=-1)",
                ),
            ),
            "Yours is the Kullback-Leibler divergence, as from kl_div: cross-entropy "
            "less the entropy of the smoothed target. That is a constant, so training "
            "is the same, but the number is another one. Here: - sum of q log P.",
            seen="another convention; annotated-transformer",
        ),
        Mutant(
            "logarithm of a target of 0",
            (
                (
                    CROSS,
                    "cross_entropy = (q * (np.log(q) - "
                    "log_softmax(logits))).sum(axis=-1)",
                ),
            ),
            "You take the logarithm of the target, and with epsilon = 0 the wrong "
            "words have a share of 0: 0 times -infinity is NaN. (With it, yours would "
            "be the Kullback-Leibler divergence.) The cross-entropy needs no log q: - "
            "sum of q log P.",
            seen="optax 1786",
        ),
        Mutant(
            "mean over the words as well",
            ((CROSS, CROSS.replace("sum", "mean")),),
            "You also divide by the number of words in the vocabulary, as .mean() "
            "over everything does, and kl_div unless told otherwise. Sum over the "
            "words, then take the mean over the places.",
            seen="pytorch, `kl_div` with reduction='mean'",
        ),
        Mutant(
            "sum and no mean",
            (("cross_entropy.mean()", "cross_entropy.sum()"),),
            "You add up over the places and do not divide: the loss grows with the "
            "batch. Take the mean.",
        ),
        Mutant(
            "minus forgotten",
            ((CROSS, CROSS.replace("-(", "(")),),
            "Your loss is negative, and training would make the right words less "
            "likely. Logarithms of probabilities are negative: put a minus in front.",
        ),
        *PROBABILITIES,
    ),
    laws=(not_below_zero, all_words_alike, not_capped, between_right_and_any),
)
