"""Who can answer what is asked of a picture."""

from dataclasses import replace

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams import exam as module
from attention_book.chapters.two_streams.exam import (
    N_LABELLED,
    SIGHTS,
    STARTS,
    answering,
    exam,
    fine_tune,
    fine_tuned,
    zero_shot,
)
from attention_book.chapters.two_streams.questions import questions


@pytest.fixture(scope="module")
def asked():
    return questions(Generator().manual_seed(0), 400)


def test_who_knows_answers_without_a_label(knows, monkeypatch, plain_images, asked):
    seen = replace(asked, scenes=plain_images(asked.scenes))
    monkeypatch.setattr(module, "unseen", lambda part: seen)
    found = zero_shot(knows)
    assert found == {"what": 1.0, "yes or no": 1.0}
    monkeypatch.setattr(
        type(knows), "fits", lambda self, words, regions: words[:, 0, 1]
    )
    assert zero_shot(knows)["yes or no"] == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("sight", SIGHTS)
def test_an_answer_is_made_of_what_may_be_seen(tiny, asked, sight):
    model = answering(tiny(), sight, "pretrained", 0).eval()
    said = model(asked)
    order = torch.arange(400).roll(7)
    others = {
        "picture": replace(asked, scenes=asked.scenes[order]),
        "question": replace(asked, ids=asked.ids[order]),
    }
    for what, other in others.items():
        same = torch.allclose(model(other), said, atol=1e-6)
        assert same == (sight not in (what, "both"))


def test_fine_tuning_leaves_the_pretrained_network_as_it_is(tiny, asked, monkeypatch):
    monkeypatch.setattr(module, "STEPS", 21)
    network = tiny()
    before = {name: x.clone() for name, x in network.state_dict().items()}
    model = answering(network, "both", "pretrained", 0)
    monkeypatch.setattr(module, "RATE", 0.1)
    fine_tune(model, asked, 0)
    after = network.state_dict()
    assert all(torch.equal(x, after[name]) for name, x in before.items())
    learned = model.network.embedding.weight
    assert not torch.allclose(learned, before["embedding.weight"])


def test_from_scratch_nothing_is_kept_but_the_detector(tiny):
    network = tiny()
    scratch = answering(network, "both", "scratch", 5).network
    kept = answering(network, "both", "pretrained", 5).network
    assert torch.equal(kept.embedding.weight, network.embedding.weight)
    assert not torch.allclose(scratch.embedding.weight, network.embedding.weight)
    assert torch.equal(scratch.detector.classes.weight, network.detector.classes.weight)


def test_the_exam_has_every_way_once(tiny, monkeypatch):
    met = []

    def noted(network, N, seed, **how):
        met.append((N, seed, *sorted(how.items())))
        return {"what": 0.0, "yes or no": 0.0}

    monkeypatch.setattr(module, "fine_tuned", noted)
    monkeypatch.setattr(module, "zero_shot", lambda network: {})
    found = exam(tiny(), 3)
    ways = *STARTS, "question", "picture"
    assert {*found} == {f"{way} {N}" for way in ways for N in N_LABELLED} | {"fits"}
    assert len({*met}) == len(met) == 8
    assert {seed for _, seed, *_ in met} == {3}


def test_a_fine_tuned_network_is_asked_other_questions(tiny, monkeypatch):
    monkeypatch.setattr(module, "STEPS", 20)
    heard = {}

    def noted(model, part):
        heard.update(model=model, part=part)
        return {"what": 0.0, "yes or no": 0.0}

    monkeypatch.setattr(module, "answered", noted)
    network = tiny()
    fine_tuned(network, 40, 0)
    assert heard["part"] == "test"
    learned = heard["model"].network.embedding.weight
    assert not torch.allclose(learned, network.embedding.weight)
