"""The chapter's widget opens, and shows what it says."""

from attention_book.chapters.scale.widgets import averages


def test_it_opens_at_a_quarter():
    assert averages().setting == {"weight of the first": 25}
