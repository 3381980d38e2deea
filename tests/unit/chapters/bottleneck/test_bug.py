"""Find the bug, chapter 1: starting from [PAD] costs what the exercise shows."""

from types import SimpleNamespace

import pytest
import torch

from attention_book import data, decoding, metrics, runs
from attention_book.chapters.bottleneck.bug import HUNT
from attention_book.chapters.bottleneck.solutions import (
    START,
    first_error,
    write,
    write_and_reread,
)

broken = HUNT.broken


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
    with torch.no_grad():
        ids = program(trained.model, *sources)
        read = torch.cat([torch.full((len(ids), 1), data.START), ids[:, :-1]], dim=1)
        likeliest = trained.model(*sources, read).argmax(dim=-1)
    return [
        [trained.target.decode(row) for row in rows.tolist()]
        for rows in (ids, likeliest)
    ]


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


class Recorder:
    """A model that writes word 5 for ever, and keeps what it reads."""

    def __init__(self):
        self.read = []

    def encode(self, source, visible):
        return source

    def initial_state(self, memory):
        return torch.zeros(len(memory), 1)

    def step(self, token, memory, state):
        self.read.append(token)
        return (
            torch.nn.functional.one_hot(torch.full((len(token),), 5), 7).float(),
            state,
            None,
        )


@pytest.mark.parametrize(
    ("program", "first"), [(write, data.START), (broken, data.PAD)]
)
def test_what_is_read_first(program, first):
    model, source = Recorder(), torch.ones(3, 4, dtype=torch.long)
    ids = program(model, source, source > 0, N_most=2)
    assert [token.tolist() for token in model.read] == [[first] * 3, [5] * 3]
    assert ids.tolist() == [[5, 5]] * 3
    assert START == data.START


def test_what_was_written_is_reread_from_the_start():
    source = torch.ones(2, 3, dtype=torch.long)

    def program(model, source, visible):
        return torch.tensor([[5, 6, 7], [8, 9, 3]])

    def copying(source, visible, read):  # its words are what it has read
        return torch.nn.functional.one_hot(read, 10).float()

    written, likeliest = write_and_reread(program, copying, source, source > 0)
    assert written.tolist() == [[5, 6, 7], [8, 9, 3]]
    assert likeliest.tolist() == [[START, 5, 6], [START, 8, 9]]


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


def test_most_short_sentences_go_wrong_at_the_first_word(trained, test_pairs):
    said, again = decoded(broken, trained, test_pairs[3, 6])
    errors = [
        first_error(words, pair.target)
        for words, pair in zip(said, test_pairs[3, 6], strict=True)
    ]
    wrong = [place for place in errors if place is not None]
    assert sum(place == 0 for place in wrong) > len(wrong) / 2
    assert (
        0.6 <= metrics.exact_match(again, said) <= 0.8
    )  # the folded solution's way to catch it
