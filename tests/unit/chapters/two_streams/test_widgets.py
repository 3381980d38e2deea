"""What chapter 17's widgets say of sheets, captions and questions."""

import numpy as np
import pytest

from attention_book.chapters.two_streams.running_example import CAPTION
from attention_book.chapters.two_streams.widgets import (
    CAPTIONS,
    NETWORKS,
    NOT_YET,
    OPENS,
    ask,
    which_caption,
    who_looks,
)

FIRST, AT_ONCE = NETWORKS
EXCHANGED = "7.2.4_3.20.7_9.11.22"
ACROSS = "9.2.4_2.4.20_5.22.12"
TWICE = "3.2.4_3.20.7_9.11.22"
OVERLAP = "3.2.4_7.6.7_9.11.22"
OBLIQUE = "3.2.4_7.13.14_9.22.4"
UNUSUAL = {
    TWICE: "Two digits are the same",
    OVERLAP: "Two digits overlap",
    OBLIQUE: "Two digits lie nearly diagonally",
}


def shown(widget, panel=1):
    """The bars of a panel, by their labels."""
    fields = widget.panels[panel].fields
    labels, values = (fields[name].at(widget.index) for name in ("labels", "values"))
    return dict(zip(labels, values.tolist(), strict=True))


def strongest(widget, panel):
    """Whom each row of arcs looks at most, as (row, column)."""
    rows, columns, values = widget.panels[panel].at(
        widget.index, "rows", "columns", "values"
    )
    best = (columns[i] for i in values.argmax(axis=1))
    return [*zip(rows, best, strict=True)]


def test_no_caption_fits_better_than_another_before_the_reader_chooses():
    widget = which_caption()
    assert set(shown(widget).values()) == {1 / 8}
    assert widget.setting["your choice"] == NOT_YET
    assert "Until you choose" in widget.summary


@pytest.mark.parametrize(
    ("network", "sheet", "likely"),
    [
        (FIRST, OPENS, {CAPTION: 0.99}),
        (
            FIRST,
            EXCHANGED,
            {"a seven above a three": 0.99},
        ),
        (AT_ONCE, OPENS, {"a three above a nine": 0.2, "a nine above a seven": 0.18}),
        (AT_ONCE, EXCHANGED, {"a three above a nine": 0.2, CAPTION: 0.15}),
    ],
)
def test_the_network_chooses_a_caption_once_the_reader_has(network, sheet, likely):
    widget = which_caption(CAPTIONS[0], network, sheet)
    bars = shown(widget)
    chances = {each: bars[each.replace("a ", "")] for each in likely}
    assert chances == pytest.approx(likely, abs=0.06)
    true = "a seven above a three" if sheet == EXCHANGED else CAPTION
    told = f"You: {CAPTIONS[0]}. Network: {next(iter(likely))}. True: {true}."
    assert widget.summary == told.replace("a ", "")


def test_it_says_when_none_of_the_captions_is_true():
    told = which_caption(CAPTION, sheet=ACROSS).summary
    assert told.endswith("True: none of the eight.")


@pytest.mark.parametrize("sheet", UNUSUAL)
@pytest.mark.parametrize(
    "make",
    [
        lambda sheet: which_caption(CAPTION, sheet=sheet),
        lambda sheet: who_looks(sheet=sheet),
        lambda sheet: ask(sheet=sheet),
    ],
    ids=["which_caption", "who_looks", "ask"],
)
def test_a_sheet_like_none_of_training_is_said_to_be(make, sheet):
    told = f"{UNUSUAL[sheet]}: the network was not trained on such pictures."
    assert make(sheet).summary.endswith(told)


@pytest.mark.parametrize(
    ("caption", "network", "sheet", "fits", "guess"),
    [
        ("three above seven", "first", OPENS, True, "above"),
        ("three below seven", "first", OPENS, False, "above"),
        ("seven above three", "first", OPENS, False, "below"),
        ("three above seven", "first", EXCHANGED, False, "below"),
        ("three left-of nine", "first", OPENS, True, "left-of"),
        ("three above seven", "swapped", OPENS, False, "below"),
        ("three below seven", "swapped", OPENS, True, "below"),
        ("nine left-of two", "first", ACROSS, True, "left-of"),
        ("nine right-of two", "swapped", ACROSS, True, "right-of"),
        ("nine right-of seven", "swapped", OPENS, False, "left-of"),
        ("three right-of nine", "swapped", OPENS, True, "right-of"),
    ],
)
def test_what_fits_and_is_guessed_turns_round_with_the_regions_weights(
    caption, network, sheet, fits, guess
):
    widget = who_looks(*caption.split(), network, sheet)
    does = "fits" if fits else "does not fit"
    told = f"Network: it {does}. Its guess for a hidden relation: {guess}."
    assert widget.summary == told
    bars = shown(widget)
    assert (bars.pop("caption fits") > 0.9) == fits
    assert max(bars, key=bars.__getitem__) == f"hidden: {guess}"
    assert max(bars.values()) > 0.9


def test_exchanged_words_matter_to_one_of_the_two_networks_alone():
    (fits, other), (at_once, other_at_once) = (
        [
            shown(who_looks(*words.split(), network=network))["caption fits"]
            for words in ("three above seven", "seven above three")
        ]
        for network in ("first", "at once")
    )
    assert fits - other > 0.9
    assert abs(at_once - other_at_once) < 0.05


def test_equal_weights_leave_the_relation_open():
    assert max(shown(who_looks(network="equal")).values()) < 0.5


def test_both_words_look_at_the_three_and_both_regions_at_their_own_words():
    widget = who_looks()
    (three, _, seven), (*named, _) = (strongest(widget, panel) for panel in (2, 3))
    assert [three, seven] == [("three", "three"), ("seven", "three")]
    assert named == [("three", "three"), ("seven", "seven")]
    moved = strongest(who_looks(network="swapped"), 3)
    assert moved[:2] == [("three", "seven"), ("seven", "three")]


@pytest.mark.parametrize(
    ("caption", "sheet"),
    [
        ("three above two", OPENS),  # there is no two
        ("two above five", OPENS),
        ("seven above seven", OPENS),
        ("three above nine", TWICE),  # two threes
        ("nine above three", TWICE),
    ],
)
def test_nothing_is_swapped_unless_each_named_digit_is_there_once(caption, sheet):
    made = (
        who_looks(*caption.split(), network, sheet) for network in ("first", "swapped")
    )
    looks = (each.panels[3].at(each.index, "values") for each in made)
    np.testing.assert_array_equal(*looks)


def test_the_words_of_the_maps_are_the_captions_and_the_regions_the_sheets():
    two_below_nine = strongest(who_looks("two", "below", "nine"), 2)
    assert [word for word, _ in two_below_nine] == ["two", "below", "nine"]
    rows = [region for region, _ in strongest(who_looks(sheet=ACROSS), 3)]
    assert rows == ["nine", "two", "five"]


ABSENT = "none, since the digit in the question is not in the picture"


@pytest.mark.parametrize(
    ("question", "right", "tuned", "pretrained"),
    [  # None: what they say has no meaning
        (("what is", "above", "seven"), "three", "three", "three"),
        (("what is", "below", "three"), "seven", "nine", "seven"),
        (("what is", "right-of", "seven"), "nine", "nine", "nine"),
        (("three", "above", "seven"), "yes", "yes", "yes"),
        (("seven", "above", "three"), "no", "no", "no"),
        (("nine", "above", "seven"), "no", "no", "no"),
        (
            ("what is", "below", "seven"),
            "none, since no digit is there",
            "nine",
            "nine",
        ),
        (("what is", "right-of", "two"), ABSENT, None, None),
        (("five", "above", "seven"), "no", "no", "no"),
        (("three", "above", "two"), "no", "yes", "no"),
    ],
)
def test_questions_are_answered_by_both_networks(question, right, tuned, pretrained):
    widget = ask(*question)
    assert widget.summary.endswith(f" Right answer: {right}.")
    if tuned:
        said = [f"Fine-tuned: {tuned}", f"No labels: {pretrained}"]
        assert widget.summary.startswith(". ".join(said))
        (a, first), (_, second), (b, third), (_, fourth) = shown(widget).items()
        assert [a, b] == said
        assert first > second
        assert third > fourth


def test_a_question_with_two_answers_is_said_to_have_them():
    both_above = "3.2.4_9.2.20_7.22.12"
    told = ask("what is", "above", "seven", both_above).summary
    assert told.endswith("Right answer: none, since more than one digit is there.")
