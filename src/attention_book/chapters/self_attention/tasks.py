"""What chapter 5's recorded models learn, what *it* is, and what they are asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.chapters.self_attention.model import (
    OwnWordModel,
    PronounConfig,
    PronounModel,
)
from attention_book.chapters.self_attention.sentences import (
    ANSWERS,
    LONGEST,
    PRONOUNS,
    Question,
    collate,
    exchanged,
    nouns_of,
    questions,
    sentence,
    vocabularies,
)
from attention_book.data import Batch, Vocabulary
from attention_book.runs import Task
from attention_book.shapes import check_filled

N_BATCH = 64
N_TEST = 1000  # sentences
TEST_SEED = 1_000_003  # of no training

Asked = Sequence[tuple[int, Question]]  # (which sentence, what is asked in it)


@dataclass(frozen=True)
class WhatIsIt(Task):
    """Sentences whose *it*s are to be told."""

    none: float = 0.25  # how likely an adjective fits no noun of its sentence
    # of the model's configuration
    sizes: Mapping[str, float | bool] = field(default_factory=dict)
    own_word: bool = False  # read as well, beside what attention found

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of sentences, and the answers."""
        return vocabularies()

    @cached_property
    def test(self) -> list[tuple[str, ...]]:
        """The sentences that every seed is measured on."""
        rng = Random(TEST_SEED)
        return [sentence(rng, self.none) for _ in range(N_TEST)]

    def model(self) -> nn.Module:
        sizes = map(len, self.vocabularies.values())
        kind = OwnWordModel if self.own_word else PronounModel
        return kind(PronounConfig(*sizes, N_max=LONGEST, **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        rng = Random(seed)
        while True:
            yield collate(sentence(rng, self.none) for _ in range(N_BATCH))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure a model on the test sentences, as `measured` says."""
        return measured(model, self.test)


def asked_in(sentences: Sequence[Sequence[str]]) -> Asked:
    """All that is asked in sentences, each with the number of its sentence."""
    return [(b, each) for b, words in enumerate(sentences) for each in questions(words)]


@torch.no_grad()
def attend(
    model: Any,
    sentences: Sequence[Sequence[str]],
    asked: Asked,
    visible: Bool[Tensor, "B N_X N_X"] | None = None,
) -> tuple[list[str], Float[np.ndarray, "N_asked N_X"]]:
    """What a model says at each adjective that asks, and where it looks there.

    `visible` is where each word may look; at all words unless told otherwise.
    """
    check_filled("asked", asked, "question")
    batch = collate(sentences)
    everywhere = batch.source_visible[:, None]
    logits, A = model.with_attention(
        batch.source, everywhere if visible is None else visible
    )
    b, i = zip(*((b, each.asks) for b, each in asked), strict=True)
    answers = vocabularies()["target"].words
    said = [answers[k] for k in logits[b, i].argmax(dim=-1)]
    return said, A[b, i].numpy()


def measured(model: Any, sentences: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Measure what a model says, where it looks, and what changes the answer, 0 to 1.

    `accuracy`: of all answers. The others, of the adjectives that fit a noun:
    `pointing`, whether the largest weight is on it, of `all` and by answer; `on_gold`,
    the weight it gets; `hidden`, when the adjective may not look at it, how often the
    answer is `right` all the same, and how often each is `said`; `exchanged`, when it
    (`gold`) or `another` noun is exchanged for one of its kind and another gender, how
    often the answer is that of the new sentence.
    """
    asked = asked_in(sentences)
    said, A = attend(model, sentences, asked)
    fits = np.array([each.gold is not None for _, each in asked])
    fitting = [each for each, one_fits in zip(asked, fits, strict=True) if one_fits]
    gold, A = [each.gold for _, each in fitting], A[fits]
    pointed = A.argmax(axis=1) == gold
    answers = np.array([each.answer for _, each in fitting])
    said_blind, _ = attend(model, sentences, fitting, all_but_gold(sentences, fitting))
    rng = Random(TEST_SEED)
    new = {
        name: exchange(sentences, fitting, of_gold, rng)
        for name, of_gold in (("gold", True), ("another", False))
    }
    return {
        "accuracy": share_right(said, asked),
        "pointing": {"all": pointed.mean()}
        | {word: pointed[answers == word].mean() for word in PRONOUNS},
        "on_gold": A[np.arange(len(gold)), gold].mean(),
        "hidden": {
            "right": share_right(said_blind, fitting),
            "said": {word: said_blind.count(word) / len(fitting) for word in ANSWERS},
        },
        "exchanged": {
            name: share_right(attend(model, *each)[0], each[1])
            for name, each in new.items()
        },
    }


def share_right(said: Sequence[str], asked: Asked) -> float:
    """The share of answers that are right."""
    right = [word == each.answer for word, (_, each) in zip(said, asked, strict=True)]
    return float(np.mean(right))


def all_but_gold(
    sentences: Sequence[Sequence[str]], asked: Asked
) -> Bool[Tensor, "B N_X N_X"]:
    """Where words may look if each adjective must not look at the noun it fits."""
    visible = collate(sentences).source_visible[:, None]
    visible = visible.repeat(1, visible.shape[-1], 1)
    for b, each in asked:
        visible[b, each.asks, each.gold] = False
    return visible


def exchange(
    sentences: Sequence[Sequence[str]], asked: Asked, of_gold: bool, rng: Random
) -> tuple[list[tuple[str, ...]], Asked]:
    """For each adjective its sentence with one noun exchanged, and what is asked now.

    The noun that the adjective fits, or one of the two others; the new one is of the
    same kind and of another gender.
    """
    changed, now = [], []
    for b, each in asked:
        words = sentences[b]
        others = [place for place in nouns_of(words) if place != each.gold]
        place = each.gold if of_gold else rng.choice(others)
        changed.append(exchanged(words, place, rng))
        (again,) = (new for new in questions(changed[-1]) if new.asks == each.asks)
        now.append((len(changed) - 1, again))
    return changed, now
