"""What a figure asks of a network, at the settings of the figure that asks."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention_book.widgets import (
    chosen,
    control,
    reading,
    select,
    silencing,
    switches,
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
