"""Words that choose, and bars with ranges."""

import pytest

from attention_book.widgets import Widget, bars, control, over, select, tokens

WORDS = ["the", "cat", "sits"]


def chosen(words=WORDS, axis="word"):
    panel = tokens("sentence", words, axis=axis, chooses=control("word"))
    return Widget("t", controls=[select("word", WORDS)], panels=[panel])


def ranged(values=(1.0, 2.0), low=(0.5, 2.0), high=(1.5, 2.0), **rest):
    panel = bars(["a", "b"], values, band=(low, high), label="loss", **rest)
    return Widget("b", controls=[select("n", [1, 2])], panels=[panel])


def test_words_may_choose_where_they_are_the_controls_values(as_a_reader):
    assert chosen().panels[0].options["chooses"] == 0
    message = "chooses is 'word', whose values are the, cat, sits: expected these as "
    for words in (WORDS[:2], WORDS[::-1], over("word", [WORDS, WORDS, WORDS[:2]])):
        with pytest.raises(ValueError, match=message):
            chosen(words)
    with pytest.raises(TypeError, match="chooses is 'word': give control"):
        tokens("sentence", WORDS, axis="word", chooses="word")
    with pytest.raises(ValueError, match="chooses is 'word' but there is no axis"):
        chosen(axis=None)


def test_a_range_is_said_where_its_ends_differ():
    assert ranged().static_text()[-1] == "loss: a 1.00 (0.50 to 1.50); b 2.00."


def test_a_range_has_room_on_the_axis():
    limits = ranged(low=(-1.0, 1.0), high=(1.5, 7.0)).panels[0].options["limits"]
    assert limits == [-1.0, 7.0]


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_range_for_another_number_of_bars_is_refused(end):
    with pytest.raises(ValueError, match=f"{end} has 1 entries but labels has 2"):
        ranged(**{end: (1.0,)})


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ({"low": (1.5, 2.0), "high": (0.5, 2.0)}, "low is 1.5 where the value is 1"),
        ({"low": (0.5, 2.1)}, "low is 2.1 where the value is 2, expected low <= value"),
        ({"high": (1.5, 1.9)}, "high is 1.9 where the value is 2, expected low <="),
        ({"high": over("n", [(1.5, 2), (1.5, 1)])}, "high is 1 where the value is 2"),
        ({"limits": (0, 1.4)}, "band goes from 0.5 to 2, past the limits 0 to 1.4"),
        ({"limits": (0.6, 3)}, "band goes from 0.5 to 2, past the limits 0.6 to 3"),
    ],
)
def test_a_range_that_does_not_fit_is_refused(rest, message):
    with pytest.raises(ValueError, match=message):
        ranged(**rest)


def test_a_range_has_two_ends(as_a_reader):
    with pytest.raises(ValueError, match=r"band is .*: expected .low, high."):
        bars(["a", "b"], [1, 2], band=([1, 2],))
