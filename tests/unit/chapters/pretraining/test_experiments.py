"""Fine-tuning, and asking without labels."""

from functools import partial

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
    counted_bits,
    fine_tune,
    network_after,
    right,
    sit,
    told_apart,
    topics_told,
    verbs_told,
)
from attention_book.chapters.pretraining.model import READ_OUTS, Classifier
from attention_book.chapters.pretraining.sentences import (
    CLS,
    MASK,
    SEP,
    UNK,
    WORDS,
    encode,
    hide,
    text,
)
from attention_book.chapters.pretraining.solutions import hidden_word, surprises
from attention_book.chapters.pretraining.tasks import Pretraining
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
    monkeypatch.setattr(experiments, "TUNING_STEPS", 20)
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
    monkeypatch.setattr(experiments, "TUNING_STEPS", 40)
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


def test_who_knows_neighbours_tells_swaps_and_who_knows_nothing_does_not(reader):
    known = torch.zeros(len(WORDS), len(WORDS))
    for words in {words for some in text().values() for words in some}:
        ids = torch.tensor([CLS, *WORDS.encode(words), SEP])
        known[ids[:-1], ids[1:]] = 1

    def answers(hidden):
        """Each word that may stand between these two neighbours."""
        before, after = hidden.roll(1, dims=1), hidden.roll(-1, dims=1)
        return 9 * known[before] * known.T[after]

    texts = drawn("order", 30, True)
    for bits in (partial(bits_in_turn, reader(answers)), counted_bits):
        found = told_apart(bits, texts)
        assert found["own"] > 0.9
        assert found["any"] > 0.8
    silent = reader(lambda hidden: torch.zeros(*hidden.shape, len(WORDS)))
    assert told_apart(partial(bits_in_turn, silent), texts) == {"any": 0.5, "own": 0.5}


def test_counts_give_each_word_between_two_neighbours_a_probability():
    words = WORDS.to_list()
    for before, after in (("the", "."), ("rice", "rice")):  # seen together, and not
        P = {w: 2 ** -counted_bits((before, w, after))[1] for w in words}
        assert sum(P.values()) == pytest.approx(1)
    assert counted_bits(("they", "eat", "rice"))[1] < 4
    assert counted_bits(("they", "rice", "rice"))[1] > 8


def test_each_words_bits_are_the_surprise_at_it():
    model = runs.load("bert").model()
    (ids,), _ = encode([(A,)])
    bits = surprises(model, ids, MASK).numpy() / np.log(2)
    np.testing.assert_allclose(bits_in_turn(model, A), bits, atol=1e-4)


def test_the_right_form_of_a_hidden_verb_is_counted_where_it_is_likelier():
    both, model = drawn("agreement", 12, True), runs.load("bert").model()
    told = []
    for (broken,), (fine,) in both:
        (verb,) = (n for n, word in enumerate(fine) if word != broken[n])
        wrong, right = WORDS.encode([broken[verb], fine[verb]])
        log_P = hidden_word(model, [*fine[:verb], "[MASK]", *fine[verb + 1 :]], verb)
        told.append(bool(log_P[right] > log_P[wrong]))
    assert 0 < np.mean(told) < 1
    assert verbs_told(model, both) == np.mean(told)


def test_blocks_write_the_topic_of_a_hidden_noun_into_its_vector():
    run = runs.load("bert")
    before, *after = topics_told(run.model(), hidden=True, splits=3)
    assert before < 0.3
    assert min(after) > 0.6
    assert min(topics_told(run.model(), hidden=False, splits=3)) > 0.8
    untrained = network_after(run, 0)  # knows nothing of nouns that gave no mean
    assert max(topics_told(untrained, hidden=False, splits=3)) < 0.3


@pytest.mark.parametrize("start", ["bag", "frozen"])
def test_the_exam_comes_out_as_it_was_recorded(start):
    bert = runs.load("bert")
    then = bert.per_seed("examined", "class", "200", start)[0]
    now = sit(bert.model(), "class", 200, start, seed=0, head=1)
    assert now == pytest.approx(then[1], abs=0.03)


def test_another_head_begins_with_other_weights(tiny, monkeypatch):
    monkeypatch.setattr(experiments, "fine_tune", lambda *_, **__: None)
    monkeypatch.setattr(
        experiments, "accuracy", lambda model, _: model.labels.weight.sum().item()
    )
    first, again, other = (sit(tiny, "class", 50, head=head) for head in (0, 0, 1))
    assert first == again
    assert first != other


def test_a_network_has_right_what_its_heads_have_on_average():
    bert = runs.load("bert")
    heads = bert.per_seed("examined", "class", "200", "tuned")
    assert list(heads[0]) == bert.kept("right")[: heads.shape[1]]
    means = [sum(some) / len(some) for some in heads]
    np.testing.assert_allclose(right(bert, "class", "200", "tuned"), means)


def test_a_network_after_its_last_step_is_the_trained_one_and_after_none_a_fresh_one():
    run = runs.load("bert")
    last = network_after(run, run.recipe.steps)
    assert all(same(weights(last), weights(run.model())).values())
    with seeded(0):
        fresh = run.recipe.task.model()
    assert all(same(weights(network_after(run, 0)), weights(fresh)).values())
    with pytest.raises(ValueError, match="keeps nothing at step 700"):
        network_after(run, 700)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: drawn("topic", 9, True), "task is 'topic', expected one of class"),
        (lambda: items("topic", 9), "task is 'topic', expected one of class"),
        (lambda: items("class", 0), "N is 0, expected at least 1"),
        (lambda: sit(None, "topic", 9), "task is 'topic', expected one of class"),
        (lambda: sit(None, "class", 0), "N is 0, expected at least 1"),
        (lambda: sit(None, "class", 9, "thawed"), "start is 'thawed', expected one"),
        (
            lambda: hide(encode([(A,)])[0], torch.Generator(), (0.8, 0.1, 0.2)),
            "shares are .*, expected three that sum to 1",
        ),
        (
            lambda: hide(encode([(A,)])[0], torch.Generator(), (1.5, -0.5, 0.0)),
            "shares are .*, expected three that sum to 1",
        ),
        (lambda: Pretraining(sparse=True), "expected hidden=False with it"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
