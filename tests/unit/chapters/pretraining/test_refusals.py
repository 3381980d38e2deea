"""What cannot be meant is refused, and said."""

import pytest
import torch

from attention_book.chapters.pretraining.exam import drawn, items
from attention_book.chapters.pretraining.experiments.fine_tuning import sit
from attention_book.chapters.pretraining.sentences import encode, hide
from attention_book.chapters.pretraining.tasks import Pretraining

A = ("he", "saw", "the", "car", ".")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: drawn("topic", 9, True), "task is 'topic', expected one of class"),
        (lambda: items("topic", 9), "task is 'topic', expected one of class"),
        (lambda: items("class", 0), "N is 0, expected at least 1"),
        (lambda: sit(None, "topic", 9), "task is 'topic', expected one of class"),
        (lambda: sit(None, "class", 0), "N is 0, expected at least 1"),
        (lambda: sit(None, "class", 9, "thawed"), "start is 'thawed', expected one"),
        (
            lambda: hide(encode([(A,)])[0], torch.Generator(), (0.8, 0.1, 0.2)),
            "shares are .*, expected three that sum to 1",
        ),
        (
            lambda: hide(encode([(A,)])[0], torch.Generator(), (1.5, -0.5, 0.0)),
            "shares are .*, expected three that sum to 1",
        ),
        (lambda: Pretraining(sparse=True), "expected hidden=False with it"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
