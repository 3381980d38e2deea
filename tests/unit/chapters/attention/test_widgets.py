"""What the text says of the reader's own sentence comes out of the recorded network."""

from copy import deepcopy

import pytest

from attention_book.chapters.attention import widgets

CHANGED = {  # by sentence and weights; None where the translation stays
    (widgets.APPLE, "equal"): "je signe ma pomme rouge [STOP]",
    (widgets.APPLE, "one word"): None,
    ("we are eating bread", "one word"): None,
    ("we are eating bread", "gold, where known"): None,
}


def written(widget, text, weights):
    """What the page writes of a sentence with other weights; its own are float16."""
    index = [text, widget.controls[1].values.index(weights)]
    run = widget.panels[0].fields["rows"].recipe["named"].recipe["output"].run
    inputs = {name: each.at(index)[None] for name, each in run._inputs(widget.controls)}
    change = {
        tap: run._now(told, widget.controls, index) for tap, told in run.change.items()
    }
    network = run.network.of(deepcopy(run.network.model).half().float())
    outputs, _ = network.answer(run.call, inputs, change, run.options)
    return " ".join(
        widgets.runs.load("attention-dot").vocabularies[1].words[i]
        for i in outputs["ids"]
    )


@pytest.mark.parametrize(("case", "said"), CHANGED.items(), ids=str)
def test_other_weights_write_what_the_text_says(case, said):
    text, weights = case
    widget = widgets.own_sentence()
    own = written(widget, text, "its own")
    assert written(widget, text, weights) == (said or own)
    assert said != own
