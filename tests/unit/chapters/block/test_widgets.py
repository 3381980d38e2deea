"""ResidualStream: what is added is what the model adds; losses are the recorded."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import runs
from attention_book.chapters.block.experiments import grow, switch_off
from attention_book.chapters.block.model import MaskedWords, MaskedWordsConfig
from attention_book.chapters.block.sentences import MASK
from attention_book.chapters.block.tasks import ENGLISH, unseen
from attention_book.chapters.block.widgets import (
    NOTHING,
    OFF,
    RECORDED,
    WORD,
    WORDS,
    residual_stream,
)
from attention_book.data import PAD

SOURCE = torch.tensor([3, 5, 2, 7, 11])
ON = torch.ones(1, len(SOURCE), dtype=torch.bool)
PARTS = ["attention 1", "MLP 1", "attention 2", "MLP 2"]
OFFS = (NOTHING, *RECORDED)


def drawn(seed=0, **choices):
    torch.manual_seed(seed)
    model = MaskedWords(
        MaskedWordsConfig(13, 2, D=8, N_heads=2, D_hidden=16, **choices)
    )
    for name, parameter in model.named_parameters():
        if "norm" in name:  # scales and shifts that would be missed
            nn.init.normal_(parameter)
    return model


@pytest.fixture(scope="module")
def widget():
    return residual_stream()


def shown(widget, panel, *names):
    fields = widget.panels[panel].fields
    return [fields[name].at(widget.index) for name in names]


@pytest.mark.parametrize("part", OFFS)
@torch.no_grad()
def test_what_is_added_leads_to_the_models_own_states(part):
    model = drawn()
    switch_off(model, part)
    grown, states = grow(model, SOURCE), model.states(SOURCE[None], ON)
    after = grown.before**2 + grown.added**2
    after += 2 * grown.before * grown.added * grown.cosines
    if part == "residual":
        after = grown.added**2
    lengths = [state[0].norm(dim=-1) for state in states]
    np.testing.assert_allclose(grown.before[0], lengths[0], rtol=1e-5)
    np.testing.assert_allclose(grown.before[1:] ** 2, after[:-1], rtol=1e-4)
    np.testing.assert_allclose(after[-1], lengths[-1] ** 2, rtol=1e-4)
    np.testing.assert_allclose(grown.before[len(grown.parts) // 2], lengths[1], 1e-5)
    torch.testing.assert_close(grown.logits, model(SOURCE[None], ON)[0])


@pytest.mark.parametrize(
    ("part", "without"),
    [
        ("attention", {"attention": "none"}),
        ("MLP", {"mlp": False}),
        ("all norms", {"norm": "none"}),
        ("residual", {"residual": False}),
        ("positions", {"positions": False}),
    ],
)
@torch.no_grad()
def test_switching_off_makes_the_model_that_is_trained_without(part, without):
    whole, other = drawn(), drawn(seed=1, **without)
    weights = whole.state_dict()
    other.load_state_dict({name: weights[name] for name in other.state_dict()})
    before = whole(SOURCE[None], ON)
    switch_off(whole, part)
    after = whole(SOURCE[None], ON)
    assert not torch.allclose(before, after)
    torch.testing.assert_close(after, other(SOURCE[None], ON))


# What was read off once: means over five seeds of the whole model and of one trained
# without, and the loss of seed 0 with the part switched off
LOSSES = {
    NOTHING: [3.12],
    "attention": [3.12, 4.02, 4.48],
    "MLP": [3.12, 3.52, 4.05],
    "all norms": [3.12, 2.54, 6.82],
    "residual": [3.12, 4.22, 4.71],
    "positions": [3.12, 3.94, 5.12],
}


@pytest.mark.parametrize("part", OFFS)
def test_losses_are_those_that_were_measured(widget, part):
    widget.setting = {OFF: part}
    values, low, high = shown(widget, 2, "values", "low", "high")
    assert [round(float(value), 2) for value in values] == LOSSES[part]
    assert (low[:2] < values[:2]).all()
    assert (values[:2] < high[:2]).all()
    np.testing.assert_array_equal(low[2:], high[2:])  # one model has no range


def test_the_stream_is_that_of_the_word_that_is_chosen(widget):
    run = runs.load("hidden-full")
    source = torch.tensor(run.recipe.task.vocabularies["source"].encode(WORDS))
    grown = grow(run.model(), source)
    for k, word in enumerate(WORDS):
        widget.setting = {OFF: NOTHING, WORD: word}
        found = shown(widget, 1, "before", "added", "cosines")
        np.testing.assert_array_equal(
            found, np.stack([grown.before, grown.added, grown.cosines])[:, :, k]
        )
    assert shown(widget, 1, "parts") == [PARTS]


def test_it_says_what_the_model_says_at_the_hidden_word(widget):
    run = runs.load("hidden-full")
    vocabulary = run.recipe.task.vocabularies["source"]
    source = torch.tensor([vocabulary.encode(WORDS)])
    with torch.no_grad():
        logits = run.model()(source, torch.ones_like(source, dtype=torch.bool))
    weights = logits[0, WORDS.index(MASK)].softmax(-1)
    best = weights.argsort(descending=True)[:2].tolist()
    said = ", ".join(f"{vocabulary.words[i]} {weights[i]:.2f}" for i in best)
    widget.setting = {OFF: NOTHING}
    assert widget.summary == (
        f"Hidden: eat. Model of seed 0, whole: {said}. Unseen sentences: first "
        "guess 0.19 sure, 21% right."
    )
    widget.setting = {OFF: "all norms"}  # right here, and yet the highest loss
    assert "all norms switched off: eat 0.73" in widget.summary
    assert widget.summary.endswith("first guess 0.61 sure, 13% right.")


def test_no_guess_is_padding(widget):
    model = runs.load("hidden-full").model()
    switch_off(model, "MLP")
    source = torch.tensor(ENGLISH.encode(WORDS))
    weights = grow(model, source).logits[WORDS.index(MASK)].softmax(-1)
    assert weights.argsort(descending=True).tolist().index(PAD) < 3
    assert all("[PAD]" not in each for each in widget.spec["summary"]["of"])


def test_its_sentence_is_one_of_those_that_the_loss_is_measured_on():
    batch = unseen()
    rows = torch.where(batch.target_out > 0, batch.target_out, batch.source)
    words = ["eat" if word == MASK else word for word in WORDS]
    sentence = torch.zeros(rows.shape[1], dtype=rows.dtype)
    sentence[: len(words)] = torch.tensor(ENGLISH.encode(words))
    assert (rows == sentence).all(dim=1).any()
