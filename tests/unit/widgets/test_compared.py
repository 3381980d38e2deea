"""Words that were said beside the right ones: each difference has its mark."""

import pytest

from attention_book.widgets.strips import compared


@pytest.mark.parametrize(
    ("said", "marked"),
    [
        ("a b c d", "a b c d"),
        ("a x c d", "a x! c d"),
        ("a c d", "a b? c d"),
        ("a b x c d", "a b x+ c d"),
        ("a x", "a x! c? d?"),
        ("a x y z w", "a x! y! z! w+"),
    ],
)
def test_every_difference_has_its_mark(said, marked):
    signs = {"ok": "", "wrong": "!", "missing": "?", "extra": "+"}
    found = compared(said.split(), ["a", "b", "c", "d"])
    assert " ".join(word + signs[mark] for word, mark in found) == marked
