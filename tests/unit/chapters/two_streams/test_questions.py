"""What is asked of a picture."""

from collections import Counter

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams.questions import (
    NO,
    YES,
    questions,
    unseen,
)
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    BETWEEN,
    CLS,
    DIGIT,
    FIRST,
    digits_of,
    is_true,
    put,
    text,
)


@pytest.fixture(scope="module")
def asked():
    return questions(Generator().manual_seed(0), 400)


def test_a_question_reads_as_it_should(asked):
    one, other = (text(asked.ids[n]).split() for n in (0, 1))
    assert one[:2] == ["what", "is"]
    assert other[0] == "a"
    assert one[-1] == other[-1] == "?"
    assert (asked.ids[:, 0] == CLS).all()
    assert asked.what.tolist() == [True, False] * 200
    between = asked.ids[:, BETWEEN]
    assert torch.equal(between, asked.captions[:, BETWEEN])


def test_a_single_question_is_drawn_until_it_has_one_answer():
    rng = Generator().manual_seed(0)
    assert {len(questions(rng, 1)) for _ in range(200)} == {1}


def test_every_question_has_one_answer_and_that_is_given(asked):
    for digit in range(10):
        fits = is_true(asked.scenes, put(asked.captions, FIRST, DIGIT + digit))
        assert torch.equal(fits[asked.what], (asked.answers == digit)[asked.what])
    yes = is_true(asked.scenes, asked.captions)[~asked.what]
    assert torch.equal(asked.answers[~asked.what] == YES, yes)
    assert torch.equal(asked.answers[~asked.what] == NO, ~yes)
    counts = Counter(ANSWERS[n] for n in asked.answers.tolist())
    assert 70 < counts["yes"] < 130
    assert counts["yes"] + counts["no"] == 200
    assert {*counts} == {*ANSWERS}


@pytest.mark.parametrize("part", ["test", "development"])
def test_questions_are_about_digits_of_their_part(part):
    known = {each.numpy().tobytes() for each in digits_of(part)[0]}
    shown = unseen(part).scenes.images.flatten(0, 1)
    assert {each.numpy().tobytes() for each in shown} <= known
