"""What a figure asks of a network, at the settings of the figure that asks."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention_book.shapes import START
from attention_book.widgets import (
    chosen,
    control,
    pieces_of,
    reading,
    select,
    silencing,
    switches,
    written,
)
from attention_book.widgets.pack import Packer


def doubled(call, inputs, change, options):
    return {"y": np.array(2 * inputs["x"][0])}, {}


NETWORK = SimpleNamespace(name="double", answer=doubled)


def test_figures_that_share_a_run_start_at_their_own_settings():
    run = reading(NETWORK, x=control("n"))
    for numbers, default in (([1, 5], 1), ([1, 5], 5), ([3, 4], 3)):
        menu = select("n", numbers, default=default)
        np.testing.assert_array_equal(run.start([menu], "y"), 2 * default)


@pytest.mark.parametrize("asked", ["start", "to_json"])
def test_a_menu_with_a_label_that_changes_nothing_known_is_refused(asked):
    menu = select("weights", ["its own", "alike", "other"])
    change = {"attend": chosen("weights", {"its own": [], "alike": [["uniform"]]})}
    run = reading(NETWORK, change=change, x=1.0)
    with pytest.raises(ValueError, match="'weights' is 'other', expected one of its"):
        run.start([menu], "y") if asked == "start" else run.to_json(Packer(), [menu])


def test_a_switch_silences_its_head_and_no_other():
    met = {}

    def answer(call, inputs, change, options):
        met.update(change)
        return {"y": np.zeros(1)}, {}

    network = SimpleNamespace(
        answer=answer,
        model=SimpleNamespace(config=SimpleNamespace(N_heads=2)),
        program={"functions": {"read": {"taps": {"a": "softmax", "b": "softmax_1"}}}},
    )
    heads = switches("silent", ["1.1", "1.2", "2.1", "2.2"], [0, 1, 1, 0])
    reading(network, change=silencing("silent", network)).start([heads], "y")
    ((kind, a),), ((other, b),) = met.values()
    assert [*met] == ["a", "b"]
    assert kind == other == "off"
    assert [a.tolist(), b.tolist()] == [[0, 1], [1, 0]]


@pytest.mark.parametrize("start", [None, " x  y"])
def test_a_network_reads_the_pieces_of_any_text(start):
    pieces = SimpleNamespace(encode=lambda text: [*map(ord, text)])
    network = SimpleNamespace(name="double", answer=doubled, pieces=pieces)
    text = written("text", ["ab", "c"], start)
    run = reading(network, x=pieces_of("text", network))
    right = [2 * START, *(2 * ord(letter) for letter in start or "ab")]
    assert run.start([text], "y").tolist() == right
    assert run.to_json(Packer(), [text])["inputs"] == {"x": {"control": 0}}


def test_pieces_are_asked_of_a_network_that_has_them_and_of_a_written_text():
    without = SimpleNamespace(name="double", answer=doubled, pieces=None)
    run = reading(without, x=pieces_of("text", without))
    with pytest.raises(ValueError, match="double has no pieces to cut a text into"):
        run.start([written("text", ["ab"])], "y")
    with pytest.raises(ValueError, match="'text', which is no written text"):
        run.start([select("text", ["ab"])], "y")
    with pytest.raises(ValueError, match="offers of 'text' is empty"):
        written("text", [])
    with pytest.raises(TypeError, match="'text' must be a text, but came as 3"):
        written("text", ["ab"]).check(3)
