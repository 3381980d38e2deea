"""Fine-tuning: what a classifier keeps, what learns, and where it reads."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from torch import nn

from attention_book.chapters.pretraining.exam import EXAM, items
from attention_book.chapters.pretraining.experiments import fine_tuning
from attention_book.chapters.pretraining.experiments.fine_tuning import (
    accuracy,
    classifier,
    fine_tune,
    sit,
)
from attention_book.chapters.pretraining.model import READ_OUTS, Classifier
from attention_book.chapters.pretraining.sentences import UNK, WORDS, encode
from attention_book.data import PAD
from attention_book.training import seeded

A, B = ("he", "saw", "the", "car", "."), ("we", "eat", "bread", ".")


class Knows(nn.Module):
    """Answers with given labels."""

    def __init__(self, labels, N_answers):
        super().__init__()
        self.labels, self.N_answers = labels, N_answers

    def forward(self, ids, segments):
        return F.one_hot(self.labels, self.N_answers).double()


@pytest.mark.parametrize("task", EXAM)
def test_who_knows_the_answers_has_all_right_and_one_answer_is_chance(task):
    test, N = items(task, 500, test=True), len(EXAM[task].answers)
    assert accuracy(Knows(test.labels, N), test) == 1
    constant = Knows(torch.full_like(test.labels, N - 1), N)
    assert accuracy(constant, test) == pytest.approx(1 / N, abs=0.01)


def weights(model):
    return {name: weight.clone() for name, weight in model.state_dict().items()}


def same(one, other):
    return {name: torch.equal(one[name], other[name]) for name in one}


@pytest.mark.parametrize(
    ("start", "kept"),
    [
        ("tuned", {"all"}),
        ("frozen", {"all"}),
        ("words", {"embedding"}),
        ("scratch", ()),
    ],
)
def test_a_classifier_keeps_what_its_start_says(tiny, start, kept):
    for weight in tiny.parameters():
        weight.data += 0.1  # biases, too, are other than at the start
    made = classifier(tiny, 5, start)
    for name, equal in same(weights(tiny), weights(made.bert)).items():
        assert equal == ("all" in kept or name.split(".")[0] in kept), name


@pytest.mark.parametrize("start", ["tuned", "frozen", "words"])
def test_only_what_is_not_frozen_learns_and_what_was_pretrained_stays(
    tiny, start, monkeypatch
):
    monkeypatch.setattr(fine_tuning, "TUNING_STEPS", 20)
    before, made = weights(tiny), classifier(tiny, 5, start)
    began, head = weights(made.bert), made.labels.weight.clone()
    fine_tune(made, items("class", 50), seed=0)
    assert not torch.equal(made.labels.weight, head)
    assert all(same(before, weights(tiny)).values())
    moved = {n for n, equal in same(began, weights(made.bert)).items() if not equal}
    assert bool(moved) == (start != "frozen")


def test_labels_that_words_tell_are_learned_and_a_seed_gives_it_again(
    tiny, monkeypatch
):
    monkeypatch.setattr(fine_tuning, "TUNING_STEPS", 40)
    labelled = items("class", 20)
    right = []
    for _ in range(2):
        with seeded(0):
            made = classifier(tiny, 5, "tuned", "max")
        history = fine_tune(made, labelled, seed=0, rate=1e-1)
        right.append((accuracy(made, labelled), history.loss.tolist()))
    assert right[0] == right[1]
    assert right[0][0] == 1


def test_each_read_out_reads_from_its_place(tiny):
    ids, segments = encode([(A,), (B, A)])
    X = tiny(ids, segments, ids != PAD)
    models = {read_out: Classifier(tiny, 3, read_out) for read_out in READ_OUTS}
    found = {name: model(ids, segments) for name, model in models.items()}
    head = {name: model.labels for name, model in models.items()}
    torch.testing.assert_close(found["cls"], head["cls"](tiny.pooled(X)))
    ends = X[[0, 1], [6, 11]]
    torch.testing.assert_close(found["last"], head["last"](ends))
    words = X[0, 1:6], torch.cat([X[1, 1:5], X[1, 6:11]])
    highest = [head["max"](each).max(dim=0).values for each in words]
    torch.testing.assert_close(found["max"], torch.stack(highest))


def counts(texts):
    ids, _ = encode(texts)
    return F.one_hot(ids, len(WORDS)).sum(dim=1)[:, UNK + 1 :].numpy()


@pytest.mark.parametrize("task", ["class", "who", "tense"])
def test_a_bag_of_words_learns_what_logistic_regression_learns(tiny, task):
    labelled, test = items(task, 200), items(task, 500, test=True)
    ours = classifier(tiny, len(EXAM[task].answers), "bag")
    fine_tune(ours, labelled, seed=0, rate=1e-2)
    theirs = LogisticRegression().fit(counts(labelled.texts), labelled.labels)
    for each in (labelled, test):
        with torch.no_grad():
            answers = ours(*encode(each.texts)).argmax(dim=-1).numpy()
        right = (theirs.predict(counts(each.texts)) == each.labels.numpy()).mean()
        assert np.mean(answers == each.labels.numpy()) == pytest.approx(right, abs=0.08)


def test_another_head_begins_with_other_weights(tiny, monkeypatch):
    monkeypatch.setattr(fine_tuning, "fine_tune", lambda *_, **__: None)
    monkeypatch.setattr(
        fine_tuning, "accuracy", lambda model, _: model.labels.weight.sum().item()
    )
    first, again, other = (sit(tiny, "class", 50, head=head) for head in (0, 0, 1))
    assert first == again
    assert first != other
