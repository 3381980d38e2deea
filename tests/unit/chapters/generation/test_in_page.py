"""What a page asks of chapter 15's networks."""

import torch

from attention_book.chapters.generation import in_page
from attention_book.chapters.generation.codes import WORDS


def test_a_page_is_given_the_logits_of_the_word_after_the_last(tiny):
    ids = torch.tensor([WORDS.encode(["fox", "7", "bird"])])
    found = in_page.read(tiny, ids)
    torch.testing.assert_close(found["logits"], tiny(ids)[:, 2])


def test_the_examples_are_texts_of_two_lengths():
    (_, (one, other)) = in_page.calls(9)["read"]
    assert one["source"].shape[1] != other["source"].shape[1]
    assert one["source"].max() < 9
