"""What the chapter's cells measure, its solutions and its bug."""

import pytest
import torch

from attention_book import data, decoding, models, runs
from attention_book.chapters.encoder_decoder import experiments, solutions
from attention_book.chapters.encoder_decoder.bug import HUNT
from attention_book.training import seeded


@pytest.fixture(scope="module")
def trained():
    run = runs.load("transformer")
    return run.model(), run.vocabularies, run.recipe.task.unseen


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_one_step_is_the_models_own_tied_or_not_with_a_mask_and_without(tied, masked):
    with seeded(0):
        sizes = models.TransformerConfig(9, 11, 8, 2, 6, tied=tied)
        model = models.Transformer(sizes)
    source, token = torch.tensor([[3, 4, 5, 2], [6, 7, 2, 0]]), torch.tensor([1, 1])
    memory = model.encode(source, source != 0 if masked else None)
    due, _, _ = model.step(token, memory, model.initial_state(memory))
    slow = experiments.Forgetful(model)
    again, _, _ = slow.step(token, memory, slow.initial_state(memory))
    mine, _ = solutions.next_word(model, token, memory, model.initial_state(memory))
    torch.testing.assert_close(again, due)
    torch.testing.assert_close(mine, due)


def test_a_model_that_keeps_nothing_writes_the_same(as_a_reader, trained):
    model, words, unseen = trained
    pairs = unseen["test"]["19-21"][:8]
    inputs = data.encode_sources([one.source for one in pairs], words[0])
    kept = decoding.greedy(model, *inputs)
    again = decoding.greedy(experiments.Forgetful(model), *inputs)
    assert kept.ids == again.ids
    assert again.attention is None


def test_products_are_those_of_the_formulas(as_a_reader):
    N, N_X, D, D_hidden = 3, 5, 8, 6
    counted = experiments.products(N, N_X, D, 2, D_hidden)
    of_a_word = 4 * D**2 + 2 * D**2 + 2 * D * D_hidden  # self, cross's Q and O, MLP
    source = 2 * N_X * D**2  # cross's K and V

    def looks(seen):  # one word's scores and mixtures, of words and of inputs
        return 2 * seen * D + 2 * N_X * D

    assert counted["kept"] == N * of_a_word + source + sum(map(looks, (1, 2, 3)))
    again = sum(n * of_a_word + source + n * looks(n) for n in (1, 2, 3))
    assert counted["all again"] == again


def test_a_sentence_is_translated(as_a_reader, trained):
    model, words, _ = trained
    text = "we are eating bread"
    assert experiments.say(model, text, words) == "nous mangeons du pain"
    with pytest.raises(ValueError, match="zebra"):
        experiments.say(model, "we see the zebra", words)


def test_steps_are_timed_by_turns_on_batches_of_their_own(as_a_reader, monkeypatch):
    turns, lasts = [], [2.0, 2.0, 2.0, 2.0, 14.0, 2.0]  # a slow round of one model
    clock = iter([each for k in lasts for each in (0.0, k)])
    monkeypatch.setattr(experiments.time, "process_time", lambda: next(clock))

    def fit(model, few, **settings):
        turns.append((model, [*few]))
        assert settings["steps"] == 2

    monkeypatch.setattr(experiments.training, "fit", fit)
    trials = {"a": ("model a", "pqrstu"), "b": ("model b", "uvwxyz")}
    assert experiments.seconds_a_step(trials, rounds=3, steps=2) == {"a": 1.0, "b": 1.0}
    assert turns == [
        ("model a", ["p", "q"]),
        ("model b", ["u", "v"]),
        ("model a", ["r", "s"]),
        ("model b", ["w", "x"]),
        ("model a", ["t", "u"]),
        ("model b", ["y", "z"]),
    ]


def test_the_fastest_of_three_is_the_time_along(as_a_reader, monkeypatch):
    clock = iter([0.0, 5.0, 5.0, 7.0, 7.0, 11.0])
    monkeypatch.setattr(experiments.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(experiments.decoding, "forced_decoding", lambda *_: None)
    assert experiments.seconds_along(None, None, None, None) == 2.0


def test_who_is_to_blame_is_told_by_which_of_two_is_likelier(as_a_reader, monkeypatch):
    def pair(target):
        return data.Pair(("x",), (target,), frozenset())

    log_P = {"right": -1.0, "written": -2.0, "better": -0.5}
    monkeypatch.setattr(
        solutions.runs,
        "log_probability",
        lambda model, pairs, *words: [log_P[one.target[0]] for one in pairs],
    )
    said = [("right",), ("written",), ("better",), ("better",)]
    monkeypatch.setattr(solutions.runs, "translate", lambda *_: said)
    found = solutions.who_is_to_blame(None, [pair("right")] * 4, ())
    assert found == {"the search": 1, "the model": 2}
    monkeypatch.setattr(solutions.runs, "translate", lambda *_: [("right",)])
    found = solutions.who_is_to_blame(None, [pair("right")], ())
    assert found == {"the search": 0, "the model": 0}


def test_the_next_word_is_the_models_own_step(as_a_reader):
    with seeded(0):
        model = models.Transformer(models.TransformerConfig(9, 11, 8, 2, 6))
    source = torch.tensor([[3, 4, 5, 2], [6, 2, 0, 0]])
    memory = model.encode(source, source != 0)
    state = ours = model.initial_state(memory)
    for token in torch.tensor([[1, 1], [4, 5], [6, 7]]):
        with torch.no_grad():
            logits, state, _ = model.step(token, memory, state)
            wrong, _ = HUNT.broken(model, token, memory, ours)
            mine, ours = solutions.next_word(model, token, memory, ours)
        torch.testing.assert_close(mine, logits)
        assert (wrong - logits).abs().max() > 1e-3


def test_the_bug_costs_long_sentences_and_no_short_one(as_a_reader, trained):
    model, words, unseen = trained
    test = {(3, 6): unseen["test"]["3-6"], (22, 24): unseen["test"]["22-24"]}
    right = {
        name: experiments.right_by_length(each, test, words)
        for name, each in {
            "model": model,
            "bug": experiments.Writing(model, HUNT.broken),
            "repaired": experiments.Writing(model, solutions.next_word),
        }.items()
    }
    assert right["repaired"] == right["model"]
    assert right["bug"]["3-6"] == right["model"]["3-6"]
    assert right["bug"]["22-24"] < right["model"]["22-24"] - 0.04
