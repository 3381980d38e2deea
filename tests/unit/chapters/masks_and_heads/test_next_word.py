"""The small language model: what it sees, how surprised it is, what it writes."""

from copy import deepcopy
from random import Random

import pytest
import torch
from elsewhere import Elsewhere, move

from attention_book.chapters.masks_and_heads import sentences
from attention_book.chapters.masks_and_heads.tasks import next_word
from attention_book.chapters.masks_and_heads.tasks.next_word import Continue
from attention_book.training import seeded


@pytest.fixture(scope="module", params=[True, False], ids=["causal", "open"])
def model(request):
    with seeded(0):
        return Continue(request.param).model()


@pytest.fixture(scope="module")
def batch():
    return Continue(causal=True).test


@torch.no_grad()
def test_only_the_causal_one_cannot_see_what_comes(model, batch):
    other = batch.target_in[:4].clone()
    other[:, 6] = 9
    change = model(None, None, other) - model(None, None, batch.target_in[:4])
    ahead = change[:, :6].abs().max()
    assert change[:, 6:].abs().max() > 0.01
    assert ahead == 0 if model.config.causal else ahead > 0.001


def test_prefixes_surprise_as_the_whole_does_if_nothing_is_seen_ahead(model, batch):
    whole = next_word.surprise(model, batch)
    prefixes = next_word.surprise(model, batch, prefixes=True)
    assert (abs(whole - prefixes) < 1e-5) == model.config.causal


def test_surprise_is_that_of_an_even_guess_before_anything_is_learned(model, batch):
    blank = Continue(model.config.causal).model()
    blank.read.weight.data *= 0
    blank.read.bias.data *= 0
    even = torch.tensor(float(len(sentences.WORDS))).log().item()
    for prefixes in (False, True):
        assert next_word.surprise(blank, batch, prefixes) == pytest.approx(even)


def test_it_writes_until_it_stops_on_any_device(model):
    texts = next_word.write(model, 30, seed=1)
    assert texts != next_word.write(model, 30, seed=2)
    assert all(len(text.split()) <= sentences.LONGEST for text in texts)
    assert not any("[STOP]" in text for text in texts)
    there = move(deepcopy(model))
    with Elsewhere():
        assert next_word.write(there, 30, seed=1) == texts


def test_every_sentence_is_well_formed_and_with_two_words_exchanged_none_is():
    rng = Random(0)
    drawn = [list(sentences.sentence(rng).words) for _ in range(300)]
    assert next_word.well_formed([" ".join(words) for words in drawn]) == 1
    for words in drawn:
        words[1], words[2] = words[2], words[1]
    assert next_word.well_formed([" ".join(words) for words in drawn]) == 0
    whole = " ".join(sentences.sentence(rng).words)
    assert next_word.well_formed(["", whole, f"{whole} and", f"the {whole}"]) == 0.25
