"""Words that choose, and bars with ranges."""

import pytest

from attention_book.widgets import Widget, bars, control, over, select, tokens

WORDS = ["the", "cat", "sits"]


def chosen(words=WORDS, axis="word"):
    panel = tokens("sentence", words, axis=axis, chooses=control("word"))
    return Widget("t", controls=[select("word", WORDS)], panels=[panel])


def ranged(values=(1.0, 2.0), low=(0.5, 2.0), high=(1.5, 2.0)):
    panel = bars(["a", "b"], values, spread=(low, high), label="loss")
    return Widget("b", controls=[select("n", [1, 2])], panels=[panel])


def test_words_may_choose_where_there_is_a_value_for_each():
    assert chosen().panels[0].options["chooses"] == 0
    with pytest.raises(ValueError, match="chooses is 'word', which has 3 values: exp"):
        chosen(WORDS[:2])
    with pytest.raises(ValueError, match="chooses is 'word', which has 3 values: exp"):
        chosen(over("word", [WORDS, WORDS, WORDS[:2]]))
    with pytest.raises(ValueError, match="chooses is 'word' but there is no axis"):
        chosen(axis=None)


def test_a_range_is_said_where_its_ends_differ():
    assert ranged().still()[-1] == "loss: a 1.00 (0.50 to 1.50); b 2.00."


def test_a_range_has_room_on_the_axis():
    limits = ranged(low=(-1.0, 1.0), high=(1.5, 7.0)).panels[0].options["limits"]
    assert limits == [-1.0, 7.0]


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_range_for_another_number_of_bars_is_refused(end):
    with pytest.raises(ValueError, match=f"{end} has 1 entries but labels has 2"):
        ranged(**{end: (1.0,)})
