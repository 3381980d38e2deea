"""`check_word_loss`, `check_masked_word_loss`, `check_smoothed_loss`: which words are averaged, and against what."""

import numpy as np

from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.subjects.attention import numbers
from attention_book.reference import smoothed_loss, word_loss

MEAN = "return float(surprise[real].mean())"
SURPRISE = "surprise = -np.take_along_axis(log_p, target[..., None], axis=-1)[..., 0]"
LOG_P = "    log_p = log_softmax(logits)\n    surprise"
LOG_Q = "    log_p = log_softmax(logits)\n    N_words"
ANSWER = "answer = (1 - epsilon) * np.eye(N_words)[target] + epsilon / N_words"
CROSS = "return float(-(answer * log_p).sum(axis=-1).mean())"
ROUNDED = (
    "P = np.exp(logits - logits.max(axis=-1, keepdims=True))\n    log_p = np.log(P / P.sum(axis=-1, keepdims=True))"
)


def positive(seen: Seen) -> str | None:
    """A surprise is never negative."""
    loss = float(seen.got["loss"])
    return (
        f"your loss is {loss:.3f}. The logarithm of a probability is never positive, so minus it is never negative."
        if loss < 0
        else None
    )


NO_SOFTMAX = Mutant(
    "no softmax",
    ((LOG_P, "    log_p = logits\n    surprise"),),
    "You take the logits for log-probabilities. They become that by log-softmax: minus the logarithm of the sum of "
    "exp.",
)
TWICE = Mutant(
    "softmax twice",
    ((LOG_P, "    log_p = log_softmax(np.exp(log_softmax(logits)))\n    surprise"),),
    "You apply softmax twice, so every distribution is nearly flat and the loss stays near log N_words. cross_entropy "
    "wants logits, not probabilities.",
)
LOG_OF_ZERO = Mutant(
    "log of a probability that rounds to 0",
    ((LOG_P, f"    {ROUNDED}\n    surprise"),),
    "Your loss is infinite: a small probability rounds to 0, and its logarithm is -inf. Never form the probability: "
    "logits - largest - log(sum(exp(logits - largest))), or log_softmax.",
    seen="annotated-transformer 38, 109",
)
SUMMED = Mutant(
    "summed",
    ((MEAN, "return float(surprise[real].sum())"),),
    "You sum where you should average: the loss of a batch then grows with its size.",
)

LOGITS = 2 * numbers(0, 2, 4, 5)
TARGET = np.array([[1, 4, 0, 2], [3, 3, 1, 0]])
REAL = np.array([[True, True, True, False], [True, False, False, False]])
ALL = np.ones((2, 4), dtype=bool)

check_word_loss = Check(
    name="word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task="Write `word_loss(logits, target, real)`: logits (B, N_Y, N_words), target ids (B, N_Y), real bool (B, N_Y), "
    "True where there is a word and not padding. Return one number, the mean of -log P(target) over all real words of "
    "the batch, with P the softmax of the logits. Large logits must do no harm; raise ValueError if no word is real.",
    cases=(
        Case("padding behind the words", {"logits": LOGITS, "target": TARGET, "real": REAL}),
        Case("no padding", {"logits": LOGITS[::-1].copy(), "target": TARGET, "real": ALL}),
        Case("large logits", {"logits": 1000 * LOGITS, "target": TARGET, "real": REAL}),
        Case(
            "nothing but padding",
            {"logits": LOGITS, "target": TARGET, "real": ~ALL},
            "there is no word to average over",
        ),
    ),
    mutants=(
        Mutant(
            "loss over padding",
            ((MEAN, "return float(surprise.mean())"),),
            "You average over the padding as well: the model is taught to write it, and the loss of a batch depends "
            "on its longest sentence. Take the real words only.",
            seen="d2l, packaged `Seq2Seq`",
        ),
        Mutant(
            "divided by all positions",
            ((MEAN, "return float((surprise * real).mean())"),),
            "You set the padding's loss to 0 but still divide by all positions: the more padding, the better it "
            "looks. Divide by the number of real words.",
        ),
        Mutant(
            "mean of sentence means",
            (
                (
                    MEAN,
                    "means = [row[one].mean() for row, one in zip(surprise, real, strict=True)]\n"
                    "    return float(np.mean(means))",
                ),
            ),
            "You average each sentence and then the sentences, so that a word in a short sentence counts more. "
            "Average over all real words at once.",
        ),
        Mutant(
            "the words left out",
            ((MEAN, "return float(surprise[~real].mean()) if (~real).any() else 0.0"),),
            "You average over the padding and leave the words out: the mask is the wrong way round.",
        ),
        NO_SOFTMAX,
        TWICE,
        LOG_OF_ZERO,
        SUMMED,
        Mutant(
            "sign forgotten",
            ((SURPRISE, SURPRISE.replace("-np", "np")),),
            "Your loss is the mean log-probability; the loss is minus that. Training would make the right words "
            "unlikely.",
        ),
    ),
    laws=(positive,),
)

HIDDEN = np.array([[False, True, False, False], [True, False, False, True]])
COPIED = LOGITS + 6 * np.eye(5)[TARGET] * ~HIDDEN[..., None]

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task="BERT hides some words and asks for them. Write `masked_word_loss(logits, target, replaced)`: logits (B, N, "
    "N_words), the original words' ids (B, N), replaced bool (B, N), True where the model did not see the word. "
    "Return the mean of -log P(target) over the replaced words of the batch. Large logits must do no harm; raise "
    "ValueError if none was replaced.",
    cases=(
        Case("a model that copies what it sees", {"logits": COPIED, "target": TARGET, "replaced": HIDDEN}),
        Case("large logits", {"logits": 1000 * LOGITS, "target": TARGET, "replaced": HIDDEN}),
        Case(
            "no word replaced",
            {"logits": LOGITS, "target": TARGET, "replaced": ~ALL},
            "there is no word to average over",
        ),
    ),
    mutants=(
        Mutant(
            "scored at all positions",
            ((MEAN, "return float(surprise.mean())"),),
            "You score every position. Most words are there for the model to see, so it only has to copy them, and "
            "the loss looks tiny. Average over the replaced ones.",
        ),
        Mutant(
            "scored where nothing was replaced",
            ((MEAN, "return float(surprise[~real].mean())"),),
            "You score the words that the model can see, and not those it has to guess: the mask is the wrong way "
            "round.",
        ),
        Mutant(
            "divided by all positions",
            ((MEAN, "return float((surprise * real).mean())"),),
            "You score the replaced words, but divide by all positions: with 15 % replaced, the loss looks six times "
            "too good.",
        ),
        NO_SOFTMAX,
        LOG_OF_ZERO,
        SUMMED,
    ),
    laws=(positive,),
)

check_smoothed_loss = Check(
    name="smoothed_loss",
    reference=smoothed_loss,
    gives={"loss": ""},
    task="Write `smoothed_loss(logits, target, epsilon)`: logits (N, N_words), target ids (N,). The answer to learn "
    "gives 1 - epsilon to the right word, and epsilon is shared out equally among all N_words words, the right one "
    "among them (as torch does). Return the mean cross-entropy, -sum(answer * log P). epsilon may be 0, and large "
    "logits must do no harm.",
    cases=(
        Case("epsilon of .2", {"logits": LOGITS[0], "target": TARGET[0], "epsilon": 0.2}),
        Case("epsilon of 0", {"logits": LOGITS[1], "target": TARGET[1], "epsilon": 0.0}),
        Case("large logits", {"logits": 1000 * LOGITS[1], "target": TARGET[1], "epsilon": 0.1}),
    ),
    mutants=(
        Mutant(
            "no smoothing",
            ((ANSWER, "answer = np.eye(N_words)[target]"),),
            "epsilon changes nothing in yours: this is the plain cross-entropy.",
        ),
        Mutant(
            "shared among the others",
            (
                (
                    ANSWER,
                    "right = np.eye(N_words)[target]\n"
                    "    answer = (1 - epsilon) * right + epsilon / (N_words - 1) * (1 - right)",
                ),
            ),
            "You share epsilon among the *other* words. That is a convention too; here, as in torch, the right word "
            "gets its part as well: epsilon / N_words for each.",
            seen="annotated-transformer (there even among N_words - 2)",
        ),
        Mutant(
            "epsilon for every word",
            ((ANSWER, ANSWER.replace("epsilon / N_words", "epsilon")),),
            "Each word gets a whole epsilon, so the answer sums to more than 1. It is shared out: epsilon / N_words.",
        ),
        Mutant(
            "1 - epsilon and epsilon exchanged",
            ((ANSWER, "answer = epsilon * np.eye(N_words)[target] + (1 - epsilon) / N_words"),),
            "The right word gets epsilon in yours, and the rest is shared out. It is the other way round.",
        ),
        Mutant(
            "divergence, with log of 0",
            ((CROSS, "return float((answer * (np.log(answer) - log_p)).sum(axis=-1).mean())"),),
            "You compute the divergence, answer * (log answer - log P). With epsilon 0 the answer holds zeros: 0 * "
            "log 0 is NaN. And it is smaller than the cross-entropy by the answer's own entropy.",
            seen="annotated-transformer 38, 109",
        ),
        Mutant(
            "log of a probability that rounds to 0",
            ((LOG_Q, f"    {ROUNDED}\n    N_words"),),
            "Your loss is infinite: a small probability rounds to 0, and smoothing asks for the logarithm of every "
            "word's. Use log-softmax, which never forms the probability.",
            seen="annotated-transformer 38, 109",
        ),
        Mutant(
            "summed",
            ((CROSS, "return float(-(answer * log_p).sum())"),),
            "You sum over the words where you should average.",
        ),
    ),
    laws=(positive,),
)
