"""DecoderStepper shows e_t, a_t and c_t, and stays at the end of a short sentence."""

import numpy as np
import pytest

from attention_book.chapters.attention.decoder_stepper import (
    SentenceSteps,
    decoder_stepper,
)
from attention_book.reference.softmax import softmax

RANDOM = np.random.default_rng(0)


def decoded(N_X, N_Y, D=4, N_steps=2, **change):
    given = {
        "source": [f"x{i}" for i in range(N_X)],
        "target": [*(f"y{j}" for j in range(N_Y - 1)), "[STOP]"],
        "e": RANDOM.normal(size=(N_steps, N_Y, N_X)),
        "h": RANDOM.normal(size=(N_steps, N_X, D)),
        "gold": [(0, 0), (N_X - 1, N_Y - 1)],
    }
    return SentenceSteps(**given | change)


LONG, SHORT = decoded(5, 4), decoded(3, 2)


def made(**rest):
    start = {"start_sentence": "long", "start_step": 90, "start_t": 3}
    return decoder_stepper({"long": LONG, "short": SHORT}, [0, 90], **start | rest)


def shown(widget):
    """What the panels show: words, sentence, e_t, a_t, states with c_t, weights."""
    words, said, e, a, states, A = widget.panels
    return (
        words.fields["words"].at(widget.index),
        said.fields["text"].at(widget.index),
        e.fields["values"].at(widget.index),
        a.fields["values"].at(widget.index),
        states.fields["values"].at(widget.index),
        A.fields["values"].at(widget.index),
    )


@pytest.mark.parametrize("t", [1, 3, 4])
def test_scores_weights_and_context_belong_to_the_step(t):
    widget = made(start_t=t)
    words, _, e_t, a_t, states, A = shown(widget)
    assert words == LONG.target[:t]
    np.testing.assert_allclose(e_t, LONG.e[1, t - 1])
    np.testing.assert_allclose(a_t, softmax(LONG.e[1, t - 1]))
    np.testing.assert_allclose(
        states, np.vstack([LONG.h[1], softmax(LONG.e[1, t - 1]) @ LONG.h[1]])
    )
    np.testing.assert_allclose(A, softmax(LONG.e[1, :t]))


def test_beyond_its_end_a_short_sentence_stays_at_stop_and_says_so():
    widget = made(start_sentence="short", start_t=2)
    at_end = shown(widget)
    widget.setting = {"t": 4}
    beyond = shown(widget)
    assert beyond[0] == at_end[0] == ["y0", "[STOP]"]
    for now, before in zip(beyond[2:], at_end[2:], strict=True):
        np.testing.assert_array_equal(now, before)
    assert (
        beyond[1]
        == "The sentence ended at t = 2: step 2 is shown, and nothing comes after it."
    )


def test_only_links_of_words_already_written_are_outlined():
    widget = made(start_t=3)
    assert widget.panels[-1].fields["gold"].at(widget.index) == [[0, 0]]
    widget.setting = {"t": 4}
    assert widget.panels[-1].fields["gold"].at(widget.index) == [[0, 0], [4, 3]]


def test_scores_and_states_are_stored_once_each():
    numbers = sum(sentence.e.size + sentence.h.size for sentence in (LONG, SHORT))
    assert 4 * numbers <= len(made().data) <= 4 * numbers + 64


def test_six_sentences_at_six_snapshots_stay_light():
    many = {f"sentence {k}": decoded(20, 20, D=12, N_steps=6) for k in range(6)}
    widget = decoder_stepper(
        many, range(0, 600, 100), start_sentence="sentence 0", start_step=0, start_t=1
    )
    assert len(widget.data) <= 50_000


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: decoded(5, 4, e=LONG.e.transpose(0, 2, 1)),
            r"e has shape \(2, 5, 4\) but steps × target × source",
        ),
        (
            lambda: decoded(5, 4, h=LONG.h[:, :4]),
            r"h has shape \(2, 4, 4\) but steps × source × coordinates is \(2, 5, 4\)",
        ),
        (lambda: decoded(5, 4, h=LONG.h[:1]), r"h has shape \(1, 5, 4\)"),
        (lambda: decoded(5, 4, gold=[(0, 4)]), r"gold has \(0, 4\)"),
        (lambda: decoded(5, 4, target=[]), "target is empty"),
        (
            lambda: decoder_stepper(
                {"a": LONG}, [0], start_sentence="a", start_step=0, start_t=1
            ),
            "'a' has 2 snapshots but there are 1 steps",
        ),
        (
            lambda: decoder_stepper(
                {"a": LONG, "b": decoded(3, 2, D=5)},
                [0, 1],
                start_sentence="a",
                start_step=0,
                start_t=1,
            ),
            "equally many coordinates",
        ),
        (lambda: made(start_t=5), "default 5 is not among the values of 't'"),
        (
            lambda: decoder_stepper(
                {}, [0], start_sentence="a", start_step=0, start_t=1
            ),
            "sentences is empty",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(build, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        build()
