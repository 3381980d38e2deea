"""What is shown is what was recorded; what the text says of the reader's own sentence
comes out of the recorded network.
"""

from copy import deepcopy

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.attention import widgets

RUN = "attention-dot"


@pytest.fixture(scope="module")
def stepper():
    return widgets.decoder_stepper()


def kept(run, word):
    return runs.sentence_with(word, runs.kept_attention(runs.load(run)))


@pytest.mark.parametrize(
    ("t", "written", "highest"),
    [
        (1, "nothing yet. Next: le (the).", "the 15.3, minister 4.5."),
        # where it goes back: here it opens
        (3, "le ministre. Next: européen (European).", "european 16.5, minister 7.1."),
        (
            10,
            "le ministre européen n' achètera pas cette maison aujourd'hui. Next: "
            "[STOP].",
            "[STOP] 18.0, today 6.2.",
        ),
    ],
)
def test_a_step_shows_what_stands_before_it_its_scores_and_weights(
    stepper, t, written, highest
):
    assert stepper.spec["default"] == [0, 2]
    stepper.setting = {"sentence": "the minister", "word": t}
    said, weights, scores = stepper.panels
    assert said.fields["text"].at(stepper.index) == f"Written: {written}"
    assert scores.fields["text"].at(stepper.index) == f"Highest scores eₜ: {highest}"
    a_t, one = weights.fields["values"].at(stepper.index), kept(RUN, "minister")
    np.testing.assert_allclose(a_t, one.A[t - 1], atol=1e-6)
    best = one.source[a_t.argmax()]
    assert stepper.summary == (
        f"{one.target[t - 1]} looks mostly at {best} ({a_t.max():.2f})."
    )


def test_beyond_its_end_a_short_sentence_stays_at_stop_and_says_so(stepper):
    shown = []
    for t in (5, 9):
        stepper.setting = {"sentence": "eating bread", "word": t}
        _, weights, scores = stepper.panels
        shown.append(
            [
                weights.fields["values"].at(stepper.index).tolist(),
                scores.fields["text"].at(stepper.index),
            ]
        )
    assert shown[0] == shown[1]
    said = stepper.panels[0].fields["text"].at(stepper.index)
    assert said == "The sentence ended with word 5: nothing comes after it."


@pytest.mark.parametrize("name", widgets.BY_SCORE)
def test_the_picked_model_shows_its_map_and_its_figures(name):
    widget = widgets.score_functions()
    widget.setting = {"model": name}
    heat, verdict = (panel.fields for panel in widget.panels)
    one, run = (
        kept(widgets.BY_SCORE[name], "minister"),
        runs.load(widgets.BY_SCORE[name]),
    )
    np.testing.assert_array_equal(heat["values"].at(widget.index), one.A[:-1])
    exact = run.table("test", "exact_match").mean()
    error = run.per_seed("alignment", "aer").mean()
    assert verdict["text"].at(widget.index) == (
        f"{name}: {exact:.1%} of the test set without a mistake, alignment error "
        f"{error:.3f}."
    )


CHANGED = {  # by sentence and weights; None where the translation stays
    (widgets.APPLE, "equal"): "je signe ma pomme rouge [STOP]",
    (widgets.APPLE, "one word"): None,
    ("we are eating bread", "one word"): None,
    ("we are eating bread", "gold, where known"): None,
}


def written(widget, text, weights):
    """What the page writes of a sentence with other weights; its own are float16."""
    index = [text, widget.controls[1].values.index(weights)]
    run = widget.panels[0].fields["rows"].recipe["named"].recipe["output"].run
    inputs = {name: each.at(index)[None] for name, each in run._inputs(widget.controls)}
    change = {
        tap: run._now(told, widget.controls, index) for tap, told in run.change.items()
    }
    network = run.network.of(deepcopy(run.network.model).half().float())
    outputs, _ = network.answer(run.call, inputs, change, run.options)
    return " ".join(runs.load(RUN).vocabularies[1].words[i] for i in outputs["ids"])


@pytest.mark.parametrize(("case", "said"), CHANGED.items(), ids=str)
def test_other_weights_write_what_the_text_says(case, said):
    text, weights = case
    widget = widgets.own_sentence()
    own = written(widget, text, "its own")
    assert written(widget, text, weights) == (said or own)
    assert said != own
