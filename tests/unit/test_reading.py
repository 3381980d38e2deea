"""A chapter shows code by reading it: whole, but with docstrings of one sentence."""

import pytest

from attention_book.reading import source


def example(x: int) -> int:
    """Say the idea in one line.

    Everything below it is for the reference pages.
    """

    def inner() -> int:
        """Stay whole."""
        return x

    return inner()


class Example:
    """First line of a class.

    More.
    """

    def method(self) -> None:
        """First line of a method.

        More of it.
        """


def test_code_is_shown_with_docstrings_of_one_line():
    shown = source(example).data
    assert '    """Say the idea in one line."""\n' in shown
    assert "reference pages" not in shown
    assert (
        '        """Stay whole."""\n        return x\n\n    return inner()\n```'
        in shown
    )


def wordy() -> None:
    """Say the idea, which is a long one, in a sentence that does not end before the
    second line.

    More.
    """


def test_a_sentence_is_shown_to_its_end():
    shown = source(wordy).data
    assert (
        """in a sentence that does not end before the
    second line.\"\"\"
```"""
        in shown
    )


def test_every_docstring_of_a_class_is_shortened():
    shown = source(example, Example).data
    assert shown.count("More") == 0
    assert '"""First line of a class."""' in shown
    assert '"""First line of a method."""' in shown
    assert shown.startswith(f"From `{__name__}`:\n\n```python\ndef example")


@pytest.mark.parametrize("thing", [3, len])
def test_what_has_no_source_is_refused(thing):
    with pytest.raises(TypeError):
        source(thing)


def test_nothing_to_show_is_refused():
    with pytest.raises(TypeError, match="at least one"):
        source()
