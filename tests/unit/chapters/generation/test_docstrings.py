"""The text: what is collected of it and held out, and the pieces it is cut into."""

import sys

import pytest

from attention_book.chapters.generation import docstrings
from attention_book.chapters.generation.docstrings import (
    N_PIECES,
    N_characters,
    encode,
    ids,
    learned_pieces,
    pieces,
    splits,
)
from attention_book.chapters.generation.recipes import TEXT
from attention_book.data import START, STOP

MODULE = '''"""Of the module."""
import os  # "no string of documentation"
class A:
    """Of the class."""
    x = "no string of documentation"
    try:
        async def f(self):
            """Of what
            waits."""
    except ValueError:
        def f(self):
            \'\'\'Of what is defined otherwise.\'\'\'
            "no string of documentation"
    def g(self): pass
'''


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library of a module, a package and a name that it lacks."""
    (tmp_path / "one.py").write_text(MODULE)
    for folder in ("two/inner", "two/test", "three"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text(f'"""Of {folder}."""')
    monkeypatch.setattr(sys, "stdlib_module_names", {"one", "two", "gone"})
    monkeypatch.setattr(docstrings.sysconfig, "get_path", lambda name: str(tmp_path))


def test_all_strings_of_the_librarys_modules_are_collected_and_none_of_tests(library):
    assert docstrings.docstrings.__wrapped__() == {
        "one": (
            "Of the module.",
            "Of the class.",
            "Of what\nwaits.",
            "Of what is defined otherwise.",
        ),
        "two": ("Of two/inner.",),
    }


def test_no_string_is_on_two_sides_and_held_out_modules_are_whole():
    # the first to ask for the splits, it reads the whole library
    sides = {name: {*some} for name, some in splits().items()}
    assert sum(map(len, splits().values())) == len(set.union(*sides.values()))
    inside, known = sides["train"] | sides["strings"], docstrings.docstrings()
    held_out = [{*some} for some in known.values() if not {*some} <= inside]
    assert len(held_out) > 20
    for some in held_out:
        assert (
            some - inside <= sides["modules"] or some - inside <= sides["development"]
        )
    for name in ("modules", "strings", "development"):
        share = N_characters(splits()[name]) / N_characters(splits()["train"])
        assert 0.03 < share < 0.15


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
    if docstrings.checksum() != TEXT["text"]:
        pytest.skip(f"they were learned from the strings of Python {TEXT['python']}")
    assert learned_pieces().to_json() == pieces().to_json()
