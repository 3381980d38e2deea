"""ScoreFunctions shows the picked map with its own figures, and refuses others."""

import numpy as np
import pytest

from attention_book.chapters.attention.score_functions import (
    SentenceByScore,
    score_functions,
)

MAPS = {
    "dot": np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75]]),
    "mlp": np.array([[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]]),
}
GOOD = {
    "source": ["the", "cat", "eats"],
    "target": ["chat", "mange"],
    "A": MAPS,
    "gold": [(1, 0), (2, 1)],
}
FIGURES = {
    "error": {"dot": 0.08, "mlp": 0.31},
    "exact_match": {"dot": 0.97, "mlp": 0.9991},
}


def made(**rest):
    return score_functions(
        SentenceByScore(**GOOD), **FIGURES | {"start_score": "mlp"} | rest
    )


def test_the_picked_function_shows_its_map_and_its_figures():
    widget = made()
    heat, verdict = widget.panels
    np.testing.assert_array_equal(heat.fields["values"].at(widget.index), MAPS["mlp"])
    said = verdict.fields["text"].at(widget.index)
    assert said == (
        "mlp: 99.9% of the test set without a mistake, alignment error 0.310."
    )
    widget.setting = {"model": "dot"}
    np.testing.assert_array_equal(heat.fields["values"].at(widget.index), MAPS["dot"])
    assert "97.0%" in verdict.fields["text"].at(widget.index)


def sentence(**change):
    return SentenceByScore(**GOOD | change)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: sentence(A=MAPS | {"mlp": MAPS["mlp"].T}),
            r"A\['mlp'\] has shape \(3, 2\) but target × source is \(2, 3\)",
        ),
        (lambda: sentence(A={"mlp": MAPS["mlp"] / 2}), "a row that sums to 0.500"),
        (lambda: sentence(gold=[(0, 2)]), r"gold has \(0, 2\)"),
        (lambda: made(exact_match={"dot": 0.9}), "exact_match has the functions"),
        (lambda: made(exact_match={"dot": 97.0, "mlp": 0.9}), r"\['dot'\] is 97.0"),
        (lambda: made(error={"dot": -0.1, "mlp": 0.9}), r"error\['dot'\] is -0.1"),
        (lambda: made(start_score="cosine"), "'cosine' is not among"),
        (lambda: made(error={}, exact_match={}), "error is empty"),
    ],
)
def test_what_does_not_belong_together_is_named(call, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        call()
