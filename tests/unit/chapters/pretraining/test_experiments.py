"""Fine-tuning, and asking without labels."""

from itertools import pairwise

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from torch import nn

from attention_book import runs
from attention_book.chapters.pretraining import experiments
from attention_book.chapters.pretraining.exam import EXAM, drawn, items
from attention_book.chapters.pretraining.experiments import (
    accuracy,
    bits_in_turn,
    classifier,
    fine_tune,
    log_probabilities,
    told_apart,
    topics_told,
)
from attention_book.chapters.pretraining.model import READ_OUTS, Classifier
from attention_book.chapters.pretraining.sentences import (
    MASK,
    UNK,
    WORDS,
    encode,
    text,
)
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
    monkeypatch.setattr(experiments, "STEPS", 20)
    before, made = weights(tiny), classifier(tiny, 5, start)
    began, head = weights(made.bert), made.labels.weight.clone()
    fine_tune(made, items("class", 50), seed=0)
    assert not torch.equal(made.labels.weight, head)
    assert all(same(before, weights(tiny)).values())
    moved = {n for n, equal in same(began, weights(made.bert)).items() if not equal}
    assert bool(moved) == (start != "frozen")


def test_labels_that_words_tell_are_learned_and_a_seed_gives_it_again(tiny):
    labelled = items("class", 20)
    right = []
    for _ in range(2):
        torch.manual_seed(0)
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


def test_each_word_is_hidden_in_turn(reader):
    ids = encode([(A,)])[0][0]

    def answers(hidden):
        assert hidden.shape == (5, 7)
        for k, row in enumerate(hidden, start=1):
            assert row[k] == MASK
            assert (row == ids).sum() == 6
        logits = torch.zeros(5, 7, len(WORDS))
        for k in range(5):
            logits[k, k + 1, ids[k + 1]] = k
        return logits

    found = log_probabilities(reader(answers), A)
    k = torch.arange(5.0)
    expected = k - torch.log(k.exp() + len(WORDS) - 1)
    torch.testing.assert_close(found, expected)


def test_who_knows_neighbours_tells_swaps_and_who_knows_nothing_does_not(reader):
    known = {
        pair
        for some in text().values()
        for words in some
        for pair in pairwise([1, *WORDS.encode(words), 2])
    }
    texts = drawn("order", 30, True)

    def answers(hidden):
        logits = torch.zeros(*hidden.shape, len(WORDS))
        for k, row in enumerate(hidden.tolist()):
            before, after = row[k], row[k + 2]
            fits = [(before, w) in known and (w, after) in known for w in range(238)]
            logits[k, k + 1] = 9.0 * torch.tensor(fits)
        return logits

    found = told_apart(reader(answers), texts)
    assert found["own"] > 0.9
    assert found["any"] > 0.8
    silent = reader(lambda hidden: torch.zeros(*hidden.shape, len(WORDS)))
    assert told_apart(silent, texts) == {"any": 0.5, "own": 0.5}


def test_a_head_that_finds_nothing_adds_nothing_to_its_block():
    run = runs.load("bert")
    network, model = run.network(), run.model()
    bits = -log_probabilities(model, A).numpy() / np.log(2)
    np.testing.assert_allclose(bits_in_turn(network, A), bits, atol=1e-4)
    with torch.no_grad():  # of four heads of 16 numbers, the second
        model.encoder.blocks[1].attend.W_O[16:32] = 0
    bits = -log_probabilities(model, A).numpy() / np.log(2)
    np.testing.assert_allclose(bits_in_turn(network, A, (2, 2)), bits, atol=1e-4)


def test_the_blocks_write_the_topic_of_a_covered_noun_into_its_vector():
    before, *after = topics_told(runs.load("bert").model(), covered=True)
    assert before < 0.3
    assert min(after) > 0.6
    with seeded(0):
        untrained = runs.load("bert").recipe.task.model()
    assert max(topics_told(untrained, covered=True)) < 0.3
    assert min(topics_told(untrained, covered=False)) > 0.5  # nouns come again
