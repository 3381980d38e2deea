"""Find the bug, chapter 1: starting from [PAD] costs what the exercise shows."""

import pytest

from attention_book import data, runs
from attention_book.chapters.bottleneck.bug import BUG_HUNT
from attention_book.chapters.bottleneck.experiments import with_rereading, written


@pytest.fixture(scope="module")
def trained():
    run = runs.load("bottleneck-long")
    return run.model(), run.vocabularies


@pytest.fixture(scope="module")
def test_pairs():
    return data.corpus("en", "es", N_train=0, per_bucket=40).test


@pytest.mark.parametrize("bucket", [(3, 6), (16, 18)])
def test_writing_by_hand_is_greedy_decoding(trained, test_pairs, bucket):
    (model, vocabularies), pairs = trained, test_pairs[bucket]
    sources = [pair.source for pair in pairs]
    expected = runs.translate(model, sources, *vocabularies, reverse_source=True)
    said = written(BUG_HUNT.repaired, model, {bucket: pairs}, vocabularies)
    assert said == {bucket: expected}
    programs = {"repaired": BUG_HUNT.repaired}
    found = with_rereading(programs, model, pairs, vocabularies)["repaired"]
    # the way that was trained, all steps at once
    assert found["the two ways agree"] == 1


@pytest.mark.parametrize("bucket", [(3, 6), (7, 9), (10, 12)])
def test_the_bug_costs_the_same_at_every_short_length(trained, test_pairs, bucket):
    (model, vocabularies), pairs = trained, test_pairs[bucket]
    programs = {"repaired": BUG_HUNT.repaired, "broken": BUG_HUNT.broken}
    found = with_rereading(programs, model, pairs, vocabularies)
    right = {name: shares["all right"] for name, shares in found.items()}
    assert right["repaired"] >= 0.95
    assert 0.2 <= right["repaired"] - right["broken"] <= 0.4
