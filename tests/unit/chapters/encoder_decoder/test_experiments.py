"""What the chapter's cells measure, its solutions and its bug."""

import pytest
import torch

from attention_book import data, models, runs
from attention_book.chapters.encoder_decoder import experiments, solutions
from attention_book.chapters.encoder_decoder.bug import BUG_HUNT
from attention_book.training import seeded


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_steps_are_the_models_own_and_the_bugs_are_not(as_a_reader, tied, masked):
    with seeded(0):
        sizes = models.TransformerConfig(9, 11, 8, 2, 6, tied=tied)
        model = models.Transformer(sizes)
    source = torch.tensor([[3, 4, 5, 2], [6, 2, 0, 0]])
    memory = model.encode(source, source != 0 if masked else None)
    state = ours = model.initial_state(memory)
    for token in torch.tensor([[1, 1], [4, 5], [6, 7]]):
        with torch.no_grad():
            logits, state, _ = model.step(token, memory, state)
            wrong, _ = BUG_HUNT.broken(model, token, memory, ours)
            mine, ours = solutions.next_word(model, token, memory, ours)
        torch.testing.assert_close(mine, logits)
        assert (wrong - logits).abs().max() > 1e-3


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


def test_who_is_to_blame_is_told_by_which_of_two_is_likelier(as_a_reader, monkeypatch):
    log_P = {"right": -1.0, "written": -2.0, "better": -0.5}
    right = data.Pair(("x",), ("right",), frozenset())

    def along(model, pairs, *words):
        return [log_P[one.target[0]] for one in pairs]

    monkeypatch.setattr(solutions.runs, "log_probability", along)
    for said, due in (
        (("right", "written", "better", "better"), (1, 2)),
        (("right",), (0, 0)),
    ):
        written = [(word,) for word in said]
        monkeypatch.setattr(solutions.runs, "translate", lambda *_, now=written: now)
        found = solutions.count_error_causes(None, [right] * len(said), ())
        assert found == dict(zip(("the search", "the model"), due, strict=True))


def test_the_bug_costs_long_sentences_and_no_short_one(as_a_reader):
    run = runs.load("transformer")
    model, pairs = run.model(), run.recipe.task.unseen["test"]
    test = {(3, 6): pairs["3-6"], (22, 24): pairs["22-24"]}
    right = {
        name: experiments.right_by_length(each, test, run.vocabularies)
        for name, each in {
            "model": model,
            "bug": experiments.Writing(model, BUG_HUNT.broken),
            "repaired": experiments.Writing(model, solutions.next_word),
        }.items()
    }
    assert right["repaired"] == right["model"]
    assert right["bug"]["3-6"] == right["model"]["3-6"]
    assert right["bug"]["22-24"] < right["model"]["22-24"] - 0.04
