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
    "error": {"dot": 0.0, "mlp": 0.5},
    "gold": [(1, 0), (2, 1)],
}
FIGURES = {
    "error": {"dot": 0.08, "mlp": 0.31},
    "exact_match": {"dot": 0.97, "mlp": 0.98},
}


def made(**rest):
    start = {"start_sentence": "cat", "start_score": "mlp"}
    return score_functions({"cat": SentenceByScore(**GOOD)}, **FIGURES | start | rest)


def test_the_picked_function_shows_its_map_and_its_figures():
    widget = made()
    heat, here, error, exact, verdict = widget.panels
    np.testing.assert_array_equal(heat.fields["values"].at(widget.index), MAPS["mlp"])
    assert [
        panel.fields["values"].at(widget.index).tolist()
        for panel in (here, error, exact)
    ] == [
        [0.0, 0.5],
        [0.08, 0.31],
        [0.97, 0.98],
    ]
    said = verdict.fields["text"].at(widget.index)
    assert said.startswith("mlp: 98.0% of the test set")
    assert "0.31 there, and of 0.50 on this sentence" in said
    widget.setting = {"score": "dot"}
    np.testing.assert_array_equal(heat.fields["values"].at(widget.index), MAPS["dot"])
    assert widget.spec["follow"] == {"score": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"A": {"dot": MAPS["dot"]}},
            r"A has the functions \['dot'\] but error has \['dot', 'mlp'\]",
        ),
        (
            {"A": MAPS | {"mlp": MAPS["mlp"].T}},
            r"A\['mlp'\] has shape \(3, 2\) but target × source is \(2, 3\)",
        ),
        (
            {"A": MAPS | {"mlp": MAPS["mlp"] / 2}},
            r"A\['mlp'\] has a row that sums to 0.500",
        ),
        (
            {"error": {"dot": 0.0, "mlp": 5.0}},
            r"error\['mlp'\] is 5.0: a rate lies in \[0, 1\]",
        ),
        ({"gold": [(0, 2)]}, r"gold has \(0, 2\)"),
    ],
)
def test_a_sentence_that_does_not_fit_together_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        SentenceByScore(**GOOD | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"exact_match": {"dot": 0.9}}, r"exact_match has the functions \['dot'\]"),
        (
            {"error": {"dot": 0.1}, "exact_match": {"dot": 0.9}},
            r"'cat' has the functions \['dot', 'mlp'\]",
        ),
        ({"exact_match": {"dot": 97.0, "mlp": 0.9}}, r"exact_match\['dot'\] is 97.0"),
        ({"error": {"dot": -0.1, "mlp": 0.9}}, r"error\['dot'\] is -0.1"),
        ({"start_score": "cosine"}, "'cosine' is not among"),
        ({"error": {}, "exact_match": {}}, "error is empty"),
    ],
)
def test_figures_that_do_not_belong_together_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        made(**change)
