"""Find the bug, chapter 1: starting from [PAD] costs what the exercise shows."""

from types import SimpleNamespace

import pytest

from attention_book import data, decoding, metrics, runs
from attention_book.chapters.bottleneck.bug import BUG_HUNT
from attention_book.chapters.bottleneck.solutions import write, write_and_reread

broken = BUG_HUNT.broken


@pytest.fixture(scope="module")
def trained():
    run = runs.load("bottleneck-long")
    return SimpleNamespace(
        model=run.model(), source=run.vocabularies[0], target=run.vocabularies[1]
    )


@pytest.fixture(scope="module")
def test_pairs():
    return data.corpus("en", "es", N_train=0, per_bucket=40).test


def decoded(program, trained, pairs):
    sources = data.encode_sources(
        [pair.source for pair in pairs], trained.source, reverse_source=True
    )
    both = write_and_reread(program, trained.model, *sources)
    return [[trained.target.decode(row) for row in ids.tolist()] for ids in both]


@pytest.mark.parametrize("bucket", [(3, 6), (16, 18)])
def test_writing_by_hand_is_greedy_decoding(trained, test_pairs, bucket):
    pairs = test_pairs[bucket]
    sources = data.encode_sources(
        [pair.source for pair in pairs], trained.source, reverse_source=True
    )
    expected = [
        trained.target.decode(row)
        for row in decoding.greedy(trained.model, *sources).ids
    ]
    said, again = decoded(write, trained, pairs)
    assert said == expected
    assert again == expected  # the way that was trained, all steps at once


@pytest.mark.parametrize("bucket", [(3, 6), (7, 9), (10, 12)])
def test_the_bug_costs_the_same_at_every_short_length(trained, test_pairs, bucket):
    right = {}
    for program in (write, broken):
        said, _ = decoded(program, trained, test_pairs[bucket])
        right[program] = metrics.exact_match(
            said, [pair.target for pair in test_pairs[bucket]]
        )
    assert right[write] >= 0.95
    assert 0.2 <= right[write] - right[broken] <= 0.4
