"""The pieces that the text is cut into."""

import pytest

from attention_book.chapters.generation.docstring_pieces import (
    N_PIECES,
    N_characters,
    encode,
    ids,
    learned_pieces,
    pieces,
)
from attention_book.data import START, STOP
from attention_book.data.docstrings import checksum, splits
from attention_book.runs.text import RECORDED_ON


def test_every_string_comes_back_from_its_pieces():
    for split in splits():
        text = pieces().decode(ids(split).tolist())
        assert text == "".join(splits()[split])


def test_strings_stand_one_after_the_other():
    both = encode(["Add.", "Line\n    two é"]).tolist()
    assert both == [
        *(START, *pieces().encode("Add."), STOP),
        *(START, *pieces().encode("Line\n    two é"), STOP),
    ]
    assert N_characters(["Add.", "é"]) == 5 + 2
    assert len(pieces().vocabulary) == N_PIECES


def test_the_kept_pieces_are_those_that_are_learned():
    if checksum() != RECORDED_ON["text"]:
        pytest.skip(f"they were learned from the strings of {RECORDED_ON['python']}")
    assert learned_pieces().to_json() == pieces().to_json()
