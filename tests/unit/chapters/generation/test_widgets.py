"""What chapter 15 says that its figures show, they show."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.generation.codes import WORDS
from attention_book.chapters.generation.widgets import own_code

PAIRS = "fox 7 bird 2 king 9 bird 2 fox"


def guesses(widget, **setting):
    """The bars: words and probabilities, the likeliest first."""
    if setting:
        widget.setting = setting
    fields = widget.panels[0].fields
    values = fields["values"].at(widget.index).tolist()
    return dict(zip(fields["labels"].at(widget.index), values, strict=True))


def answer(text, silent="", run="look-up"):
    """The first guess of a network with silent heads, such as "1.2 2.1"."""
    off = [[float(f"{b}.{h}" in silent.split()) for h in (1, 2)] for b in (1, 2)]
    taps = runs.load(run).network().program["functions"]["read"]["taps"]
    change = {tap: [["off", each]] for tap, each in zip(taps, off, strict=False)}
    given = {"source": [WORDS.encode(text.split())]}
    said, _ = runs.load(run).network().answer("read", given, change, {})
    return WORDS.words[said["logits"].argmax()]


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
