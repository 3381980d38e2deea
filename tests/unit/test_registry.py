"""What chapters give by name must have a name of its own."""

import pytest

from attention_book import registry


def test_two_of_one_name_are_refused_with_both_places():
    two = [("softmax", 1, "chapters.a.checks"), ("softmax", 2, "chapters.b.checks")]
    both = r"two checks are named 'softmax', in chapters\.a\.checks and in chapters\.b"
    with pytest.raises(ValueError, match=both):
        registry.unique("checks", two)


def test_modules_of_a_file_and_of_a_folder_are_found():
    found = {module.__name__ for _, module in registry.modules("checks")}
    assert "attention_book.chapters.attention.checks" in found
    assert "attention_book.chapters.encoder_decoder.checks.cross_attention" in found
