"""ResidualStream: what is added is what the model adds; losses are the recorded."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import runs
from attention_book.chapters.block.model import MaskedWords, MaskedWordsConfig
from attention_book.chapters.block.residual_stream import (
    HIDDEN,
    NOTHING,
    OFF,
    RECORDED,
    WORD,
    WORDS,
    grow,
    switch_off,
)
from attention_book.chapters.block.sentences import MASK
from attention_book.chapters.block.tasks import ENGLISH, unseen
from attention_book.chapters.block.widgets import residual_stream

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
    ("part", "parts"),
    [("attention", ["MLP 1", "MLP 2"]), ("MLP", ["attention 1", "attention 2"])],
)
def test_a_part_that_is_switched_off_adds_nothing(part, parts):
    model = drawn()
    switch_off(model, part)
    assert grow(model, SOURCE).parts == parts
    assert grow(drawn(), SOURCE).parts == PARTS


@pytest.mark.parametrize(
    ("part", "without"),
    [
        ("attention", {"attention": "none"}),
        ("MLP", {"mlp": False}),
        ("norm", {"norm": "none"}),
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


@pytest.mark.parametrize("part", OFFS)
def test_losses_are_those_of_the_recordings_and_of_the_model_itself(widget, part):
    widget.setting = {OFF: part}
    labels, values, low, high = shown(widget, 2, "labels", "values", "low", "high")
    run = runs.load("hidden-full")
    losses = [run.per_seed("loss")]
    if part != NOTHING:
        name = {"MLP": "mlp"}.get(part, part)
        losses.append(runs.load(f"hidden-no-{name}").per_seed("loss"))
        model = run.model()
        switch_off(model, part)
        losses.append([run.recipe.task.measure(model)["loss"]])
    named = ["the whole model", "trained without", "switched off"]
    assert labels == named[: len(losses)]
    np.testing.assert_allclose(values, [np.mean(each) for each in losses])
    np.testing.assert_allclose(low, [np.min(each) for each in losses])
    np.testing.assert_allclose(high, [np.max(each) for each in losses])


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


def test_without_the_residual_what_is_found_takes_the_streams_place(widget):
    for part in OFFS:
        widget.setting = {OFF: part}
        assert shown(widget, 1, "carried") == [0 if part == "residual" else 1]


def test_it_says_what_the_model_says_at_the_hidden_word(widget):
    run = runs.load("hidden-full")
    vocabulary = run.recipe.task.vocabularies["source"]
    source = torch.tensor([vocabulary.encode(WORDS)])
    with torch.no_grad():
        logits = run.model()(source, torch.ones_like(source, dtype=torch.bool))
    weights = logits[0, WORDS.index(MASK)].softmax(-1)
    best = weights.argsort(descending=True)[:3].tolist()
    said = ", ".join(f"{vocabulary.words[i]} {weights[i]:.2f}" for i in best)
    every = widget.spec["summary"]["of"]
    assert every[0] == f"Hidden is {HIDDEN}. The model says {said}."
    assert len(set(every)) == len(OFFS)


def test_its_sentence_is_one_of_those_that_the_loss_is_measured_on():
    batch = unseen()
    rows = torch.where(batch.target_out > 0, batch.target_out, batch.source)
    words = [HIDDEN if word == MASK else word for word in WORDS]
    sentence = torch.zeros(rows.shape[1], dtype=rows.dtype)
    sentence[: len(words)] = torch.tensor(ENGLISH.encode(words))
    assert (rows == sentence).all(dim=1).any()


def test_it_opens_at_the_hidden_word_with_all_parts_and_fits_a_screen():
    widget = residual_stream()
    assert widget.setting == {OFF: NOTHING, WORD: MASK}
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760
