"""What chapter 7's language models learn, to say the next word. And what is measured of
them: how surprised they are, and what they write.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_book.chapters.masks_and_heads import sentences
from attention_book.chapters.masks_and_heads.model import NextWord, NextWordConfig
from attention_book.data import PAD, START, STOP, Batch, batching
from attention_book.networks import examples
from attention_book.networks.program import Named, Traced
from attention_book.runs import Task
from attention_book.training import seeded

N_BATCH = 32
N_TEST, TEST_SEED = 200, 10_000_000  # sentences; of no training


@dataclass(frozen=True)
class Continue(Task):
    """Sentences to be continued, word by word."""

    causal: bool  # no place looks ahead
    vocabularies = dict.fromkeys(("source", "target"), sentences.WORDS)

    @cached_property
    def test(self) -> Batch:
        """Unseen sentences."""
        return _batch(Random(TEST_SEED), N_TEST)

    def model(self) -> nn.Module:
        sizes = len(sentences.WORDS), sentences.LONGEST + 1
        return NextWord(NextWordConfig(*sizes, self.causal))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        rng = Random(seed)
        while True:
            yield _batch(rng, N_BATCH)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Measure the surprise, in nats a word, where `whole` sentences are shown, and
        `prefixes`; and the share `well_formed` of the texts that it writes.
        """
        return {
            "surprise": {
                "whole": surprise(model, self.test),
                "prefixes": surprise(model, self.test, prefixes=True),
            },
            "well_formed": well_formed(write(model, N_TEST)),
        }

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model: the next word at every word, with the chance of
        the word that does come next; and to write, where the words so far are its
        state.
        """

        def read(model: nn.Module, source: Tensor) -> Named:
            logits = model(None, None, source)
            P = logits[:, :-1].softmax(dim=-1)
            chance = P.gather(-1, source[:, 1:, None])[..., 0]
            return {"logits": logits, "chance": chance}

        def encode(model: nn.Module, source: Tensor) -> Named:
            return {"state": source[:, :0]}

        def step(model: nn.Module, token: Tensor, state: Tensor) -> Named:
            words = torch.cat([state, token[:, None]], dim=1)
            return {"logits": model(None, None, words)[:, -1], "state": words}

        given = examples(len(sentences.WORDS), "source")
        begun = [
            {"token": torch.ones(1, dtype=torch.long), "state": each["source"]}
            for each in given
        ]
        return {"read": (read, given), "encode": (encode, given), "step": (step, begun)}


def _batch(rng: Random, N: int) -> Batch:
    """Sentences, [START] in front of what is read, [STOP] behind what is said."""
    ids = [sentences.WORDS.encode(sentences.sentence(rng).words) for _ in range(N)]
    return batching.collate([(each, each) for each in ids])


@torch.no_grad()
def surprise(model: NextWord, batch: Batch, prefixes: bool = False) -> float:
    """Mean surprise at the right next word, in nats.

    With `prefixes`, the model is shown one after the other, as when it writes: it
    is given what came before, and nothing else.
    """
    read, right = batch.target_in, batch.target_out
    logits = model(None, None, read)
    if prefixes:
        each = [
            model(None, None, read[:, :n])[:, -1] for n in range(1, read.shape[1] + 1)
        ]
        logits = torch.stack(each, dim=1)
    return F.cross_entropy(
        logits.flatten(0, 1), right.flatten(), ignore_index=PAD
    ).item()


@torch.no_grad()
def write(model: NextWord, N: int, seed: int = 0) -> list[str]:
    """Let a model write N texts: each word is drawn from what it says comes next."""
    longest = sentences.LONGEST + 1
    texts = torch.full((N, 1), START, device=model.words.weight.device)
    with seeded(seed):
        while texts.shape[1] < longest:
            P = model(None, None, texts)[:, -1].softmax(-1)
            texts = torch.cat([texts, P.multinomial(1)], dim=1)
    words = sentences.WORDS.words
    rows = [[*row, STOP] for row in texts[:, 1:].tolist()]
    return [" ".join(words[k] for k in row[: row.index(STOP)]) for row in rows]


def _one_of(*words: Sequence[str]) -> str:
    return f"(?:{'|'.join(word for some in words for word in some)})"


NAME = _one_of(sentences.NAMES)
DEGREE = _one_of(sentences.DEGREES)
NOUN = f"the (?:{DEGREE} old )?{_one_of(*sentences.NOUNS.values())}"
SENTENCE = re.compile(
    f"(?:{NAME}|someone) told (?:{NAME}|everyone) that {NOUN} and {NOUN} "
    f"{_one_of(sentences.VERBS)} {NAME} near {NOUN} because it was "
    f"(?:{DEGREE} )?{_one_of(*sentences.ADJECTIVES.values())}"
)


def well_formed(texts: Sequence[str]) -> float:
    """Share of texts that have the form of a sentence, whatever they say."""
    return float(np.mean([SENTENCE.fullmatch(text) is not None for text in texts]))
