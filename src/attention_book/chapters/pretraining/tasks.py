"""What chapter 14's networks are pretrained on: hidden words, or next words, of text
without labels, and whether one sentence follows another [devlin2019bert].
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn

from attention_book import models
from attention_book.chapters.pretraining import in_page
from attention_book.chapters.pretraining.experiments.recorded_exam import (
    right_along,
    short_exam,
    whole_exam,
)
from attention_book.chapters.pretraining.sentences import (
    ASKED,
    SHARES,
    WORDS,
    encode,
    held_out,
    hide,
    pairs,
    text,
)
from attention_book.data import PAD, Vocabulary
from attention_book.decoding.mode import evaluating
from attention_book.networks.program import Traced
from attention_book.runs import Task

N_BATCH, N_MEASURED = 32, 1000  # pairs of sentences
TEST_SEED = 10_000_000  # far from the seeds of training
ALL_HIDDEN = 1.0, 0.0, 0.0
ONE_KIND = {
    "hidden": ALL_HIDDEN,
    "replaced": (0.0, 1.0, 0.0),
    "left": (0.0, 0.0, 1.0),
}


@dataclass(frozen=True)
class Reading:
    """Pairs of sentences, and what is asked of them."""

    source: Int[Tensor, "B N"]  # what the model reads
    segments: Int[Tensor, "B N"]
    words: Int[Tensor, "B N"]  # what it should say at each place; PAD: nothing
    other: Int[Tensor, " B"]  # 0 where the second sentence follows the first, else 1

    def vectors(self, model: Any) -> Float[Tensor, "B N D"]:
        """Let a model read."""
        return model(self.source, self.segments, self.source != PAD)


@dataclass(frozen=True)
class Pretraining(Task):
    """Hidden words or, if `hidden` is False, the next word at every place.

    A model of next words should be `causal` by its sizes: one that looks both ways sees
    what it is asked for. But then [CLS], which the next sentence is told by, sees
    nothing but itself.
    """

    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)  # of the model
    hidden: bool = True
    next_sentence: bool = True
    shares: tuple[float, float, float] = SHARES  # hidden, replaced, left
    asked_for: float = ASKED  # of the words, if they are hidden
    sparse: bool = False  # of the next words, 15 % are asked for, as of hidden ones
    snapshots: bool = False  # weights are kept along the way
    whole_exam: bool = False  # all ways to begin, with few labels and with many
    heads: int = 1  # to begin with, in the exam's first task

    def __post_init__(self) -> None:
        if self.sparse and self.hidden:
            raise ValueError("sparse is of next words, expected hidden=False with it")

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of the text."""
        return {"source": WORDS}

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return models.Bert(models.BertConfig(len(WORDS), **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[Reading]:
        """Pairs of sentences of the text, drawn without end."""
        rng, hider = Random(seed), Generator().manual_seed(seed)
        while True:
            drawn, other = pairs(rng, text(), N_BATCH)
            ids, segments = encode(drawn)
            if self.hidden:
                read, words = hide(ids, hider, self.shares, self.asked_for)
            else:
                read, words = ids, F.pad(ids[:, 1:], (0, 1))
                if self.sparse:
                    words = hide(words, hider)[1]
            yield Reading(read, segments, words, other)

    def loss(self, model: Any, batch: Reading) -> Float[Tensor, ""]:
        """Mean surprise at the words, plus that at what follows what."""
        X, asked = batch.vectors(model), batch.words != PAD
        loss = F.cross_entropy(model.words(X[asked]), batch.words[asked])
        if self.next_sentence:
            loss = loss + F.cross_entropy(model.next_sentence(X), batch.other)
        return loss

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model."""
        return in_page.calls(self.hidden)

    def keep(self, model: Any) -> dict[str, Any]:
        """The weights, where the network is shown as it learns, and what it has `right`
        when it is fine-tuned from there.
        """
        if not self.snapshots:
            return {}
        weights = {name: W.numpy() for name, W in model.state_dict().items()}
        with torch.enable_grad():
            return {"weights": weights, "right": right_along(model)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Sit the exam; see `whole_exam` and `short_exam`. With the short one, networks
        with other shares than BERT's are asked for words `as_shown`.
        """
        if self.whole_exam:
            return whole_exam(model, seed, self.heads)
        read_out = "last" if model.config.causal else "cls"
        found = short_exam(model, seed, read_out, self.heads)
        return found if self.shares == SHARES else found | {"shown": as_shown(model)}

    def measure(self, model: Any) -> dict[str, Any]:
        """Shares right, of unseen sentences: of the `words` asked for, and of `pairs`.

        A model of next words is asked for the same words as one of hidden words.
        """
        with evaluating(model):
            right = hidden_words if self.hidden else next_words
            measured = {"words": right(model)}
            if self.next_sentence:
                measured["pairs"] = next_sentences(model)
        return measured


def hidden_words(model: Any, shares: tuple[float, float, float] = ALL_HIDDEN) -> float:
    """Share of the words asked for that the first guess gets right.

    They are hidden, or, by other `shares`, replaced by any word or left in sight.
    """
    test = unseen_pairs(shares)
    asked = test.words != PAD
    return _right(model.words(test.vectors(model)[asked]), test.words[asked])


def as_shown(model: Any) -> dict[str, float]:
    """Share of the same words that are guessed right when they are "hidden", "replaced"
    by any word, or "left" in sight.
    """
    with evaluating(model):
        return {kind: hidden_words(model, only) for kind, only in ONE_KIND.items()}


def next_words(model: Any) -> float:
    """Share of the same words that the first guess gets right from what stands before
    them: the rest of the text is cut off.
    """
    test = unseen_pairs()
    row, place = (test.words != PAD).nonzero(as_tuple=True)
    ids = whole(test).source[row]
    cut = ids.masked_fill(torch.arange(ids.shape[1]) >= place[:, None], PAD)
    X = model(cut, test.segments[row], cut != PAD)
    before = X[torch.arange(len(X)), place - 1]
    return _right(model.words(before), test.words[row, place])


def next_sentences(model: Any) -> float:
    """Share of pairs that are told right, with no word hidden."""
    test = unseen_pairs()
    return _right(model.next_sentence(whole(test).vectors(model)), test.other)


def whole(batch: Reading) -> Reading:
    """Put hidden words back in their places."""
    ids = torch.where(batch.words != PAD, batch.words, batch.source)
    return replace(batch, source=ids)


@cache
def unseen_pairs(shares: tuple[float, float, float] = ALL_HIDDEN) -> Reading:
    """Pairs of held-out sentences. The same 15 % of their words are asked for, whatever
    the `shares` that are hidden, replaced and left.
    """
    drawn, other = pairs(Random(TEST_SEED), held_out(), N_MEASURED)
    ids, segments = encode(drawn)
    read, words = hide(ids, Generator().manual_seed(TEST_SEED), shares)
    return Reading(read, segments, words, other)


def _right(logits: Float[Tensor, "B N"], answers: Int[Tensor, " B"]) -> float:
    return (logits.argmax(dim=-1) == answers).double().mean().item()
