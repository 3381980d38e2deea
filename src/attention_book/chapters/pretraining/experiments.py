"""Chapter 14's experiments: fine-tuning for the exam, and asking without labels."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from sklearn.neighbors import NearestCentroid
from torch import Generator, Tensor, nn

from attention_book.chapters.pretraining.exam import (
    EXAM,
    N_LABELLED,
    N_TEST,
    Items,
    drawn,
    items,
)
from attention_book.chapters.pretraining.in_page import in_turn
from attention_book.chapters.pretraining.model import BagOfWords, Classifier
from attention_book.chapters.pretraining.sentences import (
    MASK,
    TOPIC_OF,
    Text,
    Words,
    encode,
    held_out,
)
from attention_book.data import PAD
from attention_book.decoding.mode import evaluating
from attention_book.runs import RecordedRun
from attention_book.shapes import check_choice
from attention_book.training import History, fit, seeded, warmup
from attention_book.widgets.functions import trained_head

STARTS = ("bag", "scratch", "words", "frozen", "tuned")
TUNING_STEPS, WARMUP, N_BATCH = 200, 20, 16
RATE = 2e-3  # of a whole network
N_PAIRS = 250  # broken sentences and whole ones that are told apart
FROZEN_RATE = 1e-2  # where there is nothing but a head to train
# a head that the reader trains in the page
FOOD = ["bread", "apple", "cheese", "cake", "orange"]
OTHERS = ["letter", "teacher", "city", "table", "report"]
NEW_NOUNS = ["rice", "egg", "meat", "book", "minister", "garden"]
HEAD_STEPS, HEAD_RATE = 300, 0.3


def classifier(
    pretrained: Any, N_answers: int, start: str = "tuned", read_out: str = "cls"
) -> nn.Module:
    """Make a classifier that keeps something of a pretrained model, which stays as is.

    `start` says what it keeps: all weights, which learn on ("tuned") or do not
    ("frozen"); only the vectors of the words ("words"); or nothing ("scratch"). A "bag"
    is no such network at all.
    """
    check_choice("start", start, STARTS)
    if start == "bag":
        return BagOfWords(N_answers)
    bert = type(pretrained)(pretrained.config)
    if start == "words":
        bert.embedding.load_state_dict(pretrained.embedding.state_dict())
    elif start != "scratch":
        bert.load_state_dict(pretrained.state_dict())
    bert.requires_grad_(start != "frozen")
    return Classifier(bert, N_answers, read_out)


def fine_tune(
    model: nn.Module, labelled: Items, *, seed: int, rate: float = RATE
) -> History:
    """Train a classifier in place, 200 steps of 16 labelled items."""
    return fit(
        model,
        _batches(labelled, seed),
        steps=TUNING_STEPS,
        seed=seed,
        learning_rate=warmup(rate, WARMUP),
        loss=lambda model, batch: F.cross_entropy(model(*batch[:2]), batch[2]),
        callbacks=(),
    )


def _batches(labelled: Items, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    rng = Generator().manual_seed(seed)
    ids, segments = encode(labelled.texts)
    while True:
        some = torch.randperm(len(ids), generator=rng)[:N_BATCH]
        yield ids[some], segments[some], labelled.labels[some]


def accuracy(model: nn.Module, test: Items) -> float:
    """Share of the items that a classifier answers right."""
    with evaluating(model):
        answers = model(*encode(test.texts)).argmax(dim=-1)
    return (answers == test.labels).double().mean().item()


def sit(
    pretrained: Any,
    task: str,
    N_labelled: int,
    start: str = "tuned",
    read_out: str = "cls",
    *,
    seed: int = 0,
) -> float:
    """Fine-tune for a task of the exam, and give the share of its test that is right.

    `seed` fixes the words of either side, the items, and the head's first weights.
    """
    labelled = items(task, N_labelled, seed=seed)
    with seeded(seed):
        model = classifier(pretrained, len(EXAM[task].answers), start, read_out)
    rate = FROZEN_RATE if start in ("bag", "frozen") else RATE
    fine_tune(model, labelled, seed=seed, rate=rate)
    return accuracy(model, items(task, N_TEST, test=True, seed=seed))


def whole_exam(pretrained: Any, seed: int) -> dict[str, Any]:
    """Sit every task with few labels and with many, from every start.

    "max" is "tuned" with another read-out. "hiding" tells broken sentences from whole
    ones without labels; see `told_apart`.
    """
    ways = {start: (start, "cls") for start in STARTS} | {"max": ("tuned", "max")}
    found: dict[str, Any] = {
        task: {
            str(N): {
                name: sit(pretrained, task, N, *way, seed=seed)
                for name, way in ways.items()
            }
            for N in N_LABELLED
        }
        for task in EXAM
    }
    found["hiding"] = {
        task: told_apart(pretrained, drawn(task, N_PAIRS, test=True, seed=seed))
        for task in ("agreement", "order")
    }
    return found


def short_exam(pretrained: Any, seed: int, read_out: str) -> dict[str, Any]:
    """Sit every task with many labels: frozen, and fine-tuned."""
    N = max(N_LABELLED)
    return {
        task: {
            start: sit(pretrained, task, N, start, read_out, seed=seed)
            for start in ("frozen", "tuned")
        }
        for task in EXAM
    }


def network_after(run: RecordedRun, step: int) -> nn.Module:
    """The first seed's network after a step that was kept; untrained, after 0 steps."""
    with seeded(next(iter(run.measured))):
        model = run.recipe.task.model()
    if step:
        kept = run.kept("weights", step).items()
        model.load_state_dict({name: torch.as_tensor(W) for name, W in kept})
    return model.eval()


def vectors_at_cls(model: Any, nouns: Sequence[str]) -> Float[np.ndarray, "N_nouns D"]:
    """What a network makes of *we saw the ...*, at [CLS]."""
    saw = [(tuple(f"we saw the {noun} .".split()),) for noun in nouns]
    ids, segments = encode(saw)
    with evaluating(model):
        return model.pooled(model(ids, segments, ids != PAD)).numpy()


def head_says(model: Any, wanted: Sequence[str]) -> dict[str, float]:
    """Train a head on ten nouns, of which some are wanted, and ask it of six others."""
    labelled = (*FOOD, *OTHERS)
    X, Y = vectors_at_cls(model, labelled), vectors_at_cls(model, NEW_NOUNS)
    labels = np.array([float(noun in wanted) for noun in labelled])
    said = trained_head(X, labels, Y, HEAD_STEPS, HEAD_RATE)
    return dict(zip(NEW_NOUNS, said.tolist(), strict=True))


def bits_in_turn(model: Any, words: Words) -> Float[np.ndarray, " N"]:
    """Hide each word of a sentence in turn: the surprise at it, in bits."""
    source, _ = encode([(words,)])
    with evaluating(model):
        return in_turn(model, source)["bits"][0].numpy()


def topics_told(model: Any, *, covered: bool) -> list[float]:
    """Tell the topics of nouns in unseen sentences by their vectors.

    Each vector gets the topic whose mean is nearest; half of the sentences give the
    means. Gives the share of the others that is right, by the vectors that enter the
    blocks and by those that leave each. A noun that is `covered` is read as [MASK].
    """
    rng, vectors = Random("topics"), list[Tensor]()
    known = {form: topic for noun, topic in TOPIC_OF.items() for form in noun.en}
    found = [
        (words, max(n for n, word in enumerate(words) if known.get(word) == topic))
        for topic, some in held_out().items()
        for words in rng.sample(some, N_PAIRS)
    ]
    rng.shuffle(found)
    texts, nouns = zip(*found, strict=True)
    ids, segments = encode([(words,) for words in texts])
    place = torch.arange(len(ids)), torch.tensor(nouns) + 1  # behind [CLS]
    topics = [known[words[n]] for words, n in found]
    if covered:
        ids[place] = MASK

    def keep(block: nn.Module, given: Any, made: Any) -> None:
        vectors.extend(
            [made[0][place]] if vectors else [given[0][place], made[0][place]]
        )

    hooks = [block.register_forward_hook(keep) for block in model.encoder.blocks]
    with evaluating(model):
        model(ids, segments, ids != PAD)
    for hook in hooks:
        hook.remove()
    half = len(ids) // 2
    return [
        NearestCentroid().fit(X[:half], topics[:half]).score(X[half:], topics[half:])
        for X in vectors
    ]


def told_apart(model: Any, both: Sequence[Sequence[Text]]) -> dict[str, float]:
    """Tell broken sentences from whole ones without labels, by their least likely word.

    Each of `both` is a broken sentence and itself when whole. Of two sentences the
    broken one should hold the greater surprise: "any", the share of all pairs of a
    broken sentence and a whole one where it does, the area under the ROC curve; "own",
    the same of each with itself.
    """

    def surprise(each: Text) -> Tensor:
        return in_turn(model, encode([each])[0])["bits"].max()

    with evaluating(model):
        broken, fine = (
            torch.stack([surprise(each) for each in texts])
            for texts in zip(*both, strict=True)
        )
    return {"any": _greater(broken[:, None], fine), "own": _greater(broken, fine)}


def _greater(broken: Tensor, fine: Tensor) -> float:
    """Share that is greater; equals count half."""
    return ((broken > fine).double() + (broken == fine) / 2).mean().item()
