"""Chapter 5's worked solutions give known answers."""

from collections import Counter
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from attention_book import runs
from attention_book.chapters.self_attention import solutions
from attention_book.chapters.self_attention.sentences import (
    GERMAN,
    KIND,
    NOUNS,
    PRONOUNS,
    vocabularies,
)
from attention_book.chapters.self_attention.tasks import asked_in, attend

TEXT = "the dog near the soup left the tram because it was scared and it was windy"


def test_the_recorded_layer_hands_over_gender_and_rests_on_words_that_say_nothing():
    """What the folded answer of exercise 3 says."""
    run = runs.load("it")
    model, test = run.model(), run.recipe.task.test
    counts = solutions.said_by_values(model, test)
    for word in ("er", "sie", "es"):
        assert set(counts[f"a noun that is {word}"]) == {word}
    other = counts["another word"]
    assert (other["-"], other["es"]) == pytest.approx((13_732, 358), rel=0.02)
    most = solutions.attended_most(model, test)
    assert set(most["fits a noun"]) == {"a noun"}
    assert isinstance(most["fits none"], Counter)
    assert most["fits none"]["a noun"] == 0
    evenly = solutions.said_evenly(model, test)
    assert evenly == {"fits a noun": {"-": 1497}, "fits none": {"-": 503}}
    shares = solutions.between_means(model)
    for name, kind, gender in (("keys", 0.90, 0.04), ("values", 0.02, 0.96)):
        due = {"kind": kind, "gender": gender}
        assert shares[name] == pytest.approx(due, abs=5e-3), name


def test_the_wrong_map_misses_only_nouns_that_are_what_other_words_say():
    """What chapter 5 says of the second network of its two maps."""
    run = runs.load("it-always-fits")
    model, test = run.model(), run.recipe.task.test
    counts = solutions.said_by_values(model, test)
    for word in ("er", "sie", "es"):
        assert set(counts[f"a noun that is {word}"]) == {word}
    other = counts["another word"]
    assert other["es"] / other.total() == pytest.approx(0.986, abs=2e-3)
    asked = asked_in(test)
    _, A = attend(model, test, asked)
    missed = [
        each.answer
        for (_, each), row in zip(asked, A, strict=True)
        if row.argmax() != each.gold
    ]
    assert set(missed) == {"es"}
    assert len(missed) == pytest.approx(219, abs=4)


def test_keys_made_of_the_kind_alone_differ_between_kinds_alone():
    words = vocabularies()["source"]
    traits = [*NOUNS, *PRONOUNS]
    known = nn.Embedding(len(words), len(traits))
    for noun, gender in GERMAN.items():
        row = known.weight.data[words.encode([noun])[0]]
        row[:] = torch.tensor([float(t in (KIND[noun], gender)) for t in traits])
    of_kind = torch.tensor([float(trait in NOUNS) for trait in traits])
    attend = SimpleNamespace(W_K=of_kind.diag(), W_V=(1 - of_kind).diag())
    model = SimpleNamespace(words=known, attend=attend)
    shares = solutions.between_means(model)
    for name, kind, gender in (("keys", 1, 0), ("values", 0, 1)):
        due = {"kind": kind, "gender": gender}
        assert shares[name] == pytest.approx(due, abs=1e-5)
