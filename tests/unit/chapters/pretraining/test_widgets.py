"""What chapter 14 says that its figures show, they show."""

import pytest

from attention_book.chapters.pretraining.experiments.vectors import (
    FOOD,
    NEW_NOUNS,
    OTHERS,
    WITH_NOT,
    WITHOUT_NOT,
)
from attention_book.chapters.pretraining.sentences import TOPIC_OF
from attention_book.chapters.pretraining.widgets import (
    fill_the_gap,
    in_turn,
    own_labels,
    ten_sentences,
    three_ways,
)


def shown(widget, panel=0, **setting):
    """Labels and values of the bars of a panel."""
    if setting:
        widget.setting = {
            name.replace("_", " "): each for name, each in setting.items()
        }
    fields = widget.panels[panel].fields
    values = fields["values"].at(widget.index)
    return dict(zip(fields["labels"].at(widget.index), values.tolist(), strict=True))


FOODS = {
    form for noun, topic in TOPIC_OF.items() if topic == "food" for form in noun.en
}


def test_a_trained_network_fills_the_gap_with_food():
    guesses = shown(fill_the_gap())
    assert len(guesses) == 5
    assert guesses.keys() <= FOODS


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (0, "french here 1994"),
        (500, "report letter contract"),
        (1500, "orange cheese meat"),
        (3000, "meat bread cheese"),
    ],
)
def test_it_learns_to_guess_nouns_and_then_food(step, said):
    guesses = shown(fill_the_gap(), steps_of_pretraining=step)
    assert [*guesses][:3] == said.split()


def test_the_networks_of_three_ways_guess_what_the_text_says():
    figure = three_ways()
    (control,) = (each for each in figure.controls if each.name == "trained on")
    guesses, sees = [], []
    for name in control.labels:
        guesses.append(shown(figure, 1, trained_on=name))
        sees += figure.panels[0].static_text(figure.index)
    both, left, seen, cut = guesses
    assert [*both][:3] == ["child", "man", "doctor"]
    assert [*left][:2] == ["famous", "new"]
    assert seen["teacher"] == pytest.approx(1, abs=0.005)
    assert cut["the"] == max(cut.values())
    assert cut["the"] == pytest.approx(0.92, abs=0.005)
    assert sees == [
        f"The network sees: [CLS] {words}"
        for words in (
            "the [MASK] ate the rice . [SEP]",
            "the",
            "the teacher ate the rice . [SEP]",
            "the",
        )
    ]


def test_the_surprise_is_that_of_each_word():
    bits = shown(in_turn())
    assert [*bits] == ["these", "letters", "was", "signed", "."]
    assert bits["was"] == pytest.approx(3.7, abs=0.05)


def test_the_word_that_the_question_names_is_offered():
    (sentence, _) = in_turn().controls
    (akin,) = (group for group in sentence.groups if "these" in group)
    assert "the" in akin


def test_a_head_on_ten_labels_says_what_the_text_says():
    said = shown(own_labels())
    assert [*said] == NEW_NOUNS
    assert said["rice"] == pytest.approx(0.98, abs=0.005)
    assert max(said[noun] for noun in ("book", "minister", "garden")) <= 0.015
    assert shown(own_labels(), 1)["yes"] == pytest.approx(said["rice"], abs=1e-4)
    assert not {*FOOD, *OTHERS} & {*NEW_NOUNS}
    city = [int(noun == "city") for noun in FOOD + OTHERS]
    said = shown(own_labels(), **{"labelled yes": city})
    assert said["minister"] == pytest.approx(0.54, abs=0.005)
    assert said["garden"] == pytest.approx(0.43, abs=0.005)


def test_a_head_on_ten_sentences_says_what_the_text_says():
    widget = ten_sentences()
    assert shown(widget)["yes"] == pytest.approx(0.82, abs=0.005)
    *ten, asked = (control.default for control in widget.controls)
    assert [*ten[::2], *ten[1::2]] == WITH_NOT + WITHOUT_NOT
    assert asked not in ten
