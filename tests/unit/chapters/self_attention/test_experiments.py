"""Chapter 5's experiments measure what they say."""

import pytest
import torch

from attention_book import runs
from attention_book.chapters.self_attention import experiments, solutions

TEXT = "the dog near the soup left the tram because it was scared and it was windy"


@pytest.fixture(scope="module")
def model():
    return runs.load("it").model()


@pytest.mark.parametrize(("N_X", "D"), [(1, 3), (5, 4), (7, 2)])
def test_torch_counts_the_products_of_the_formula_and_the_bytes_of_A(N_X, D):
    work, N_bytes = experiments.cost(N_X, D)
    assert work == 2 * N_X**2 * D + 3 * N_X * D**2
    assert work == solutions.multiply_adds(N_X, D, D, D)
    assert N_bytes == 4 * N_X**2


def test_lazy_answers_are_as_good_as_the_sentences_let_them_be():
    lazy = experiments.lazy_pointing([TEXT.split(), TEXT.split()])
    assert lazy["a random word"] == pytest.approx(1 / 16)
    assert (lazy["the first noun"], lazy["the last noun"]) == (1, 0)
    assert lazy["the best place"] in (0, 1)
    dog_last = TEXT.replace("dog", "bus").replace("tram", "dog")
    lazy = experiments.lazy_pointing([TEXT.split(), dog_last.split()])
    assert (lazy["the first noun"], lazy["the last noun"]) == (0.5, 0.5)


def test_the_best_place_and_distance_are_those_of_other_sentences(monkeypatch):
    """There, an adjective at 11 fits the noun at 1."""
    monkeypatch.setattr(experiments, "sentence", lambda rng, none: TEXT.split()[:12])
    later = ["today", *TEXT.split()]  # another place, the same distance
    nearer = TEXT.replace("dog", "car").replace("soup", "dog").split()
    for words, place, distance in ((TEXT.split(), 1, 1), (later, 0, 1), (nearer, 0, 0)):
        lazy = experiments.lazy_pointing([words])
        assert lazy["the best place"] == place
        assert lazy["the best distance"] == distance


def test_a_model_with_another_look_leaves_the_first_as_it_was(model):
    before = model.look
    trial = experiments.with_look(model, lambda own, source, visible: (own, source))
    assert trial.look("source", None) == (trial, "source")
    assert model.look == before


def test_a_told_sentence_shows_each_look_and_each_answer(model):
    told = experiments.tell(model, ("dog", "soup", "tram"), ("scared", "windy"))
    head, *rows, last = [line.split() for line in told.splitlines()]
    assert head == ["scared", "windy"]
    assert " ".join(row[0] for row in rows) == TEXT
    assert max(rows, key=lambda row: float(row[1]))[0] == "dog"
    assert sum(float(row[2]) for row in rows) == pytest.approx(1, abs=0.05)
    assert last == ["it", "is", "er", "-"]


@torch.no_grad()
def test_the_answers_told_are_those_of_the_model(model):
    told = experiments.tell(model, ("car", "soup", "bear"), ("salty", "tired"))
    assert told.splitlines()[-1].split()[2:] == ["sie", "er"]
