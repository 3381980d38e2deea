"""Two tasks for the ways to process a sequence: to carry a name, and a light switch.

anna often then once ... who?       anna: so many words back
press wait press press wait         on on off on on: is the light on now?
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Int
from torch import Generator, Tensor, nn

from attention_book.chapters.three_ways.model import Network, NetworkConfig
from attention_book.data import PAD, START, Batch, Vocabulary
from attention_book.runs import Task

NAMES = ("anna", "ben", "carl", "dora", "emil", "fay", "gus", "hana")
FILLERS = ("again", "gladly", "here", "now", "often", "once", "soon", "then")
WORDS = Vocabulary([*NAMES, *FILLERS, "who?"])
SWITCH = Vocabulary(["wait", "press", "off", "on"])
N_BATCH = 32
N_TEST = 500  # sentences of each length
TEST_SEED = 10_000_000  # far from the seeds of training
PRESSES = 16  # words of a row of the switch in training
LONGER = (32, 64)


def sentences(
    distance: int, count: int, rng: Generator
) -> tuple[Int[Tensor, "count N"], Int[Tensor, "count N"]]:
    """Draw sentences whose first word is a name, and their answers.

    Between the name and the question are `distance` - 1 words. The answer stands at the
    last place; PAD where nothing is asked.
    """
    words = _any_of(FILLERS, WORDS, (count, distance + 1), rng)
    words[:, 0] = _any_of(NAMES, WORDS, (count,), rng)
    words[:, -1] = WORDS.encode(["who?"])[0]
    answers = torch.full_like(words, PAD)
    answers[:, -1] = words[:, 0]
    return words, answers


def presses(
    N: int, count: int, rng: Generator
) -> tuple[Int[Tensor, "count N"], Int[Tensor, "count N"]]:
    """Draw rows of *wait* and *press*, and whether the light is on after each word."""
    words = _any_of(("wait", "press"), SWITCH, (count, N), rng)
    wait, off = (SWITCH.encode([word])[0] for word in ("wait", "off"))
    return words, (words - wait).cumsum(dim=1) % 2 + off


def _any_of(
    words: tuple[str, ...], vocabulary: Vocabulary, shape: tuple, rng: Generator
) -> Int[Tensor, "..."]:
    """Draw ids of some words, each as likely."""
    return torch.tensor(vocabulary.encode(words))[
        torch.randint(len(words), shape, generator=rng)
    ]


@dataclass(frozen=True)
class Carry(Task):
    """Say the name that was the first word."""

    way: str  # one of `model.WAYS`
    distance: int  # words from the name to the question
    N_layers: int = 1
    vocabularies = dict.fromkeys(("source", "target"), WORDS)

    def model(self) -> nn.Module:
        return Network(NetworkConfig(len(WORDS), self.way, self.N_layers))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        rng = Generator().manual_seed(seed)
        while True:
            yield _batch(*sentences(self.distance, N_BATCH, rng))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of unseen sentences answered right."""
        rng = Generator().manual_seed(TEST_SEED)
        return {"right": right(model, *sentences(self.distance, N_TEST, rng))}


@dataclass(frozen=True)
class Switch(Task):
    """Say after each word whether the light is on."""

    way: str  # one of `model.WAYS`
    N_layers: int = 1
    vocabularies = dict.fromkeys(("source", "target"), SWITCH)

    def model(self) -> nn.Module:
        return Network(NetworkConfig(len(SWITCH), self.way, self.N_layers))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        rng = Generator().manual_seed(seed)
        while True:
            yield _batch(*presses(PRESSES, N_BATCH, rng))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share right after the last word, for rows as in training and longer ones."""
        rng = Generator().manual_seed(TEST_SEED)
        return {
            "test": {
                str(N): {"right": right(model, *presses(N, N_TEST, rng))}
                for N in (PRESSES, *LONGER)
            }
        }


def _batch(words: Int[Tensor, "B N"], answers: Int[Tensor, "B N"]) -> Batch:
    visible = torch.ones_like(words, dtype=torch.bool)
    return Batch(words, visible, torch.full_like(words, START), answers)


@torch.no_grad()
def right(
    model: nn.Module, words: Int[Tensor, "B N"], answers: Int[Tensor, "B N"]
) -> float:
    """Share of the rows whose last answer is right."""
    said = model(words)[:, -1].argmax(dim=-1)
    return (said == answers[:, -1]).double().mean().item()
