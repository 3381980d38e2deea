"""The corpus's English sentences as one stream, with a mark behind each, in pieces."""

from functools import lru_cache

import torch
from jaxtyping import Int
from torch import Tensor

from attention_book.data import STOP, Batch, corpus
from attention_book.data.translation import vocabulary

WORDS = vocabulary("en")
N_MAX = 32  # words of a piece
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
