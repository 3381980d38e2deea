"""StepByStep shows the lecture's scores, step after step, and four words by hand."""

import numpy as np
import pytest

from attention_book.chapters.self_attention.step_by_step import (
    BY_HAND,
    LECTURE,
    STEP,
    WORD,
)
from attention_book.chapters.self_attention.widgets import by_hand, step_by_step
from attention_book.reference import self_attention


def shown(widget):
    """Name -> numbers of the tables that are shown."""
    inputs, panel = widget.panels
    steps = panel.fields.get("shown")
    seen = steps.at(widget.index) if steps else [True] * len(panel.options["tables"])
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
    widget.setting = {WORD: word, STEP: 5}
    tables = shown(widget)
    np.testing.assert_array_equal(tables["q·k"], scores)
    np.testing.assert_array_equal(tables["÷ 8"], np.array(scores) / 8)
    assert tables["a"].round(4).tolist() == weights


@pytest.mark.parametrize(
    ("step", "last"), [(1, "V"), (2, "q·k"), (3, "a"), (4, "y"), (5, "y")]
)
def test_each_step_shows_what_it_brings_and_nothing_of_the_next(step, last):
    widget = step_by_step()
    widget.setting = {STEP: step}
    assert list(shown(widget))[-1] == last
    said = " ".join(widget.static_text())
    assert ("y = " in said) == (step >= 4)


@pytest.mark.parametrize("i", range(4))
def test_every_word_is_answered_as_by_the_reference_with_64_entries(i):
    X = [[1, -2, 3], [0, 3, -1], [2, 2, 0], [-1, 1, 1]]
    widget = step_by_step()
    widget.setting = {STEP: 5, WORD: LECTURE.words[i], "X": X}
    setting = widget.setting
    wide = {
        name: np.pad(setting[name], [(0, 0), (0, 62)]) for name in ("W_Q", "W_K", "W_V")
    }
    Y, A = self_attention(setting["X"], **wide)
    np.testing.assert_allclose(shown(widget)["a"], A[i], rtol=0, atol=1e-12)
    np.testing.assert_allclose(shown(widget)["y"], Y[[i], :2], rtol=0, atol=1e-12)


BOTH_0 = {"W_K": [[1, 0], [0, 1], [0, 0], [0, 0]]}
DOG = {"X": [[1, 0, 0, -1], *BY_HAND.X[1:]]}


def query(size):
    return {"W_Q": [[size, 0], *BY_HAND.W_Q[1:]]}


@pytest.mark.parametrize(
    ("setting", "weights", "y"),
    [
        ({}, [0.892, 0.053, 0.053, 0.003], 0.839),
        ({WORD: "parked"}, [0.053, 0.892, 0.003, 0.053], -0.839),
        ({WORD: "horse"}, [0.892, 0.053, 0.053, 0.003], 0.839),
        (BOTH_0, [0.472, 0.028, 0.472, 0.028], 0.444),
        (query(1), [0.449, 0.221, 0.221, 0.109], 0.227),
        (query(2), [0.647, 0.157, 0.157, 0.038], 0.490),
        (query(8), [0.993, 0.003, 0.003, 0], 0.990),
        (DOG, [0.892, 0.053, 0.053, 0.003], -0.944),
    ],
)
def test_by_hand_gives_the_numbers_of_the_text(setting, weights, y):
    widget = by_hand()
    widget.setting = setting
    tables = shown(widget)
    assert tables["a"].round(3).tolist() == weights
    assert tables["y"].round(3).tolist() == [[y]]
