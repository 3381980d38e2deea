"""What is asked of a picture, and who can answer."""

from collections import Counter
from dataclasses import replace

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams import questions as module
from attention_book.chapters.two_streams.questions import (
    N_LABELLED,
    NO,
    SIGHTS,
    STARTS,
    YES,
    answering,
    exam,
    fine_tune,
    fine_tuned,
    questions,
    unseen,
    zero_shot,
)
from attention_book.chapters.two_streams.scenes import (
    ANSWERS,
    BETWEEN,
    CLS,
    DIGIT,
    FIRST,
    digits_of,
    is_true,
    put,
    text,
)


@pytest.fixture(scope="module")
def asked():
    return questions(Generator().manual_seed(0), 400)


def test_a_question_reads_as_it_should(asked):
    one, other = (text(asked.ids[n]).split() for n in (0, 1))
    assert one[:2] == ["what", "is"]
    assert other[0] == "a"
    assert one[-1] == other[-1] == "?"
    assert (asked.ids[:, 0] == CLS).all()
    assert asked.what.tolist() == [True, False] * 200
    between = asked.ids[:, BETWEEN]
    assert torch.equal(between, asked.captions[:, BETWEEN])


def test_a_single_question_is_drawn_until_it_has_one_answer():
    rng = Generator().manual_seed(0)
    assert {len(questions(rng, 1)) for _ in range(200)} == {1}


def test_every_question_has_one_answer_and_that_is_given(asked):
    for digit in range(10):
        fits = is_true(asked.scenes, put(asked.captions, FIRST, DIGIT + digit))
        assert torch.equal(fits[asked.what], (asked.answers == digit)[asked.what])
    yes = is_true(asked.scenes, asked.captions)[~asked.what]
    assert torch.equal(asked.answers[~asked.what] == YES, yes)
    assert torch.equal(asked.answers[~asked.what] == NO, ~yes)
    counts = Counter(ANSWERS[n] for n in asked.answers.tolist())
    assert 70 < counts["yes"] < 130
    assert counts["yes"] + counts["no"] == 200
    assert {*counts} == {*ANSWERS}


def test_who_knows_answers_without_a_label(knows, monkeypatch, plain_images, asked):
    seen = replace(asked, scenes=plain_images(asked.scenes))
    monkeypatch.setattr(module, "unseen", lambda part: seen)
    found = zero_shot(knows)
    assert found == {
        "fits": {"what": 1.0, "yes or no": 1.0},
        "hidden": {"what": 1.0},
    }
    monkeypatch.setattr(
        type(knows), "fits", lambda self, words, regions: words[:, 0, 1]
    )
    assert zero_shot(knows)["fits"]["yes or no"] == pytest.approx(0.5, abs=0.15)


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
    fine_tune(model, asked, 0, 0.1)
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


@pytest.mark.parametrize("part", ["test", "development"])
def test_questions_are_about_digits_of_their_part(part):
    known = {each.numpy().tobytes() for each in digits_of(part)[0]}
    shown = unseen(part).scenes.images.flatten(0, 1)
    assert {each.numpy().tobytes() for each in shown} <= known


def test_the_exam_has_every_way_once(tiny, monkeypatch):
    met = []

    def noted(network, N, seed, **how):
        met.append((N, seed, *sorted(how.items())))
        return {"what": 0.0, "yes or no": 0.0}

    monkeypatch.setattr(module, "fine_tuned", noted)
    monkeypatch.setattr(module, "zero_shot", lambda network: {"fits": {}})
    found = exam(tiny(), 3)
    names = {f"{start} {N}" for start in STARTS for N in N_LABELLED}
    names |= {f"{start} 1000 slowly" for start in STARTS}
    assert {*found} == names | {"question 1000", "picture 1000", "fits"}
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
