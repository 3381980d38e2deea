"""StepByStep shows the lecture's scores, one step after the other."""

import numpy as np
import pytest

from attention_book.chapters.self_attention.step_by_step import STEP, WORD, WORDS
from attention_book.chapters.self_attention.widgets import step_by_step
from attention_book.reference import self_attention


def shown(widget):
    """Name -> numbers of the tables that are shown."""
    *_, inputs, panel = widget.panels
    seen = panel.fields["shown"].at(widget.index)
    return {
        each["name"]: part.fields[f"m{t}"].at(widget.index)
        for part in (inputs, panel)
        for t, each in enumerate(part.options["tables"])
        if part is inputs or seen[t]
    }


@pytest.mark.parametrize(
    ("word", "scores", "weights"),
    [
        ("x₁", [112, 96, 16, 8], [0.8808, 0.1192, 0, 0]),
        ("x₂", [92, 124, 22, 8], [0.0180, 0.9820, 0, 0]),
    ],
)
def test_two_words_have_the_lectures_scores_and_weights(word, scores, weights):
    widget = step_by_step()
    widget.setting = {WORD: word}
    tables = shown(widget)
    np.testing.assert_array_equal(tables["q·k"], scores)
    np.testing.assert_array_equal(tables["÷ 8"], np.array(scores) / 8)
    assert tables["a"].round(4).tolist() == weights


def test_it_opens_on_an_output_of_the_first_word():
    assert list(shown(step_by_step())) == [*"XQKV", "q·k", "÷ 8", "a", "y"]


@pytest.mark.parametrize(
    ("step", "last"), [(1, "V"), (2, "q·k"), (3, "a"), (4, "y"), (5, "y")]
)
def test_each_step_shows_what_it_brings_and_nothing_of_the_next(step, last):
    widget = step_by_step()
    widget.setting = {STEP: step}
    assert list(shown(widget))[-1] == last
    said = " ".join(widget.still())
    assert ("y = " in said) == (step >= 4)


@pytest.mark.parametrize("i", range(4))
def test_every_word_is_answered_as_by_the_reference_with_64_entries(i):
    X = [[1, -2, 3], [0, 3, -1], [2, 2, 0], [-1, 1, 1]]
    widget = step_by_step()
    widget.setting = {STEP: 5, WORD: WORDS[i], "X": X}
    setting = widget.setting
    wide = {
        name: np.pad(setting[name], [(0, 0), (0, 62)]) for name in ("W_Q", "W_K", "W_V")
    }
    Y, A = self_attention(setting["X"], **wide)
    np.testing.assert_allclose(shown(widget)["a"], A[i], rtol=0, atol=1e-12)
    np.testing.assert_allclose(shown(widget)["y"], Y[[i], :2], rtol=0, atol=1e-12)


def test_it_fits_a_screen_and_a_phone():
    wide, narrow = step_by_step().spec["height"]
    assert wide <= 620
    assert narrow <= 760
