"""What the chapter says of its figures, put through the networks that they run."""

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.block import sentences, tasks
from attention_book.chapters.block.experiments import switch_off
from attention_book.chapters.block.widgets import (
    BARN,
    ORDER,
    PARTS,
)
from attention_book.widgets.functions import leaning

ALL = [1, 1, 1]
OFF = {part: [int(part != each) for each in PARTS] for part in PARTS}
STAMPED = BARN.replace("fed", "stamped")
ORDERED = "the man signed the seal while the woman fed the other one"


def read(name, text, parts):
    """The ids of a sentence, and what its network gives."""
    run = runs.load(name)
    vocabulary, _ = run.vocabularies
    ids = vocabulary.encode([word.strip("()") for word in text.split()])
    seen = [word[0] != "(" for word in text.split()]
    given = {"source": [ids], "visible": [seen], "parts": [parts]}
    said, _ = run.network().run("read", given)
    return np.array(ids, dtype=float), said, vocabulary.words


def guesses(name, text, parts=ALL):
    _, said, words = read(name, text, parts)
    best = np.argsort(-said["guess"])[: int(said["guesses"])]
    return " ".join(words[i] for i in best)


@pytest.mark.parametrize(
    ("text", "parts", "last"),
    [
        (BARN, ALL, -0.37),
        (STAMPED, ALL, 0.19),
        (ORDER, ALL, -0.16),
        (ORDERED, ALL, 0.18),
        (STAMPED.replace("(barn)", "barn"), ALL, -0.02),
        (BARN, OFF["attention"], -0.04),
        (STAMPED, OFF["attention"], -0.04),
    ],
)
def test_the_verb_moves_the_seal_at_the_last_block(text, parts, last):
    (seal,) = map(float, sentences.WORDS.encode(["seal"]))
    centres = tasks.means(runs.load("senses").model(), "seal").numpy()
    ids, said, _ = read("senses", text, parts)
    sides = leaning(said["states"], ids, seal, centres)
    assert sides[0] == pytest.approx(-0.07, abs=0.005)
    assert sides[-1] == pytest.approx(last, abs=0.005)
    assert np.abs(sides[1:3]).max() < 0.2


@pytest.mark.parametrize(
    ("name", "text", "parts", "first"),
    [
        ("senses", BARN, ALL, "barn cage zoo"),
        ("senses", STAMPED, ALL, "office mailroom archive"),
        ("senses", BARN, OFF["attention"], "the"),
        ("senses", "the man fed the seal", ALL, ""),
        ("hidden-full", "the child will (eat) my egg", ALL, "eat buy see"),
        ("hidden-full", "the child will (eat) my egg", OFF["attention"], "not the our"),
        ("hidden-full", "the child will (eat) my egg", OFF["MLP"], "see eat be"),
        ("hidden-full", "the child will (eat) my egg", OFF["residual"], "not will"),
    ],
)
def test_the_guess_follows_the_verb_and_needs_the_parts(name, text, parts, first):
    said = guesses(name, text, parts)
    assert said.startswith(first)
    assert len(said.split()) == (5 if "(" in text else 0)


@pytest.mark.parametrize("part", [None, *PARTS])
@torch.no_grad()
def test_parts_that_are_off_are_off_in_all_blocks(part):
    model = runs.load("senses").model()
    if part:
        switch_off(model, part)
    ids, said, _ = read("senses", ORDER, OFF.get(part, ALL))
    source = torch.tensor(ids).long()[None]
    states = torch.cat(model.states(source, source > 0))
    np.testing.assert_allclose(said["states"], states, atol=2e-4)


def test_without_the_word_it_leans_nowhere():
    states, centres = np.ones((4, 2, 3)), np.ones((4, 2, 1, 3))
    assert leaning(states, np.array([5.0, 6.0]), 7.0, centres).tolist() == [0] * 4
