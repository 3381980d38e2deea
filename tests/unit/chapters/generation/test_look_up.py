"""What is learned of codes, and what is measured of those who look them up."""

from itertools import islice

import pytest
import torch

from attention_book.chapters.generation.codes import (
    FIRST_VALUE,
    WORDS,
    commonest,
    showings,
    split,
)
from attention_book.chapters.generation.experiments.look_up import (
    FOUND,
    OTHER,
    TEST,
    WATCHED,
    accuracy,
    by_showings,
    conflict,
    first_above,
    guesses,
    looks,
    most,
    said,
    same_for_another_key,
    sequences,
    without,
)
from attention_book.chapters.generation.tasks import look_up as task
from attention_book.chapters.generation.tasks.look_up import LookUp
from attention_book.models import silenced

TEXT = "fox 7 bird 2 fox 7 king 2 bird 2"


@pytest.fixture(scope="module")
def test_ids():
    return sequences(TEST, 300)


def looked_up(ids):
    """The value that last followed a token; 0 where none did."""
    answers = torch.zeros_like(ids)
    for row, out in zip(ids.tolist(), answers, strict=True):
        known = {}
        for place, token in enumerate(row):
            out[place] = known.get(token, 0)
            if place + 1 < len(row):
                known[token] = row[place + 1]
    return answers


def voted(ids):
    rule, answers = commonest(ids).argmax(dim=2), torch.zeros_like(ids)
    answers[:, ::2] = rule
    return answers


def test_a_seed_gives_its_batches_again_and_no_two_are_alike():
    one, same, other = (
        torch.cat([*islice(LookUp().batches(seed, 2), 2)]) for seed in (0, 0, 1)
    )
    assert torch.equal(one, same)
    assert len(torch.cat([one, other]).unique(dim=0)) == 128


def test_who_looks_up_is_right_and_who_votes_is_right_as_often_as_the_rule(
    says, test_ids
):
    assert accuracy(says(looked_up), test_ids) == 1
    found = by_showings(says(looked_up), test_ids)
    assert [*found] == ["1", "2", "3", "4"]
    assert all(each["accuracy"] == 1 for each in found.values())
    as_voted = by_showings(says(voted), test_ids)
    for name, each in as_voted.items():
        assert each["accuracy"] == pytest.approx(each["rule"], abs=0.06)
        assert each["as the rule"] == 1
        assert each["rule"] == found[name]["rule"]
        assert found[name]["as the rule"] < 0.99


def test_only_values_of_keys_that_were_shown_count(says, encoded):
    ids = encoded("fox 7 bird 2 fox 7 bird 3")
    assert accuracy(says(looked_up), ids) == 0.5
    assert said(says(looked_up), ids).tolist() == [[0, 0, *WORDS.encode(["7", "2"])]]


def test_another_key_changes_the_answer_of_who_looks_up_and_not_of_who_votes(
    says, test_ids, encoded
):
    assert same_for_another_key(says(looked_up), test_ids) == 0
    assert same_for_another_key(says(voted), test_ids) == 1
    ids = torch.cat(list(map(encoded, ("fox 7 bird 2 fox 7", "fox 7 bird 2 king 9"))))
    (king,) = WORDS.encode(["king"])
    assert same_for_another_key(says(lambda ids: (ids == king) * 1), ids) == 1


def first_value(ids):
    """Who looks up the value that first followed a token."""
    answers = torch.zeros_like(ids)
    for row, out in zip(ids.tolist(), answers, strict=True):
        for place, token in enumerate(row):
            out[place] = row[row.index(token) + 1] if token in row[:place] else 0
    return answers


@pytest.mark.parametrize("showing", [(0, 1), (0, 0, 1), (0, 1, 1)])
def test_a_contradiction_is_shown_in_its_order(says, showing):
    assert conflict(says(looked_up), showing) == [0, 1]
    assert conflict(says(first_value), showing) == [1, 0]


@pytest.mark.parametrize("right_before", [False, True])
@pytest.mark.parametrize("showing", [(0, 1), (0, 0, 1)])
def test_a_contradiction_is_among_fifteen_pairs_and_asked_last(
    says, showing, right_before
):
    met = []

    def answers(ids):
        met.append(ids)
        return ids

    conflict(says(answers), showing, right_before=right_before)
    (ids,) = met
    keys, values = split(ids)
    asked = keys[:, :-1] == keys[:, -1:]
    assert (asked.sum(dim=1) == len(showing)).all()
    assert asked[:, -1].all() == right_before
    two = [row[at].tolist() for row, at in zip(values[:, :-1], asked, strict=True)]
    assert all(len({*each}) == 2 for each in two)
    assert all(each[:-1] == [each[0]] * (len(showing) - 1) for each in two)
    assert values.min() >= FIRST_VALUE


def test_looks_are_the_weights_at_the_two_kinds_of_places(tiny, encoded):
    ids = encoded(TEXT)
    assert showings(ids).tolist() == [[0, 0, 1, 0, 1]]
    A, found = tiny.attention(ids)[0], looks(tiny, ids)
    assert [*found] == ["1.1", "1.2", "2.1", "2.2"]
    for name, each in found.items():
        weights = A[int(name[0]) - 1, int(name[2]) - 1]
        before = sum(weights[i, i - 1] for i in range(1, 10, 2)) / 5
        assert each["before"] == pytest.approx(before.item(), rel=1e-5)
        after = (weights[4, 1] + weights[8, 3]) / 2
        assert each["after"] == pytest.approx(after.item(), rel=1e-5)


def test_the_head_that_looks_most_is_of_its_block_and_kind():
    shown = {"1.1": (0.1, 0.9), "1.2": (0.2, 0.1), "2.1": (0.9, 0.3), "2.2": (0.1, 0.2)}
    shown = {h: {"before": x, "after": y} for h, (x, y) in shown.items()}
    assert most(shown, "1", "before") == "1.2"
    assert most(shown, "2", "after") == "2.1"


def test_each_head_is_silenced_and_each_blocks_heads_together(tiny):
    found = without(tiny, sequences(OTHER, 20))
    assert [*found] == ["1.1", "1.2", "2.1", "2.2", "1.1 1.2", "2.1 2.2"]
    assert all({*each} == {"equal", "zero"} for each in found.values())
    quiet = silenced(tiny, ["1.2"], "equal")
    assert found["1.2"]["equal"] == accuracy(quiet, sequences(OTHER, 20))


def test_the_moment_is_the_first_step_above():
    watched = {10: 0.2, 20: 0.35, 30: 0.4, 40: 0.3, 50: 0.95}
    assert first_above(watched, 0.35) == 30
    assert first_above(watched, 0.9) == 50
    assert first_above(watched, 0.99) is None


def test_guesses_are_of_the_word_after_the_last(says):
    found = guesses(says(looked_up), "fox 7 bird 2 fox", 3)
    assert found[0][0] == "7"
    assert len(found) == 3
    assert found[0][1] == pytest.approx(torch.e / (torch.e + len(WORDS) - 1), rel=1e-5)


def test_what_is_watched_is_of_other_sequences_than_what_is_measured(tiny):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        before = torch.random.get_rng_state()
        LookUp().watch(tiny)
        assert torch.equal(torch.random.get_rng_state(), before)
    drawn = [sequences(seed, 100) for seed in (TEST, FOUND, OTHER, WATCHED)]
    assert len(torch.cat(drawn).unique(dim=0)) == 400


def test_heads_are_named_on_some_sequences_and_silenced_on_others(monkeypatch):
    monkeypatch.setattr(task, "sequences", lambda seed, *_, **sizes: (seed, sizes))
    for name in ("accuracy", "by_showings", "looks", "same_for_another_key", "without"):
        monkeypatch.setattr(task, name, lambda model, ids: ids)
    monkeypatch.setattr(task, "conflict", lambda model, showing: showing)
    found = LookUp().measure(None)
    assert found["test"] == found["seen"] == (TEST, {})
    assert [found["looks"], found["without"]] == [(FOUND, {}), (OTHER, {})]
    of_keys = {name: (TEST, {"N_keys": int(name)}) for name in ("2", "16", "32")}
    assert found["keys"] == of_keys
