"""What others tried is told what its author should hear, or accepted."""

import pytest

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT
from attention_book.zoo import ATTEMPTS, CHECKS

TRIED = [
    pytest.param(name, attempt, says, id=f"{name}: {attempt.__name__}, {says}")
    for name, table in ATTEMPTS.items()
    for attempt, says in table.items()
]


@pytest.mark.usefixtures("as_a_reader")
@pytest.mark.parametrize(("name", "attempt", "says"), TRIED)
def test_an_attempt_is_told_what_it_should_be(name, attempt, says):
    verdict = CHECKS[name](attempt)
    assert says in verdict.says, repr(verdict)
    assert verdict.state == ("right" if says == RIGHT else "wrong")


@pytest.mark.parametrize("name", CHECKS)
def test_every_exercise_was_tried_in_three_right_ways_and_three_wrong_ones(name):
    said = [*ATTEMPTS[name].values()]
    assert said.count(RIGHT) >= 3
    assert len({*said} - {RIGHT}) >= 3


def test_an_edit_fits_once():
    assert edited(twice, "x + x", "3 * x")(2) == 6
    for old, times in (("y", 0), ("x", 3)):
        with pytest.raises(ValueError, match=f"stands {times} times in twice"):
            edited(twice, old, "z")


def twice(x):
    return x + x
