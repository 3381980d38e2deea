"""Batches."""

from itertools import islice

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attention_book.data import Pair, batches, collate, encode_sources
from attention_book.data.batching import groups
from attention_book.data.sequences import sequences, symbol_vocabulary
from attention_book.shapes import PAD, START, STOP

LETTERS = symbol_vocabulary(7)
PAIRS = sequences("reverse", N_symbols=7, lengths=range(1, 12), n=90, seed=4)


def stream(pairs=PAIRS, **options):
    return batches(
        pairs, LETTERS, LETTERS, **{"seed": 0, "tokens_per_batch": 40, **options}
    )


def epoch(**options):
    """The batches of the first epoch: as many as hold every pair once."""
    seen, taken = 0, []
    for batch in stream(**options):
        taken.append(batch)
        seen += len(batch)
        if seen >= len(PAIRS):
            assert seen == len(PAIRS)
            return taken


def test_a_batch_is_padded_with_stop_at_the_end_of_each_row():
    batch = collate([([5, 6, 7], [8, 9]), ([4], [3, 3, 3, 3])])
    assert batch.source.tolist() == [[5, 6, 7, STOP], [4, STOP, PAD, PAD]]
    assert batch.source_visible.tolist() == [[True] * 4, [True, True, False, False]]
    assert batch.target_in.tolist() == [[START, 8, 9, PAD, PAD], [START, 3, 3, 3, 3]]
    assert batch.target_out.tolist() == [[8, 9, STOP, PAD, PAD], [3, 3, 3, 3, STOP]]
    assert len(batch) == 2
    assert batch.N_target_tokens == 8


def test_what_the_decoder_reads_is_what_it_should_write_one_step_later():
    for batch in epoch():
        words = batch.target_in[:, 1:] != PAD
        read, written = batch.target_in[:, 1:], batch.target_out[:, :-1]
        assert torch.equal(read[words], written[words])
        assert (batch.target_in[:, 0] == START).all()


def test_an_epoch_holds_every_pair_once():
    rows = [
        (LETTERS.decode(source.tolist()), LETTERS.decode(target.tolist()))
        for batch in epoch()
        for source, target in zip(batch.source, batch.target_out, strict=True)
    ]
    assert sorted(rows) == sorted((pair.source, pair.target) for pair in PAIRS)


@settings(max_examples=20)
@given(st.integers(12, 200), st.integers(0, 9))
@example(12, 0)  # the longest and STOP
def test_no_batch_exceeds_its_budget_of_target_tokens(budget, seed):
    assert all(
        batch.target_out.numel() <= budget
        for batch in epoch(tokens_per_batch=budget, seed=seed)
    )


def test_batches_use_their_budget():
    taken = epoch(tokens_per_batch=60)
    assert sum(batch.target_out.numel() for batch in taken) / (60 * len(taken)) > 0.75


def test_sentences_of_like_length_share_a_batch():
    targets = [batch.target_out for batch in epoch(tokens_per_batch=60)]
    padding = sum(int((target == PAD).sum()) for target in targets)
    assert padding < 0.1 * sum(target.numel() for target in targets)


def test_epochs_differ_and_never_end():
    n = len(epoch())
    contents = [sorted(batch.source.tolist()) for batch in islice(stream(), 2 * n)]
    assert len(contents) == 2 * n
    assert sorted(contents[:n]) != sorted(contents[n:]), "other sentences together"


def test_the_seed_alone_decides_the_order():
    def order(seed):
        return [batch.source.tolist() for batch in islice(stream(seed=seed), 6)]

    torch.manual_seed(0)
    first = order(3)
    torch.manual_seed(1)
    assert order(3) == first
    assert order(4) != first


def test_reversing_the_source_keeps_stop_last_and_leaves_the_target():
    pair = Pair(("a", "b", "c"), ("d", "e"), frozenset())
    batch = next(stream([pair], reverse_source=True))
    assert LETTERS.decode(batch.source[0].tolist()) == ("c", "b", "a")
    assert batch.source[0, -1] == STOP
    assert LETTERS.decode(batch.target_out[0].tolist()) == ("d", "e")


def test_sources_for_decoding_are_those_of_a_batch():
    sources = [("a", "b", "c"), ("e",)]
    for reverse, step in ((False, 1), (True, -1)):
        source, visible = encode_sources(sources, LETTERS, reverse)
        batch = collate([(LETTERS.encode(words)[::step], [5]) for words in sources])
        assert torch.equal(source, batch.source)
        assert torch.equal(visible, batch.source_visible)


@pytest.mark.parametrize(
    ("N", "sizes"), [(0, []), (3, [3]), (6, [3, 3]), (7, [3, 3, 1])]
)
def test_groups_hold_all_in_order_and_the_last_what_is_left(N, sizes):
    found = [*groups(range(N), 3)]
    assert [*map(len, found)] == sizes
    assert [each for some in found for each in some] == [*range(N)]
