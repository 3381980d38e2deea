"""The words that a small GPT learns from, and what is measured of it."""

from dataclasses import replace
from itertools import islice
from math import log

import pytest
import torch

from attention_book.chapters.scale import recipes, tasks, words
from attention_book.chapters.scale.tasks import NextWord, loss
from attention_book.data import START, STOP, docstrings

TINY = {"D": 8, "N_heads": 2, "D_hidden": 8, "N_blocks": 1, "N_positions": 12}


@pytest.fixture
def few(monkeypatch):
    """A text of few strings."""
    texts = {
        "train": ("Read a line.", "Read the sum of a, b.", "Close it.", "A a A a a a"),
        "modules": ("Read it twice.",),
        "development": ("Sum of it.", "The line."),
    }
    monkeypatch.setattr(words, "splits", lambda: texts)
    for cached in (words.strings, words.words, words.ids):
        cached.cache_clear()
    yield texts
    for cached in (words.strings, words.words, words.ids):
        cached.cache_clear()


def test_each_string_is_cut_into_words_between_start_and_stop(few):
    known = words.words()
    ids = words.ids("train").tolist()
    assert ids.count(START) == ids.count(STOP) == 4
    ends = [place + 1 for place, i in enumerate(ids) if i == STOP]
    cut = [known.decode(ids[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
    assert {*cut} == {
        ("read", "a", "line", "."),
        ("read", "the", "sum", "of", "a", ",", "b", "."),
        ("close", "it", "."),
        ("a",) * 6,
    }


def test_only_the_commonest_words_of_the_training_text_are_known(few, monkeypatch):
    monkeypatch.setattr(words, "N_WORDS", 7)
    words.words.cache_clear()
    assert words.words().to_list() == ["[UNK]", "a", ".", "read"]
    asked = words.words().words
    ids = words.ids("modules").tolist()
    assert [asked[i] for i in ids] == [
        "[START]",
        "read",
        "[UNK]",
        "[UNK]",
        ".",
        "[STOP]",
    ]


def test_a_first_part_of_the_text_mixes_its_modules():
    rank = {string: k for k, string in enumerate(docstrings.splits()["train"])}
    first = [rank[s] for s in words.mixed("train")[:500]]
    assert sorted(rank) == sorted(words.mixed("train"))
    parts = torch.tensor(first).float().div(len(rank) / 4).long().bincount(minlength=4)
    assert parts.min() > 80  # of 125, from each quarter of the library


def test_it_is_trained_on_the_first_words_or_on_all(few):
    text, first = words.ids("train"), NextWord(TINY, N_train=20)
    assert torch.equal(first.train(), text[:20])
    assert torch.equal(NextWord(TINY).train(), text)
    windows = {*map(tuple, text[:20].unfold(0, 13, 1).tolist())}
    drawn = torch.cat([*islice(first.batches(0, 9), 9)])
    assert {*map(tuple, drawn.tolist())} == windows


def test_who_knows_nothing_is_surprised_alike_by_each_word(few):
    task = NextWord(TINY)
    model = task.model()
    for weight in model.parameters():
        weight.data.zero_()
    nothing = pytest.approx(log(1000), rel=1e-5)
    assert loss(model, words.ids("train")) == nothing
    assert loss(model, words.ids("train")[1:]) == nothing  # without [START] before it
    assert task.watch(model) == nothing
    assert task.examine(model, 0) == {"train": nothing, "held out": nothing}


def test_the_loss_is_the_mean_of_all_words_but_start(few):
    task = NextWord(TINY)
    model, text = task.model(), words.ids("modules")
    assert len(text) < 13
    log_P = model(text[None, :-1])[0].log_softmax(-1)
    own = -log_P[range(len(text) - 1), text[1:]].mean().item()
    assert loss(model, text) == pytest.approx(own, rel=1e-5)
    both = torch.cat([text, text[:3]])  # [START] in the middle is not asked for
    log_P = model(both[None, :-1][:, :12])[0].log_softmax(-1)
    asked = both[1:13] != START
    own = -log_P[range(len(asked)), both[1:13]][asked].mean().item()
    assert loss(model, both[:13]) == pytest.approx(own, rel=1e-5)


def test_each_text_is_examined_under_its_own_name(few, monkeypatch):
    monkeypatch.setattr(tasks, "LEARNED", 5)
    monkeypatch.setattr(tasks, "WATCHED", 4)
    model = (task := NextWord(TINY)).model()
    examined = task.examine(model, 0)
    assert examined["train"] == loss(model, words.ids("train")[:5])
    assert examined["held out"] == loss(model, words.ids("modules"))
    assert task.watch(model) == loss(model, words.ids("development")[:4])


def test_width_amount_and_learning_rate_alone_differ_between_the_recipes():
    known = {recipe.name: recipe for recipe in recipes.RECIPES}
    first = known["scale-25k-6"]
    for amount, N_train in recipes.AMOUNTS.items():
        for D in (*recipes.FITTED, recipes.NEXT):
            name, sizes = f"scale-{amount}-{D}", {"D": D, "D_hidden": 4 * D}
            task = replace(first.task, N_train=N_train, sizes=first.task.sizes | sizes)
            own = {"name": name, "task": task, "learning_rate": 0.04 * min(1, 16 / D)}
            assert known[name] == replace(first, **own)


def test_a_network_that_is_stopped_early_differs_in_its_steps_alone():
    known = {recipe.name: recipe for recipe in recipes.RECIPES}
    for D in recipes.STOPPED:
        early = known[f"scale-25k-{D}-early"]
        assert early.steps == 180
        assert (
            replace(early, name=f"scale-25k-{D}", steps=480) == known[f"scale-25k-{D}"]
        )
