"""DecoderStepper shows what is written before a step, its scores and its weights."""

import numpy as np
import pytest

from attention_book.chapters.attention.decoder_stepper import (
    SentenceSteps,
    decoder_stepper,
)
from attention_book.chapters.attention.widgets import decoder_stepper as as_shown
from attention_book.reference.softmax import softmax

RANDOM = np.random.default_rng(0)


def decoded(N_X, N_Y, **change):
    given = {
        "source": [f"x{i}" for i in range(N_X)],
        "target": [*(f"y{j}" for j in range(N_Y - 1)), "[STOP]"],
        "e": RANDOM.normal(size=(N_Y, N_X)),
        "gloss": [*(f"g{j}" for j in range(N_Y - 1)), ""],
    }
    return SentenceSteps(**given | change)


SCORES = np.array(
    [[1, 2, 3, 4, 5], [9, 1, 0, 4, 2], [0, 0, 7, 0, 3.0], [-1, -2, -3, -4, -5]]
)
LONG = decoded(5, 4, e=SCORES)
SHORT = decoded(3, 2)


def made(**rest):
    start = {"start_sentence": "long", "start_t": 3}
    return decoder_stepper({"long": LONG, "short": SHORT}, **start | rest)


def shown(widget):
    """What the panels show: what is written, the weights, the scores."""
    said, weights, scores = widget.panels
    return (
        said.fields["text"].at(widget.index),
        weights.fields["values"].at(widget.index),
        scores.fields["text"].at(widget.index),
    )


@pytest.mark.parametrize(
    ("t", "written", "highest"),
    [
        (1, "nothing yet. Next: y0 (g0).", "x4 5.0, x3 4.0."),
        (3, "y0 y1. Next: y2 (g2).", "x2 7.0, x4 3.0."),
        (4, "y0 y1 y2. Next: [STOP].", "x0 −1.0, x1 −2.0."),
    ],
)
def test_a_step_shows_what_stands_before_it_its_scores_and_weights(t, written, highest):
    said, a_t, scores = shown(made(start_t=t))
    assert said == f"Written: {written}"
    assert scores == f"Highest scores eₜ: {highest}"
    np.testing.assert_allclose(a_t, softmax(SCORES[t - 1]))


def test_beyond_its_end_a_short_sentence_stays_at_stop_and_says_so():
    widget = made(start_sentence="short", start_t=2)
    at_end = shown(widget)
    widget.setting = {"word": 4}
    beyond = shown(widget)
    np.testing.assert_array_equal(beyond[1], at_end[1])
    assert beyond[2] == at_end[2]
    assert beyond[0] == "The sentence ended with word 2: nothing comes after it."


def test_as_shown_it_opens_where_the_order_is_turned_round():
    widget = as_shown()
    said, a_t, _ = shown(widget)
    assert said == "Written: le ministre. Next: européen (European)."
    assert int(np.argmax(a_t)) == 1, "european, after minister at 2"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: decoded(5, 4, e=np.ones((5, 4))), "but target × source is"),
        (lambda: decoded(5, 4, target=[]), "target is empty"),
        (lambda: decoded(5, 4, gloss=["g"]), "1 texts but there are 4 written words"),
        (lambda: made(start_t=5), "default 5 is not among the values of 'word'"),
    ],
)
def test_what_does_not_fit_together_is_named(build, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        build()
