"""Readers that answer by a rule, and small networks."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from attention_book import models
from attention_book.chapters.generation.codes import WORDS
from attention_book.chapters.generation.docstring_pieces import N_PIECES
from attention_book.training import seeded


class Says(nn.Module):
    """Says after each token what `answers(ids)` gives."""

    def __init__(self, answers):
        super().__init__()
        self.answers = answers

    def forward(self, ids):
        return F.one_hot(self.answers(ids), len(WORDS)).double()


@pytest.fixture
def says():
    return Says


@pytest.fixture
def tiny():
    """An untrained network of two blocks with two heads each."""
    sizes = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_positions": 32, "tied": False}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return models.GPT(models.GPTConfig(len(WORDS), **sizes))


@pytest.fixture
def encoded():
    """Gives a text's ids."""
    return lambda text: torch.tensor([WORDS.encode(text.split())])


@pytest.fixture
def small():
    """An untrained network of pieces."""
    with seeded(0):
        return models.GPT(models.GPTConfig(N_PIECES, 8, 2, 8, 1, 16)).eval()
