"""A small BERT, and one that gives what it is told to."""

import pytest
import torch
from torch import nn

from attention_book import models
from attention_book.chapters.pretraining import tasks
from attention_book.chapters.pretraining.sentences import WORDS
from attention_book.data import PAD
from attention_book.training import seeded


@pytest.fixture
def tiny():
    sizes = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_blocks": 1, "norm": "pre"}
    with seeded(0):
        return models.Bert(models.BertConfig(len(WORDS), **sizes))


class Reader(nn.Module):
    """Gives whatever `answers(ids)` says as its vectors, and reads them as logits."""

    def __init__(self, answers, other=None):
        super().__init__()
        self.answers, self.other = answers, other

    def forward(self, ids, segments=None, visible=None):
        assert torch.equal(ids == ids if visible is None else visible, ids != PAD)
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
    return tasks.unseen_pairs()
