"""What chapter 15 says that its figures show, they show."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.generation.codes import WORDS
from attention_book.chapters.generation.experiments.prompting import written
from attention_book.chapters.generation.operations import decode, encode
from attention_book.chapters.generation.running_example import prompts
from attention_book.chapters.generation.widgets import (
    by_prompt,
    next_piece,
    own_code,
)
from attention_book.data import STOP
from attention_book.widgets.functions import last_parts

PAIRS = "fox 7 bird 2 king 9 bird 2 fox"  # as it opens


def guesses(widget, **setting):
    """The bars: words and probabilities, the likeliest first."""
    if setting:
        widget.setting = setting
    fields = widget.panels[0].fields
    values = fields["values"].at(widget.index).tolist()
    return dict(zip(fields["labels"].at(widget.index), values, strict=True))


def chances(silent, text=PAIRS):
    """What two blocks with silent heads, such as "1.2 2.1", say next."""
    network = runs.load("look-up").network()
    off = [[float(f"{b}.{h}" in silent.split()) for h in (1, 2)] for b in (1, 2)]
    taps = network.program["functions"]["read"]["taps"]
    change = {tap: [["off", each]] for tap, each in zip(taps, off, strict=True)}
    given = {"source": [WORDS.encode(text.split())]}
    said, _ = network.answer("read", given, change, {})
    P = np.exp(said["logits"]) / np.exp(said["logits"]).sum()
    return dict(zip(WORDS.words, P.tolist(), strict=True))


def test_two_blocks_look_the_value_up_and_one_block_does_not():
    two, one = (
        guesses(own_code(), network=name) for name in ("two blocks", "one block")
    )
    assert next(iter(two)) == "7"
    assert two["7"] > 0.9
    assert next(iter(one)) == "2"


@pytest.mark.parametrize(("run", "heads"), [("look-up", 4), ("look-up-one", 2)])
def test_every_head_has_a_map_and_none_looks_ahead(run, heads):
    widget = own_code()
    widget.setting = {"network": "two blocks" if heads == 4 else "one block"}
    maps = widget.panels[1].fields["values"].at(widget.index)
    assert maps.shape == (heads, 9, 9)
    assert len(widget.panels[1].fields["names"].at(widget.index)) == heads
    np.testing.assert_allclose(maps.sum(axis=2), 1, atol=1e-5)
    assert not np.triu(maps, 1).any()


def test_it_opens_with_the_pairs_of_the_text():
    pairs, network, silent = own_code().controls
    assert pairs.default == PAIRS
    assert network.labels == ["two blocks", "one block"]
    assert silent.labels == ["1.1", "1.2", "2.1", "2.2"]
    assert silent.default == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("silent", "chance"),
    [("", 0.98), ("1.2", 0.97), ("1.1", 0.09), ("2.1", 0.39), ("2.2", 0.13)],
)
def test_a_silent_head_takes_the_answer_away_but_one(silent, chance):
    assert chances(silent)["7"] == pytest.approx(chance, abs=0.01)


def test_an_exchanged_value_is_said():
    assert chances("", PAIRS.replace("7", "12"))["12"] > 0.9


# what the network makes of *your old teacher draw my friend* after two examples
MADE = {
    "correct": "your old teacher draws my friend",
    "past": "your old teacher drew my friend",
    "question": "does your old teacher draw my friend",
    "passive": "my friend is drawn by your old teacher",
    "backwards": "your old teachers draw my friend",
    "plural + past": "your old teachers draw my friend",
    "past, question": "does your old teacher draw my friend",
    "exchanged": "your old teacher drew my friend",
}


def test_the_network_does_to_the_last_sentence_what_the_text_says():
    texts = {name: tuple(text.split()) for name, text in prompts().items()}
    found = written(runs.load("prompting").model(), list(texts.values()))
    assert dict(zip(texts, map(" ".join, found), strict=True)) == MADE


@pytest.mark.parametrize(
    ("examples", "verb"), [(0, "drew"), (1, "draws"), (2, "draws")]
)
def test_the_examples_that_are_kept_decide(examples, verb):
    whole = np.array(encode(prompts()["correct"].split()), dtype=float)
    kept = last_parts(whole, STOP, examples)
    given = {"source": kept[None].astype(int)}
    outputs, _ = runs.load("prompting").network().write(given)
    said = " ".join(decode(outputs["ids"].tolist()))
    assert said == f"your old teacher {verb} my friend ."


def test_a_prompt_opens_with_its_examples():
    widget = by_prompt()
    said = widget.panels[0].fields["words"].at(widget.index)
    assert said == [*MADE["correct"].split(), "."]


def test_a_piece_is_drawn_from_what_its_bars_show():
    widget = next_piece()
    said = widget.panels[0].fields["words"].at(widget.index)
    bars = widget.panels[1].fields
    best, chances = (bars[name].at(widget.index) for name in ("labels", "values"))
    assert len(said) == 12
    assert best[0] == "▁current"
    assert 0 < chances[-1] <= chances[0] < 0.1
