"""Sentences of adverbs and two names, and questions that only their order answers.

    today anna often calls here ben who?           anna: the name before the verb
    now soon emil often dora then third?           emil: the third word
    dora here ... emil ... often soon tenth?       emil: the tenth word from the end

Both names are in the bag of words, and each is as often the answer: who knows the words
and not their order is right half of the time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import torch
from torch import nn

from attention_book.chapters.order.reader import Reader, ReaderConfig
from attention_book.data import START, Batch, Pair, Vocabulary
from attention_book.decoding.mode import evaluating
from attention_book.shapes import check_choice, check_count, check_filled

NAMES = ("anna", "ben", "carl", "dora", "emil", "fay", "gus", "hana")
VERBS = ("calls", "helps", "sees")
ADVERBS = ("again", "gladly", "here", "now", "often", "once")
ADVERBS += ("quietly", "slowly", "soon", "then", "today")
QUESTIONS = {"who": 3, "third": 3, "tenth": 11}  # -> words of the shortest sentence
WORDS = Vocabulary([*NAMES, *VERBS, *ADVERBS, *(f"{name}?" for name in QUESTIONS)])
SHORTEST, LONGEST = 5, 16  # words of a sentence in training, without the question
LONGER = (24, 32)
EACH_LONGER = range(28, 39)  # what `OrderByLength` measures as well
N_BATCH = 32
N_TEST = 500  # sentences of each bucket
TEST_SEED = 10_000_000  # far from the seeds of training


def sentence(question: str, N: int, rng: Random) -> Pair:
    """Draw a sentence of N words and a question, and the word that answers it.

    Parameters
    ----------
    question : {"who", "third", "tenth"}
    N : int
        Words, without the question.
    rng : Random

    Raises
    ------
    ValueError
        If there is no such question, or the sentence is too short for it.
    """
    check_choice("question", question, QUESTIONS)
    check_count("N", N, QUESTIONS[question])
    words = rng.choices(ADVERBS, k=N)
    answer, other = rng.sample(NAMES, 2)
    if question == "who":
        first, verb, second = sorted(rng.sample(range(N), 3))
        words[first], words[second] = answer, other
        words[verb] = rng.choice(VERBS)
    else:
        place = 2 if question == "third" else N - 10
        sides = [side for side in (range(place), range(place + 1, N)) if side]
        words[place], words[rng.choice(rng.choice(sides))] = answer, other
    return Pair((*words, f"{question}?"), (answer,))


def collate(pairs: Sequence[Pair]) -> Batch:
    """Put sentences of one length and their answers into a batch.

    Raises
    ------
    ValueError
        If there are none, or their lengths differ, or a word is unknown.
    """
    check_filled("pairs", pairs, "sentence")
    if len(lengths := {len(pair.source) for pair in pairs}) > 1:
        raise ValueError(f"pairs have {sorted(lengths)} words, expected one length")
    source = torch.tensor([WORDS.encode(pair.source) for pair in pairs])
    answers = torch.tensor([WORDS.encode(pair.target) for pair in pairs])
    visible = torch.ones_like(source, dtype=torch.bool)
    return Batch(source, visible, torch.full_like(answers, START), answers)


@dataclass(frozen=True)
class Order:
    """A question about order; a `Task`.

    Attributes
    ----------
    question : {"who", "third", "tenth"}
    positions : str
        How the reader is told where a word stands: one of `reader.KINDS`.
    N_layers : int
    """

    question: str
    positions: str
    N_layers: int = 2

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words, on either side."""
        return dict.fromkeys(("source", "target"), WORDS)

    @property
    def lengths(self) -> range:
        """How many words the sentences of training have."""
        shortest = max(SHORTEST, QUESTIONS[self.question] + 1)
        return range(shortest, LONGEST + 1)

    @cached_property
    def test(self) -> dict[str, list[Batch]]:
        """Unseen sentences: of the lengths of training, and longer ones."""
        rng, (least, *_, most) = Random(TEST_SEED), self.lengths
        buckets = {f"{least} to {most}": self.lengths} | {str(N): [N] for N in LONGER}
        return {
            label: [
                collate([sentence(self.question, N, rng) for _ in range(count)])
                for N, count in zip(lengths, _shared(N_TEST, len(lengths)), strict=True)
            ]
            for label, lengths in buckets.items()
        }

    def model(self) -> nn.Module:
        """A reader with fresh weights."""
        return Reader(ReaderConfig(len(WORDS), self.positions, self.N_layers))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Fresh sentences of one length a batch, without end."""
        rng = Random(seed)
        while True:
            N = rng.choice(self.lengths)
            yield collate([sentence(self.question, N, rng) for _ in range(N_BATCH)])

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of right answers in each bucket."""
        return {
            "test": {
                label: {"right": right(model, batches)}
                for label, batches in self.test.items()
            }
        }

    def keep(self, model: nn.Module) -> dict[str, Any]:
        """Keep nothing."""
        return {}


@dataclass(frozen=True)
class OrderByLength(Order):
    """The same, measured at each of many lengths as well; a `Task`."""

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of right answers in each bucket, and of sentences of each length."""
        lengths = {}
        for N in EACH_LONGER:
            rng = Random(N)
            drawn = [sentence(self.question, N, rng) for _ in range(N_TEST)]
            lengths[str(N)] = {"right": right(model, [collate(drawn)])}
        return super().measure(model) | {"lengths": lengths}


def right(model: nn.Module, batches: Sequence[Batch]) -> float:
    """Share of the sentences whose answer is right, read as outside training."""
    with evaluating(model):
        hits = [
            model(batch.source, batch.source_visible)[:, -1].argmax(-1)
            == batch.target_out[:, 0]
            for batch in batches
        ]
    return torch.cat(hits).double().mean().item()


def _shared(total: int, parts: int) -> list[int]:
    """Split a number into parts as equal as can be."""
    return [total // parts + (k < total % parts) for k in range(parts)]
