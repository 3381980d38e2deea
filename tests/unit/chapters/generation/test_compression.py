"""Bits per character."""

import gzip
import lzma
import zlib
from math import log, log2

import pytest
import torch
from torch import nn

from attention_book.chapters.generation.docstring_pieces import N_PIECES, encode
from attention_book.chapters.generation.experiments import compression
from attention_book.chapters.generation.experiments.compression import (
    Counts,
    compressed_bits,
    gpt_bits,
)
from attention_book.data import START
from attention_book.models import GPTConfig

A, B, C = 7, 8, 9


def test_counts_lean_on_shorter_runs_as_witten_and_bell_say():
    counts = Counts([A, B, A, B, A, C])  # after A: B twice, C once; 3 kinds in all
    alone = {A: (3 + 3 / 1000) / 9, B: (2 + 3 / 1000) / 9, C: (1 + 3 / 1000) / 9}
    after_A = (2 + 2 * alone[B]) / (3 + 2)
    after_BA = (1 + 2 * after_A) / (2 + 2)
    assert counts.probability((B,)) == pytest.approx(alone[B])
    assert counts.probability((A, B)) == pytest.approx(after_A)
    assert counts.probability((B, A, B)) == pytest.approx(after_BA)
    assert counts.probability((C, A, B)) == pytest.approx(after_A)  # C A never came
    expected = -log2(alone[B]) - log2(counts.probability((B, A))) - log2(after_BA)
    assert counts.bits([B, A, B], 3) == pytest.approx(expected)
    assert counts.bits([B, A, B], 1) == pytest.approx(-log2(alone[B] ** 2 * alone[A]))


@pytest.mark.parametrize("before", [(), (A,), (B, A), (C, C), (A, C)])
def test_the_probabilities_of_what_may_follow_are_one_together(before):
    counts = Counts([A, B, A, B, A, C, A, A])
    total = sum(counts.probability((*before, each)) for each in range(N_PIECES))
    assert total == pytest.approx(1)


class Fixed(nn.Module):
    """Says the same after each piece; keeps what it was given to read."""

    config = GPTConfig(N_PIECES, N_positions=6)

    def __init__(self, logits):
        super().__init__()
        self.said, self.read = logits, []

    def forward(self, ids):
        assert ids.shape[1] == 6
        self.read += ids.tolist()
        return self.said.expand(*ids.shape, -1)


@pytest.mark.parametrize("N", [2, 4, 6, 7, 8, 9, 10, 11, 40])
def test_each_piece_is_asked_for_once_with_half_a_window_before_it(N):
    text = torch.arange(3, 3 + N)
    logits = torch.linspace(-1, 2, N_PIECES)
    model = Fixed(logits)
    expected = -logits.log_softmax(0)[text[1:]].sum().item() / log(2)
    assert gpt_bits(model, text) == pytest.approx(expected, rel=1e-5)
    assert model.read[0][: min(N, 6)] == text[:6].tolist()
    for row, after in zip(model.read, model.read[1:], strict=False):
        assert after[:3] == row[3:]


def test_a_text_within_a_window_is_as_surprising_as_the_model_says_without_start(small):
    text = encode(["Add.", "é"])
    assert len(text) < 17
    log_P = small(text[None, :-1])[0].log_softmax(-1)
    log_P = log_P[range(len(text) - 1), text[1:]][text[1:] != START]
    assert len(log_P) == len(text) - 2
    bits = -log_P.sum().item() / log(2)
    assert gpt_bits(small, text) == pytest.approx(bits, rel=1e-5)


def test_what_is_known_already_adds_little_when_compressed():
    text = bytes(range(256)) * 2
    assert compressed_bits(gzip, text) == 8 * len(gzip.compress(text))
    assert compressed_bits(zlib, text, text) < compressed_bits(zlib, text) / 4
    assert compressed_bits(lzma, text[:256], text) < 200


def test_a_gpt_is_compared_with_what_needs_no_network(monkeypatch, small):
    known = "Return the sum.", "Add the sum of all."
    texts = {"train": known, "strings": ("Return all.", "Add é.")}
    monkeypatch.setattr(compression, "splits", lambda: texts)
    monkeypatch.setattr(compression, "ids", lambda split: encode(texts[split]))
    for kept in ("counts", "without_a_network"):  # for the whole library
        monkeypatch.setattr(compression, kept, getattr(compression, kept).__wrapped__)
    text, before = b"Return all.\0Add \xc3\xa9.", "\0".join(known).encode()
    primed = len(lzma.compress(before + text)) - len(lzma.compress(before))
    train, asked = (encode(texts[split]) for split in texts)
    counted = Counts(train[train != START].tolist())
    expected = {
        f"{name}gram": counted.bits(asked[asked != START].tolist(), order)
        for order, name in enumerate(("uni", "bi", "tri"), start=1)
    }
    expected |= {"gzip": 8 * len(gzip.compress(text)), "lzma, primed": 8 * primed}
    expected |= {"lzma": 8 * len(lzma.compress(text)), "GPT": gpt_bits(small, asked)}
    found = compression.compared(small, "strings")
    assert found == pytest.approx({name: n / 19 for name, n in expected.items()})
