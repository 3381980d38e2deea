"""Alignment says how much attention is right, and refuses what does not fit."""

import numpy as np
import pytest

from attention_book.chapters.intro.alignment import SentenceAlongTraining, alignment

A = np.array(
    [[[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]], [[0.75, 0.25, 0.0], [0.0, 0.125, 0.875]]]
)
GOOD = {
    "source": ["the", "cat", "eats"],
    "target": ["chat", "mange"],
    "A": A,
    "gold": [(0, 0), (1, 0), (2, 1)],
    "said": [["chat"], ["chat", "mange"]],
    "lit": 1,
}
OTHER = SentenceAlongTraining(
    ["we", "eat"],
    ["nous", "mangeons"],
    np.full((2, 2, 2), 0.5),
    [(0, 0)],
    [[], ["nous"]],
)


def made(**rest):
    given = {
        "sentences": {"cat": SentenceAlongTraining(**GOOD), "we": OTHER},
        "steps": [0, 400],
        "start_sentence": "cat",
        "start_step": 400,
    }
    return alignment(**given | rest)


def test_attention_on_gold_is_averaged_over_the_words_that_have_a_right_answer():
    sentence = SentenceAlongTraining(**GOOD)
    assert sentence.on_gold(0) == pytest.approx((0.75 + 0.25) / 2)
    assert sentence.on_gold(1) == pytest.approx((1.0 + 0.875) / 2)
    assert SentenceAlongTraining(**GOOD | {"gold": [(2, 1)]}).on_gold(
        0
    ) == pytest.approx(0.25)


def test_it_opens_where_it_is_told_and_says_what_the_lit_word_looks_at():
    widget = made()
    assert widget.setting == {"sentence": "cat", "training": 400}
    summaries = widget.spec["summary"]["of"]
    assert summaries[1] == (
        "At step 400, mange looks mostly at eats. In all, 0.94 of the attention is on "
        "the right words."
    )
    assert summaries[0].startswith("At step 0, mange looks mostly at the. In all, 0.50")


def test_what_the_model_wrote_is_shown_and_praised_only_when_it_is_right():
    text = made().spec["panels"][1]["fields"]["text"]["of"]
    assert text == [
        "By itself it writes: chat",
        "By itself it writes: chat mange (right)",
        "By itself it writes: (nothing)",
        "By itself it writes: nous",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": A.transpose(0, 2, 1)}, "but said × target × source is"),
        ({"A": A * 2}, "A has a row that sums to 2.000"),
        ({"A": A - 0.25}, "cannot be negative"),
        ({"gold": [(0, 2)]}, r"gold has \(0, 2\)"),
        ({"gold": []}, "gold is empty"),
        ({"lit": 2}, "lit is 2 but there are 2 target words"),
    ],
)
def test_a_sentence_that_does_not_fit_together_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        SentenceAlongTraining(**GOOD | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start_sentence": "dog"}, "'dog'"),
        ({"start_step": 7}, "default 7 is not among"),
        ({"steps": [0]}, "'cat' has 2 snapshots but there are 1 steps"),
        ({"sentences": {}}, "sentences is empty"),
    ],
)
def test_what_does_not_belong_together_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        made(**change)
