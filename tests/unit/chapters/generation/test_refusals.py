"""What cannot be meant is refused, and said."""

import pytest
import torch

from attention_book.chapters.generation import codes, docstring_pieces, operations
from attention_book.chapters.generation.experiments import writing
from attention_book.chapters.generation.experiments.look_up import conflict

pytestmark = pytest.mark.usefixtures("as_a_reader")


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda gpt: codes.draw(torch.Generator(), 2, 40), "N_keys is 40, expected 1 "),
        (lambda gpt: conflict(gpt, ()), "showings is 0, expected 1 to 15"),
        (lambda gpt: conflict(gpt, 16 * (0,)), "showings is 16, expected 1 to 15"),
        (lambda gpt: docstring_pieces.ids("dev"), "split is 'dev', expected one of "),
        (lambda gpt: writing.go_on(gpt, 99 * "Z", seed=0), "expected at most 32"),
        (lambda gpt: operations.case(iter(()), "sing"), "operation is 'sing', expect"),
    ],
)
def test_it_is_refused_in_its_own_words(tiny, ask, says):
    with pytest.raises(ValueError, match=says):
        ask(tiny)


def test_no_string_has_no_id():
    assert docstring_pieces.encode([]).dtype == torch.long
