"""The text: what is collected of it and held out."""

import sys

import pytest

from attention_book.data import docstrings
from attention_book.data.docstrings import splits

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
        share = len("".join(splits()[name])) / len("".join(splits()["train"]))
        assert 0.03 < share < 0.15
