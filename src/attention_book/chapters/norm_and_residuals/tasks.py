"""What chapter 10's recorded stacks learn: the next word of the corpus's English
sentences, one after the other with a mark between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Int
from torch import Generator, Tensor, nn

from attention_book.chapters.norm_and_residuals.model import DeepConfig, DeepModel
from attention_book.data import STOP, Batch, Vocabulary, corpus
from attention_book.data.translation import vocabulary
from attention_book.decoding.mode import evaluating
from attention_book.training import token_cross_entropy

WORDS = vocabulary("en")
N_BATCH, N_MAX = 16, 32  # pieces of the stream in a batch, words of a piece
N_TRAIN = 8000  # sentences


@lru_cache(maxsize=1)  # all tasks of the chapter read the same sentences
def streams() -> tuple[Int[Tensor, "N_train"], Int[Tensor, "N_test"]]:
    """Return the ids of the sentences to learn from, and of unseen ones, each sentence
    followed by [STOP].
    """
    drawn = corpus("en", "fr", N_train=N_TRAIN)
    unseen = [pair for bucket in drawn.test.values() for pair in bucket]
    return _stream(drawn.train), _stream(unseen)


def _stream(pairs) -> Int[Tensor, "N"]:
    return torch.tensor([id for p in pairs for id in (*WORDS.encode(p.source), STOP)])


def pieces(stream: Int[Tensor, "N"], starts: Int[Tensor, "B"], N: int = N_MAX) -> Batch:
    """Cut pieces of N words, and the N words that follow each of their words."""
    places = starts[:, None] + torch.arange(N)  # (B, N)
    read = stream[places]
    visible = torch.ones_like(read, dtype=torch.bool)
    return Batch(read, visible, read, stream[places + 1])


@dataclass(frozen=True)
class NextWord:
    """Say the next word, by a stack of blocks; a `Task`.

    Attributes
    ----------
    norm : "pre", "post" or "none"
        Where the norms stand.
    N_blocks : int
        The depth.
    start : float
        How large the blocks' matrices start.
    residual : bool
        Add what a part finds to what was there.
    last_norm : bool
        Behind pre-norm blocks, one norm more.
    """

    norm: str
    N_blocks: int
    start: float = 1.0
    residual: bool = True
    last_norm: bool = True

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words, on either side."""
        return dict.fromkeys(("source", "target"), WORDS)

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        sizes = len(WORDS), N_MAX, self.N_blocks
        choices = self.norm, self.start, self.residual, self.last_norm
        return DeepModel(DeepConfig(*sizes, *choices))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Pieces from anywhere in the stream, without end."""
        train, _ = streams()
        rng = Generator().manual_seed(seed)
        while True:
            starts = torch.randint(len(train) - N_MAX, (N_BATCH,), generator=rng)
            yield pieces(train, starts)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Mean surprise at the words of unseen sentences, in nats a word."""
        _, test = streams()
        batch = pieces(test, torch.arange(0, len(test) - N_MAX, N_MAX))
        with evaluating(model):
            return {"unseen": token_cross_entropy(model, batch).item()}

    def keep(self, model: nn.Module) -> dict[str, Any]:
        """Keep nothing."""
        return {}
