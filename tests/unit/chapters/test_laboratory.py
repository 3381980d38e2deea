"""The laboratory opens every recorded network that reads sentences."""

import pytest
from typechecker import unchecked

from attention_book import runs
from attention_book.chapters.laboratory.widgets import OPENS, laboratory
from attention_book.recipes import recipes
from attention_book.shapes import STOP


@pytest.mark.parametrize("name", OPENS)
def test_a_network_opens_with_all_its_attention(name):
    figure = laboratory(name)
    calls = runs.load(name).network().program["functions"]
    used = [calls[call] for call in ("read", "encode", "step") if call in calls]
    taps = [tap for each in used for tap in each["taps"]]
    menus = [each.labels for each in figure.controls if each.name == "attention"]
    assert menus == ([taps] if taps else [])


def ends_in_stop(source):
    return [word for word in source.tolist() if word >= STOP][-1] == STOP


@pytest.mark.parametrize("name", OPENS)
def test_it_opens_with_a_sentence_as_the_network_was_trained(name):
    with unchecked():
        batch = next(iter(runs.load(name).recipe.task.batches(0, 1)))
    assert OPENS[name].endswith("[STOP]") == ends_in_stop(batch.source[0])


def test_no_network_that_reads_sentences_is_left_out():
    kept = {name for name, each in recipes().items() if each.keep_weights}
    reads = {name for name in kept if "visible" in _inputs(name)}
    assert reads == OPENS.keys()


def _inputs(name):
    calls = runs.load(name).network().program["functions"]
    return calls.get("read", calls.get("encode"))["inputs"]
