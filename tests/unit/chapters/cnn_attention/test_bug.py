"""Find the bug, chapter 9: a reshape that takes pieces of pictures for cells."""

import torch

from attention_book import runs
from attention_book.chapters.cnn_attention.bug import BUG_HUNT
from attention_book.chapters.cnn_attention.experiments import with_cells
from attention_book.chapters.cnn_attention.solutions import cells
from attention_book.chapters.cnn_attention.tasks import WhichKey, share_right


def test_the_bug_has_the_right_shape_and_mixes_cells():
    grid = torch.tensor([0, 100])[:, None, None] + torch.arange(6.0).view(1, 2, 3)
    wrong = BUG_HUNT.broken(grid[None])[0]
    assert wrong.shape == cells(grid[None])[0].shape
    assert wrong[:2].tolist() == [[0, 1], [2, 3]]


def test_what_the_folded_answers_say():
    """The recorded network says little that is right with it, and all without."""
    model, scenes = runs.load("cnn-attention").model(), WhichKey().test[:120]
    assert share_right(with_cells(model, BUG_HUNT.broken), scenes) < 0.6
    assert share_right(with_cells(model, cells), scenes) > 0.97
