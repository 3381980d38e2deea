"""What chapter 7's recorded heads learn: four answers at the last word of a sentence.
And what is measured of them: how often they are right, where each head looks, and what
is left without a head, or with one head alone.
"""

from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import nn

from attention_book.chapters.masks_and_heads.model import HeadsConfig, HeadsModel
from attention_book.chapters.masks_and_heads.sentences import (
    LONGEST,
    RELATIONS,
    WORDS,
    Sentence,
    collate,
    sentence,
)
from attention_book.data import Batch
from attention_book.runs import Task

N_BATCH = 64
N_TEST = 1000  # sentences of each kind
NAMING_SEED, TEST_SEED = 10_000_000, 20_000_000  # of no training


@dataclass(frozen=True)
class FourQuestions(Task):
    """Sentences whose last word is asked four questions."""

    N_heads: int
    D: int = 32  # the width that the heads share
    vocabularies = dict.fromkeys(("source", "target"), WORDS)

    @cached_property
    def naming(self) -> list[Sentence]:
        """The sentences on which heads are given names, and chosen to be pruned."""
        return drawn(NAMING_SEED)

    @cached_property
    def test(self) -> list[Sentence]:
        """Other sentences, on which everything else is measured."""
        return drawn(TEST_SEED)

    def model(self) -> nn.Module:
        sizes = len(WORDS), len(RELATIONS), LONGEST
        return HeadsModel(HeadsConfig(*sizes, D=self.D, N_heads=self.N_heads))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        rng = Random(seed)
        while True:
            yield collate(sentence(rng) for _ in range(N_BATCH))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure what a model answers, where its heads look, and what each is worth.

        Shares, 0 to 1; `test`: of right answers, by question; `pointing` (N_heads, 4):
        how often a head's largest weight is on the answer, on the sentences for naming;
        `without` and `only` (N_heads, 4): right without a head, and with one alone;
        `pruned` (N_heads + 1): of all answers, with so many heads left.
        """
        heads, batch = range(self.N_heads), collate(self.test)
        return {
            "test": {
                relation: {"right": share}
                for relation, share in zip(RELATIONS, right(model, batch), strict=True)
            },
            "pointing": pointing(model, self.naming),
            "without": np.array([right(without(model, [k]), batch) for k in heads]),
            "only": np.array(
                [right(without(model, {*heads} - {k}), batch) for k in heads]
            ),
            "pruned": pruned(model, collate(self.naming), batch),
        }


def drawn(seed: int) -> list[Sentence]:
    """Draw as many sentences as are measured on."""
    rng = Random(seed)
    return [sentence(rng) for _ in range(N_TEST)]


@torch.no_grad()
def right(model: nn.Module, batch: Batch) -> Float[np.ndarray, "N_questions"]:
    """Share of right answers to each question."""
    said = model(batch.source, batch.source_visible).argmax(-1)
    return (said == batch.target_out).double().mean(dim=0).numpy()


@torch.no_grad()
def last_rows(
    model: nn.Module, sentences: Sequence[Sentence]
) -> Float[np.ndarray, "B N_heads N"]:
    """Where each head looks at the last word of each sentence."""
    batch = collate(sentences)
    _, A = model.with_attention(batch.source, batch.source_visible)
    last = batch.source_visible.sum(dim=1) - 1
    return A[torch.arange(len(A)), :, last].numpy()


def pointing(
    model: nn.Module, sentences: Sequence[Sentence]
) -> Float[np.ndarray, "N_heads N_questions"]:
    """How often a head's largest weight is on the answer, where there is one."""
    places = last_rows(model, sentences).argmax(axis=-1)  # (B, N_heads)
    gold = np.array([[-1 if g is None else g for g in each.gold] for each in sentences])
    hits = places[:, :, None] == gold[:, None, :]  # (B, N_heads, N_questions)
    return hits.sum(axis=0) / (gold >= 0).sum(axis=0)


def without(model: nn.Module, heads: Collection[int]) -> nn.Module:
    """Copy a model and silence some of its heads: their rows of W_O become 0."""
    model = deepcopy(model)
    W_O, N_heads = model.attend.W_O, model.attend.N_heads
    D_head = len(W_O) // N_heads
    for k in heads:
        W_O.data[k * D_head : (k + 1) * D_head] = 0
    return model


def pruned(
    model: nn.Module, chosen_on: Batch, measured_on: Batch
) -> Float[np.ndarray, "N_left"]:
    """Silence one head after the other, each time the one that is missed least; return
    the share of right answers with 0, 1, ... heads left.
    """
    left = {*range(model.attend.N_heads)}
    silent: list[int] = []
    shares = [right(model, measured_on).mean()]
    while left:
        trials = {
            k: right(without(model, [*silent, k]), chosen_on).mean() for k in left
        }
        least = max(trials, key=trials.get)
        left.remove(least)
        silent.append(least)
        shares.append(right(without(model, silent), measured_on).mean())
    return np.array(shares[::-1])
