"""What chapter 15 says that its figures show, they show."""

import numpy as np
import pytest
import torch

from attention_book import models, runs
from attention_book.chapters.generation import in_page
from attention_book.chapters.generation.codes import WORDS
from attention_book.chapters.generation.experiments.prompting import written
from attention_book.chapters.generation.operations import (
    decode,
    encode,
    operation_of,
    parsed,
)
from attention_book.chapters.generation.running_example import ASKED, prompts
from attention_book.chapters.generation.widgets import (
    RUNS,
    by_prompt,
    next_piece,
    own_code,
)
from attention_book.data import STOP
from attention_book.models import heads, silenced
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
    quiet = silenced(runs.load("look-up").model(), silent.split())
    with torch.no_grad():
        said = in_page.read(quiet, torch.tensor([WORDS.encode(text.split())]))
    return dict(zip(WORDS.words, said["logits"][0].softmax(-1).tolist(), strict=True))


def test_two_blocks_look_the_value_up_and_one_block_does_not():
    two, one = (
        guesses(own_code(), network=name) for name in ("two blocks", "one block")
    )
    assert next(iter(two)) == "7"
    assert two["7"] > 0.9
    assert next(iter(one)) == "2"


@pytest.mark.parametrize("network", ["two blocks", "one block"])
def test_every_head_has_its_map_and_none_looks_ahead(network):
    widget = own_code()
    widget.setting = {"network": network}
    maps = widget.panels[1].fields["values"].at(widget.index)
    model = runs.load(RUNS[network]).model()
    A = model.attention(torch.tensor([WORDS.encode(PAIRS.split())]))
    np.testing.assert_allclose(maps, A[0].flatten(0, 1).detach(), atol=1e-3)
    assert [*widget.panels[1].fields["names"].at(widget.index)] == heads(model)
    assert not np.triu(maps, 1).any()


def test_it_opens_with_the_pairs_of_the_text():
    pairs, network, silent = own_code().controls
    assert pairs.default == PAIRS
    assert network.labels == ["one block", "two blocks"]
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


# what the network makes of *the cat see my dog* after two examples
MADE = {
    "correct": "the cat sees my dog",
    "past": "the cat saw my dog",
    "plural": "the cats see my dog",
    "negation": "the cat does not see my dog",
    "passive": "my dog is seen by the cat",
    "question": "does the cat see my dog",
    "backwards": "the cat sees my dog",
    "plural + past": "the cats see my dog",
    "past, question": "does the cat see my dog",
    "other outputs": "the cat saw my dog",
}
KEPT = "plural", "passive", "plural + past"  # without head 2.2
LEFT = dict.fromkeys(MADE, "the cat sees my dog") | {name: MADE[name] for name in KEPT}
ASKING = dict.fromkeys(("question", "past, question"), "does the cat sees my dog")


@pytest.mark.parametrize(
    ("silent", "due"), [((), MADE), (("2.2",), LEFT | ASKING), (("2.3",), MADE)]
)
def test_the_network_does_to_the_last_sentence_what_the_text_says(silent, due):
    texts = {name: tuple(text.split()) for name, text in prompts().items()}
    network = models.silenced(runs.load("prompting").model(), silent)
    found = written(network, list(texts.values()))
    assert dict(zip(texts, map(" ".join, found), strict=True)) == due


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        (0, "the cat is seen by the cat"),
        (1, "the cat sees my dog"),
        (2, "the cat sees my dog"),
        (3, "the cat sees my dog"),
    ],
)
def test_the_examples_that_are_kept_decide(examples, said):
    whole = np.array(encode(prompts()["correct"].split()), dtype=float)
    kept = last_parts(whole, STOP, examples)
    outputs, _ = (
        runs.load("prompting").network().write({"source": kept[None].astype(int)})
    )
    assert " ".join(decode(outputs["ids"].tolist())) == f"{said} ."


def test_it_opens_with_three_pairs_of_poor_and_good_english_that_are_all_read():
    widget = by_prompt()
    prompt, read, _ = widget.controls
    *pairs, asked = (each.split(" out:") for each in prompt.default.split(" . "))
    for given, output in pairs:
        sentence = parsed(given.removeprefix("in: ").split())
        assert sentence.poor
        assert operation_of(output.split(), sentence) == "correct"
    assert asked == [f"in: {ASKED}", ""]
    assert len(pairs) == read.default == 3
    said = widget.panels[0].fields["words"].at(widget.index)
    assert said == [*MADE["correct"].split(), "."]


def test_a_piece_is_drawn_from_what_its_bars_show():
    widget = next_piece()
    said = widget.panels[0].fields["words"].at(widget.index)
    bars = widget.panels[1].fields
    best, chances = (bars[name].at(widget.index) for name in ("labels", "values"))
    assert len(said) == 12
    assert best[0] == "▁current"
    assert best[-1] == "all others"
    assert len(best) == 7
    assert 0 < chances[5] <= chances[0] < 0.1
    assert chances.sum() == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("how", "least", "most"),
    [({}, 1000, 1000), ({"top_p": 0.8}, 100, 900), ({"top_k": 5}, 5, 5)],
)
def test_a_hot_piece_is_drawn_from_hundreds_unless_few_are_kept(how, least, most):
    run = runs.load("docstrings")
    given = {
        "source": np.array([run.vocabularies[0].encode(("Return", "Ġthe"), start=True)])
    }
    sample = {"seed": 1, "temperature": 1.5, **how}
    outputs, _ = run.network().write(given, sample=sample, max_words=1)
    assert least <= outputs["kept"] <= most


def test_a_cold_draw_runs_in_circles():
    run = runs.load("docstrings")
    given = {
        "source": np.array([run.vocabularies[0].encode(("Return", "Ġthe"), start=True)])
    }
    sample = {"seed": 2, "temperature": 0.1}
    outputs, _ = run.network().write(given, sample=sample, max_words=12)
    said = "".join(run.vocabularies[0].words[i] for i in outputs["ids"].astype(int))
    assert said.startswith("Ġcurrent" + "ĠsizeĠofĠtheĠcurrent" * 2)
