"""Fine-tune a network for a task of the exam, with some or all of what it learned."""

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from attention_book.chapters.pretraining.exam import EXAM, N_TEST, Items, items
from attention_book.chapters.pretraining.model import BagOfWords, Classifier
from attention_book.chapters.pretraining.sentences import encode
from attention_book.decoding.mode import evaluating
from attention_book.shapes import check_choice
from attention_book.training import History, fit, seeded, warmup

STARTS = ("bag", "scratch", "words", "frozen", "tuned")
TUNING_STEPS, WARMUP, N_BATCH = 200, 20, 16
RATE = 2e-3  # of a whole network
FROZEN_RATE = 1e-2  # where there is nothing but a head to train


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
    head: int = 0,
) -> float:
    """Fine-tune for a task of the exam, and give the share of its test that is right.

    `seed` fixes the words of either side and the items; with `head`, the number of an
    attempt, it fixes the first weights of whatever is not pretrained.
    """
    labelled = items(task, N_labelled, seed=seed)
    with seeded(seed + 100 * head):
        model = classifier(pretrained, len(EXAM[task].answers), start, read_out)
    rate = FROZEN_RATE if start in ("bag", "frozen") else RATE
    fine_tune(model, labelled, seed=seed, rate=rate)
    return accuracy(model, items(task, N_TEST, test=True, seed=seed))
