"""Chapter 12's task: what is measured of each head, and what is kept."""

from functools import cache
from itertools import chain
from types import SimpleNamespace

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.encoder_decoder import tasks
from attention_book.data import Pair, Vocabulary, corpus
from attention_book.decoding.beam import Hypothesis
from attention_book.metrics import exact_match
from attention_book.models import Intervened
from attention_book.models.interventions import uniform
from attention_book.runs import load, translate

WORDS = Vocabulary(tuple("abcd"))


@cache  # where the tests call it: with checks of shapes, this would take a minute
def few():
    """A few sentences of each length."""
    return corpus("en", "fr", N_train=150, per_bucket=4)


@pytest.fixture
def pairs(as_a_reader):
    return list(chain(*few().test.values()))


@pytest.fixture(scope="module")
def trained():
    run = load("transformer")
    return run.model(), run.vocabularies


def test_rows_are_the_steps_that_write_the_words(trained, pairs):
    """One row earlier or later the trained model would look at the wrong words."""
    attended = runs.cross_attention(trained[0], pairs, *trained[1])
    means = [A[-1].mean(axis=0) for A in attended]
    assert tasks.figures(means, pairs)["aer"] < 0.2
    early = [np.roll(A, -1, axis=0) for A in means]
    assert tasks.figures(early, pairs)["aer"] > 0.7


def test_sentences_in_a_batch_look_as_they_do_alone(trained, pairs):
    model, words = trained
    together = runs.cross_attention(model, pairs, *words, stop=True)
    for pair, A in zip(pairs[::5], together[::5], strict=True):
        (alone,) = runs.cross_attention(model, [pair], *words, stop=True)
        assert A.shape == (1, 4, len(pair.target) + 1, len(pair.source) + 1)
        np.testing.assert_allclose(A, alone, atol=1e-5)
        np.testing.assert_allclose(A.sum(axis=-1), 1, atol=1e-5)
    (cut,) = runs.cross_attention(model, pairs[:1], *words)
    np.testing.assert_allclose(cut, together[0][:, :, :-1], atol=1e-5)


def test_heads_are_blinded_one_by_one_and_all(trained, pairs):
    model, words = trained
    worth = tasks.right_when_blinded(model, pairs, words)
    sources, targets = zip(*((p.source, p.target) for p in pairs), strict=True)
    for key, change in (
        ("blind", uniform),
        ("without_block", tasks.at_heads(range(4), 4, uniform)),
    ):
        said = translate(Intervened(model, change), sources, *words)
        assert np.all(np.equal(worth[key], exact_match(said, targets))), key
    ((first, *_),) = worth["without"]
    turn = iter(range(10**6))

    def blind_the_first(a_t, visible, t):
        return uniform(a_t, visible, t) if next(turn) % 4 == 0 else a_t

    said = translate(Intervened(model, blind_the_first), sources, *words)
    assert first == exact_match(said, targets)
    assert worth["blind"] < min(worth["without"][0])


def test_the_beams_differ_in_what_decides_between_sentences(as_a_reader, monkeypatch):
    """Best per word first, as beam search gives them; one that was cut off is none."""
    found = [
        Hypothesis(WORDS.encode([word]), finished, log_p, 0.0, None)
        for word, finished, log_p in (
            ("b", True, -4.0),
            ("c", True, -3.0),
            ("d", False, -1.0),
        )
    ]
    decoded = SimpleNamespace(hypotheses=[found])
    monkeypatch.setattr(tasks, "beam", lambda *_, **__: decoded)
    for right, due in {"b": (0, 1), "c": (1, 0)}.items():
        measured = tasks.beams(None, [Pair(("a",), (right,))], (WORDS, WORDS))
        exact = [measured[name]["exact_match"] for name in ("sum", "per word")]
        assert exact == [*due]


def test_surprise_is_that_of_all_words_together(as_a_reader, trained):
    model, words = trained
    test = {"a": few().test[3, 6], "b": few().test[22, 24]}
    both = tasks.surprise(model, test, words)
    apart = [tasks.surprise(model, {k: v}, words) for k, v in test.items()]
    sizes = [sum(len(p.target) + 1 for p in v) for v in test.values()]
    assert both == pytest.approx(np.average(apart, weights=sizes))


def test_every_figure_is_of_its_own_heads(as_a_reader, monkeypatch):
    """Two blocks of two heads; what comes out is which heads were blinded."""
    monkeypatch.setattr(tasks, "at_heads", lambda chosen, N, change: sorted(chosen))
    monkeypatch.setattr(tasks, "Intervened", lambda model, change: change)
    monkeypatch.setattr(tasks, "translate", lambda model, *_: model)
    monkeypatch.setattr(tasks, "exact_match", lambda said, _: said)
    config = SimpleNamespace(N_decoder_blocks=2, N_heads=2)
    assert tasks.right_when_blinded(SimpleNamespace(config=config), [], ((), ())) == {
        "without": [[[0], [1]], [[2], [3]]],
        "only": [[[1, 2, 3], [0, 2, 3]], [[0, 1, 3], [0, 1, 2]]],
        "without_block": [[0, 1], [2, 3]],
        "blind": [0, 1, 2, 3],
    }


def test_each_head_is_held_against_gold_by_itself(as_a_reader, monkeypatch):
    def figures(attended, _):
        return {"aer": attended[0].item(), "mass": -attended[0].item()}

    monkeypatch.setattr(tasks, "figures", figures)
    A = np.array([[1.0, 3.0], [5.0, 9.0]])[..., None, None]
    assert tasks.heads([A], []) == {
        "aer": [[1, 3], [5, 9]],
        "mass": [[-1, -3], [-5, -9]],
        "blocks_aer": [2, 7],
    }
