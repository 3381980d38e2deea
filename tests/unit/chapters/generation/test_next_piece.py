"""A GPT of documentation strings: what it is trained on, and what is measured."""

from dataclasses import replace
from itertools import islice
from math import log2

import pytest
import torch

from attention_book.chapters.generation.docstring_pieces import (
    N_PIECES,
    N_characters,
    encode,
    ids,
)
from attention_book.chapters.generation.tasks.next_piece import OWN, Docstrings
from attention_book.data import START
from attention_book.data.docstrings import checksum
from attention_book.runs import OtherData

TINY = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_blocks": 1, "N_positions": 12}
TASK = Docstrings(TINY, N_batch=3)


def test_it_is_trained_on_windows_of_the_text():
    text = ids("train").unfold(0, 13, 1)
    drawn = torch.cat([*islice(TASK.batches(0, 4), 4)])
    assert len({*map(tuple, drawn.tolist())}) == 12
    for window in drawn:
        assert (text == window).all(dim=1).any()
    again, other = (next(TASK.batches(seed, 4)) for seed in (0, 1))
    assert torch.equal(again, drawn[:3])
    assert not torch.equal(other, drawn[:3])


def test_another_text_is_refused():
    other = replace(TASK, text="0123", python="3.0.1")
    with pytest.raises(OtherData, match=r"others than those of 3\.0\.1"):
        next(other.batches(0, 1))
    next(replace(TASK, text=checksum()).batches(0, 1))


def test_who_knows_nothing_needs_ten_bits_for_a_piece_of_our_own_strings():
    model = TASK.model()
    for weight in model.parameters():
        weight.data.zero_()
    N = (encode(OWN) != START).sum().item()
    bits = N * log2(N_PIECES) / N_characters(OWN)
    assert TASK.measure(model)["own strings"] == pytest.approx(bits)
