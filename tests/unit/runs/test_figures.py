"""Figures: plain numbers under names, and the names that are wrong are said."""

import numpy as np
import pytest

from attention_book.runs.figures import at, leaves, plain

MEASURED = {"test": {"3-6": {"bleu": 61.5}}, "links": {"aer": 0.25, "-1": 0.5}}


def test_numbers_of_numpy_become_those_of_python():
    made = plain({"a": np.float64(0.5), "n": np.int64(3), -1: np.arange(2.0)})
    assert made == {"a": 0.5, "n": 3, "-1": [0.0, 1.0]}
    assert [type(made[name]) for name in ("a", "n")] == [float, int]


@pytest.mark.parametrize("bad", [np.nan, np.inf, None, "0.5", np.array([0.0, np.nan])])
def test_what_is_no_finite_number_is_named(bad):
    with pytest.raises(ValueError, match=r"test / 3-6 measured .*, expected a finite"):
        plain({"test": {"3-6": bad}})


def test_a_path_leads_to_a_figure_or_a_group():
    assert at(MEASURED, ["test", "3-6", "bleu"]) == 61.5
    assert at(MEASURED, ["links"]) == MEASURED["links"]
    assert at(MEASURED, []) == MEASURED


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (["tset"], "^'tset' was not measured, expected one of test, links"),
        (["test", "3-6", "loss"], "^'test' / '3-6' / 'loss' was not .* one of bleu"),
        (["links", "aer", "x"], "^'links' / 'aer' / 'x' was not .* expected no name"),
    ],
)
def test_a_wrong_name_is_said_with_those_there_are(path, says):
    with pytest.raises(ValueError, match=says):
        at(MEASURED, path)


def test_leaves_are_all_the_figures():
    assert list(leaves(MEASURED)) == [
        (("test", "3-6", "bleu"), 61.5),
        (("links", "aer"), 0.25),
        (("links", "-1"), 0.5),
    ]
