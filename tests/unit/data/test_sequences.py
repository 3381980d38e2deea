"""Copy and reverse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_book.data.sequences import sequences, symbol_vocabulary


@settings(max_examples=30)
@given(
    st.sampled_from(("copy", "reverse")),
    st.integers(2, 26),
    st.integers(1, 9),
    st.integers(0, 50),
)
def test_the_target_is_the_source_again_or_backwards(task, N_symbols, longest, seed):
    lengths = range(1, longest + 1)
    for pair in sequences(task, N_symbols=N_symbols, lengths=lengths, n=5, seed=seed):
        assert pair.target == (pair.source if task == "copy" else pair.source[::-1])
        assert len(pair.source) in lengths
        assert set(pair.source) <= set("abcdefghijklmnopqrstuvwxyz"[:N_symbols])


@pytest.mark.parametrize("task", ["copy", "reverse"])
def test_linked_symbols_are_equal_and_each_has_one_link(task):
    for pair in sequences(task, lengths=[7], n=20, seed=3):
        assert all(pair.source[i] == pair.target[j] for i, j in pair.alignment)
        assert (
            sorted(i for i, _ in pair.alignment)
            == sorted(j for _, j in pair.alignment)
            == list(range(7))
        )
    assert ((6, 0) in pair.alignment) == (task == "reverse")


def test_the_seed_decides():
    same = [sequences("copy", lengths=[9], n=4, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]


def test_the_vocabulary_holds_the_symbols_as_letters():
    assert symbol_vocabulary().to_list() == list("abcdefghijklmnopqrst")
    assert len(symbol_vocabulary(5)) == 8
