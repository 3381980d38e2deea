"""Bits per character, and what a GPT writes."""

import gzip
import lzma
import zlib
from math import log, log2

import pytest
import torch
import transformers
from torch import nn

from attention_book.chapters.generation.docstrings import N_PIECES, encode, pieces
from attention_book.chapters.generation.experiments import docstrings as experiments
from attention_book.chapters.generation.experiments.docstrings import (
    Counts,
    compressed_bits,
    go_on,
    gpt2_goes_on,
    gpt_bits,
)
from attention_book.data import START, STOP
from attention_book.models import GPT, GPTConfig
from attention_book.training import seeded

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


def small(N_positions=16, seed=0):
    with seeded(seed):
        return GPT(GPTConfig(N_PIECES, 8, 2, 8, 1, N_positions)).eval()


def test_a_text_within_a_window_is_as_surprising_as_the_model_says_without_start():
    model, text = small(), encode(["Add.", "é"])
    assert len(text) < 17
    log_P = model(text[None, :-1])[0].log_softmax(-1)
    log_P = log_P[range(len(text) - 1), text[1:]][text[1:] != START]
    assert len(log_P) == len(text) - 2
    bits = -log_P.sum().item() / log(2)
    assert gpt_bits(model, text) == pytest.approx(bits, rel=1e-5)


def test_what_is_known_already_adds_little_when_compressed():
    text = bytes(range(256)) * 2
    assert compressed_bits(gzip, text) == 8 * len(gzip.compress(text))
    assert compressed_bits(zlib, text, text) < compressed_bits(zlib, text) / 4
    assert compressed_bits(lzma, text[:256], text) < 200


def test_a_gpt_is_compared_with_what_needs_no_network(monkeypatch):
    known = "Return the sum.", "Add the sum of all."
    texts = {"train": known, "strings": ("Return all.", "Add é.")}
    monkeypatch.setattr(experiments, "splits", lambda: texts)
    monkeypatch.setattr(experiments, "ids", lambda split: encode(texts[split]))
    for kept in ("counts", "without_a_network"):  # for the whole library
        monkeypatch.setattr(experiments, kept, getattr(experiments, kept).__wrapped__)
    text, before = b"Return all.\0Add \xc3\xa9.", "\0".join(known).encode()
    primed = len(lzma.compress(before + text)) - len(lzma.compress(before))
    train, asked = (encode(texts[split]) for split in texts)
    counted = Counts(train[train != START].tolist())
    expected = {
        f"{name}gram": counted.bits(asked[asked != START].tolist(), order)
        for order, name in enumerate(("uni", "bi", "tri"), start=1)
    }
    expected |= {"gzip": 8 * len(gzip.compress(text)), "lzma, primed": 8 * primed}
    expected |= {"lzma": 8 * len(lzma.compress(text)), "GPT": gpt_bits(small(), asked)}
    found = experiments.compared(small(), "strings")
    assert found == pytest.approx({name: n / 19 for name, n in expected.items()})


def test_it_goes_on_from_a_prompt_to_its_last_position_or_to_stop():
    model, prompt = small(), "Return the"
    read = [START, *pieces().encode(prompt)]
    written = []
    for _ in range(17 - len(read)):
        i = model(torch.tensor([[*read, *written]]))[0, -1].argmax().item()
        if i == STOP:
            break
        written.append(i)
    assert len(written) > 3
    assert go_on(model, prompt, seed=0, top_k=1) == pieces().decode(written)
    drawn = {go_on(model, prompt, seed=seed) for seed in (0, 1, 2)}
    assert len(drawn) == 3


class Letters:
    """A stand-in tokenizer: a letter has its place in the alphabet."""

    eos_token_id = 29

    def encode(self, text):
        return [ord(letter) - ord("a") for letter in text]

    def decode(self, ids):
        return "".join(chr(i + ord("a")) for i in ids)


@pytest.mark.parametrize("seed", [6, 12, 21, 40])  # all write "c", three end
def test_gpt_2_goes_on_as_that_of_transformers_does(seed):
    config = transformers.GPT2Config(
        vocab_size=30,
        n_positions=40,
        n_embd=16,
        n_layer=2,
        n_head=2,
        bos_token_id=29,
        eos_token_id=29,
        initializer_range=0.5,
    )
    with seeded(seed):
        theirs = transformers.GPT2LMHeadModel(config).eval()
    read = torch.tensor([[0, 2, 1, 2]])  # "acbc": c has the id 2, at which ours stops
    (written,) = theirs.generate(
        read, attention_mask=read >= 0, do_sample=False, max_new_tokens=20
    )[:, 4:].tolist()
    assert 2 in written
    end = written.index(29) if 29 in written else len(written)
    found = gpt2_goes_on(theirs, Letters(), "acbc", seed=0, top_k=1, max_words=20)
    assert found == Letters().decode(written[:end])
