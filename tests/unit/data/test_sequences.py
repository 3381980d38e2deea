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


def test_every_length_and_every_symbol_comes():
    pairs = sequences("copy", N_symbols=5, lengths=(3, 8), n=60, seed=0)
    assert {len(pair.source) for pair in pairs} == {3, 8}
    assert {symbol for pair in pairs for symbol in pair.source} == set("abcde")


def test_the_seed_decides():
    same = [sequences("copy", lengths=[9], n=4, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]


def test_the_vocabulary_holds_the_symbols_as_letters():
    assert symbol_vocabulary().to_list() == list("abcdefghijklmnopqrst")
    assert len(symbol_vocabulary(5)) == 8


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"task": "sort"}, ValueError, "task is 'sort', expected one of copy, reverse"),
        ({"N_symbols": 1}, ValueError, "N_symbols is 1, expected 2 to 26"),
        ({"N_symbols": 27}, ValueError, "N_symbols is 27"),
        ({"lengths": []}, ValueError, "lengths is empty"),
        ({"lengths": [3, 0]}, ValueError, r"lengths\[1\] is 0"),
        ({"lengths": [3.0]}, TypeError, r"lengths\[0\] must be an int, got 3.0"),
        ({"n": -1}, ValueError, "n is -1"),
        ({"n": True}, TypeError, "n must be an int"),
        ({"seed": -2}, ValueError, "seed is -2"),
    ],
)
def test_bad_input_to_the_tasks_is_named(as_a_reader, arguments, error, message):
    with pytest.raises(error, match=message):
        sequences(**{"task": "copy", "lengths": [3], "n": 2, "seed": 0, **arguments})
