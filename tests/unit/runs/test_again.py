"""Kept weights measure what was recorded of them, or it is said what they do not."""

import hashlib
import json
from dataclasses import replace

import pytest
import torch

from attention_book.runs import load, measured_again
from attention_book.runs.recorded import WEIGHTS
from attention_book.training import save


def with_other_weights(home, by):
    """The toy's recording, its largest kept weight larger."""
    model = load("toy", home).model()
    with torch.no_grad():
        model.embedding.weight.flatten()[model.embedding.weight.argmax()] += by
    folder = home / "toy"
    save(folder / WEIGHTS, model, model.config)
    content = json.loads((folder / "run.json").read_text("utf-8"))
    content["sha256"][WEIGHTS] = hashlib.sha256(
        (folder / WEIGHTS).read_bytes()
    ).hexdigest()
    (folder / "run.json").write_text(json.dumps(content), "utf-8")
    return load("toy", home)


def test_the_same_weights_measure_the_same(home):
    differences = measured_again(load("toy", home))
    assert {"test / low / mean", "shape / size", "shape / columns"} <= set(differences)
    assert set(differences.values()) == {0}


def test_a_difference_of_a_close_call_is_let_pass(home):
    differences = measured_again(with_other_weights(home, by=0.005))
    assert 0.004 < differences["test / low / widest"] < 0.006


def test_other_weights_stop_it_and_the_figure_is_named(home):
    run = with_other_weights(home, by=0.05)
    was, now = (
        each["test"]["low"]["widest"]
        for each in (run.measured[4], run.recipe.task.measure(run.model()))
    )
    message = rf"toy, seed 4: test / low / widest was recorded as {was}, .* {now},"
    with pytest.raises(ValueError, match=message):
        measured_again(run)


@pytest.mark.parametrize("gone", [0.5, 0.009, [0.5, 0.5]])
def test_a_figure_that_is_no_longer_measured_stops_it(home, gone):
    run = load("toy", home)
    measured = {4: {**run.measured[4], "gone": {"share": gone}}}
    with pytest.raises(ValueError, match=r"gone / share was recorded as .* 0\.0"):
        measured_again(replace(run, measured=measured))
