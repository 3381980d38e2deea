"""An edit that does not fit any more, or fits twice, is an error."""

import pytest

from attention_book.exercises.attempts import edited


def twice(x):
    return x + x


def test_the_old_words_stand_once():
    assert edited(twice, "x + x", "3 * x")(2) == 6
    for old, times in (("y", 0), ("x", 3)):
        with pytest.raises(ValueError, match=f"stands {times} times in twice"):
            edited(twice, old, "z")
