"""A network with BERT's face that has hardly anything to learn."""

from dataclasses import dataclass

import pytest
import torch
from torch import nn

from attention_book.chapters.pretraining import tasks
from attention_book.chapters.pretraining.sentences import WORDS


@dataclass(frozen=True)
class TinyConfig:
    """The one size of `Tiny`."""

    D: int = 8


class Tiny(nn.Module):
    """Adds the mean of all visible words to each, and the place."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(len(WORDS), config.D)
        self.segments, self.places = (
            nn.Embedding(2, config.D),
            nn.Embedding(64, config.D),
        )
        self.pooler, self.follows = (
            nn.Linear(config.D, config.D),
            nn.Linear(config.D, 2),
        )

    def forward(self, ids, segments, visible):
        X = self.embedding(ids) + self.segments(segments)
        X = X + self.places(torch.arange(ids.shape[1]))
        share = visible / visible.sum(dim=1, keepdim=True)
        return X + (share[:, None] @ X)

    def words(self, X):
        return X @ self.embedding.weight.T

    def pooled(self, X):
        return torch.tanh(self.pooler(X[:, 0]))

    def next_sentence(self, X):
        return self.follows(self.pooled(X))


@pytest.fixture
def tiny():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return Tiny(TinyConfig())


class Reader(nn.Module):
    """Gives whatever `answers(ids)` says as its vectors, and reads them as logits."""

    def __init__(self, answers, other=None):
        super().__init__()
        self.answers, self.other = answers, other

    def forward(self, ids, segments, visible):
        assert torch.equal(visible, ids != 0)
        return self.answers(ids)

    def words(self, X):
        return X

    def next_sentence(self, X):
        return nn.functional.one_hot(self.other(X), 2).double()


@pytest.fixture
def reader():
    return Reader


@pytest.fixture(scope="session")
def unseen():
    return tasks.unseen()
