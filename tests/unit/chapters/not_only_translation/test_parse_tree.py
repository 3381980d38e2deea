"""A tree that grows shows what has been written and nothing of what comes."""

import numpy as np
import pytest
from parses import MADE_UP, made_up

from attention_book import runs
from attention_book.chapters.not_only_translation import widgets
from attention_book.chapters.not_only_translation.parse_tree import (
    READING,
    SENTENCE,
    STEP,
    Parse,
)
from attention_book.chapters.not_only_translation.parse_tree import (
    parse_tree as made,
)
from attention_book.data.treebank import readings

CLOSED, OPEN, NEW = 1, 2, 3
FORK = 7  # "(NP (NP" or "(NP an"


@pytest.fixture(scope="module")
def shown():
    return made(made_up())


def field(widget, name, panel=1):
    return widget.panels[panel].fields[name].at(widget.index)


def said(widget):
    """What is read out at the setting."""
    summary, index = widget.spec["summary"], widget.index
    which = 0
    for k in summary["by"]:
        which = which * len(widget.controls[k].values) + index[k]
    return summary["of"][which]


def all_of(widget):
    names = ("words", "places", "parents", "states", "read", "spots")
    return [np.asarray(field(widget, name)).tolist() for name in names]


def test_before_they_part_two_readings_look_alike(shown):
    seen = {}
    for reading, spelled in MADE_UP.items():
        tokens = spelled.split()
        for step in range(1, len(tokens) + 1):
            shown.setting = {READING: reading, STEP: step}
            seen[reading, step] = all_of(shown)
            assert field(shown, "text", 0) == " ".join(tokens[:step])
    one, other = MADE_UP
    alike = [seen[one, step] == seen[other, step] for step in range(1, 20)]
    assert alike == [True] * FORK + [False] * (19 - FORK)
    assert made(made_up()).setting[STEP] == FORK + 1, "there it opens"


def test_at_each_step_the_token_is_new_and_the_weights_are_its_own(shown):
    for parse in made_up():
        open_ones = []
        for step, token in enumerate(parse.tokens, 1):
            shown.setting = {READING: parse.reading, STEP: step}
            np.testing.assert_allclose(
                field(shown, "weights"), parse.A[step - 1], atol=1e-6
            )
            words, states = field(shown, "words"), field(shown, "states")
            (new,) = np.flatnonzero(states == NEW)
            if token == ")":
                assert new == open_ones.pop()
                assert not words[new].startswith("(")
            else:
                assert (words[new], new) == (token, len(words) - 1)
                open_ones += [new] * token.startswith("(")
            assert {*np.flatnonzero(states == OPEN)} == {*open_ones} - {new}
            assert all(words[k].startswith("(") for k in open_ones)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (1, "To write “(S” it looks at “i” (0.75) and “shot” (0.19)."),
        (4, "To close the NP “i” it looks at “i” (0.75) and “shot” (0.19)."),
        (
            19,
            "To close the NP “an … pajamas” it looks at "
            "“pajamas” (0.63) and “my” (0.16).",
        ),
    ],
)
def test_it_reads_out_what_is_written_and_what_is_looked_at(shown, step, words):
    shown.setting = {READING: "on the elephant", STEP: step}
    assert said(shown) == words


@pytest.mark.parametrize(
    ("words", "weights", "looks"),
    [
        ("we", [0.95, 0.05], "“we” (0.95)"),  # the second is hardly looked at
        ("a b c d e f g h i j", [1 / 11] * 11, "“a” (0.09)"),
        ("a b a", [0.15, 0, 0.65, 0.2], "“a” no. 2 (0.65) and “[STOP]” (0.20)"),
    ],
)
def test_what_is_looked_at_most_is_named_and_which_of_two_alike(words, weights, looks):
    source = words.split()
    A = np.tile(weights, (len(source) + 2, 1))
    widget = made([Parse("one", "1", source, ["(S", *source, ")"], A)])
    assert said(widget).endswith(f"it looks at {looks}.")


def test_what_is_recorded_is_shown_as_the_last_block_looked():
    recorded = widgets.parse_tree()
    kept = runs.load("parsing").kept("parses")
    assert len(recorded.controls[0].labels) * 2 == len(kept)
    weights = kept[0]["A"][-1].mean(axis=0)[recorded.setting[STEP] - 1]
    assert weights.sum() == pytest.approx(1, abs=0.01)
    assert f"{weights.max():.2f}"[1:] in said(recorded)
    for sentence in recorded.controls[0].values:
        likelier = readings(sentence.split())[0].tree.bracketed
        recorded.setting = {SENTENCE: sentence, READING: "the likelier tree"}
        recorded.setting = {STEP: len(likelier)}
        assert field(recorded, "text", 0) == " ".join(likelier)


ROW = np.array([[0.5, 0.5]])
SPELLED = ["(S", "we", ")"]


def parse(**change):
    given = {"sentence": "one", "reading": "1", "source": ["we"], "tokens": SPELLED}
    return Parse(**given | {"A": np.repeat(ROW, 3, axis=0)} | change)


@pytest.mark.parametrize(
    ("parses", "message"),
    [
        ([{"tokens": ["we", ")"]}], r"tokens\[0\] is 'we', but no bracket is open"),
        ([{"tokens": ["(S", "we", "we", ")"]}], "tokens hold 2 words, expected at"),
        ([{"A": ROW}], r"A has shape \(1, 2\) but tokens × words and"),
        ([], "parses is empty"),
        ([{}, {"reading": "2"}, {"sentence": "two"}], r"expected each of \['1', '2'\]"),
        (
            [{"source": ["we"] * 9 + ["e" * 60], "A": np.eye(11)[:3]}],
            "expected words that fit in two rows of 46 letters",
        ),
    ],
)
def test_what_does_not_fit_is_named(parses, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        made([parse(**change) for change in parses])
