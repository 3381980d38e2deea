"""Worked solutions that no check covers, and the chapter's bug."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.not_only_translation import solutions
from attention_book.chapters.not_only_translation.bug import BUG_HUNT
from attention_book.data.treebank import readings

ELEPHANT = "i shot an elephant in my pajamas"  # two readings
CAMERA = "she saw the man with the camera"  # two others
SLEPT = "i slept"  # one
FOUR = "he watched a dog in the park in the garden"  # four


@pytest.fixture(scope="module")
def parser():
    run = runs.load("parsing")
    return run, run.model(), run.recipe.task


def shares(monkeypatch, log_P):
    """What the exercise finds if a model gave each reading log_P(its share)."""
    trees = [readings(text.split())[0].tree for text in (SLEPT, ELEPHANT, FOUR, CAMERA)]

    def along(model, pairs, source, target):
        grammar = [each.P for one in pairs[::2] for each in readings(one.source)]
        return [log_P(P) for P in grammar]

    monkeypatch.setattr(runs, "log_probability", along)
    unseen = SimpleNamespace(test=trees)
    task = SimpleNamespace(unseen=unseen, vocabularies={"source": 0, "target": 1})
    return solutions.as_unsure("a model", task)


def test_two_readings_are_compared_by_their_shares(as_a_reader, monkeypatch):
    P = [readings(text.split())[0].P for text in (ELEPHANT, CAMERA)]
    off = np.abs(np.mean(P) - P).mean()
    sure = shares(monkeypatch, lambda share: np.log(share) - 2000)["all"]
    assert sure["sentences"] == 2
    assert sure["model"] == pytest.approx(sure["grammar"]) == pytest.approx(np.mean(P))
    assert sure["apart"] == pytest.approx(0, abs=1e-9)
    assert sure["always the mean"] == pytest.approx(off)
    even = shares(monkeypatch, lambda share: -7.0)
    assert {row["model"] for row in even.values()} == {0.5}
    assert even["all"]["apart"] == pytest.approx(np.mean(P) - 0.5)


def test_what_the_chapter_says_of_the_shares(as_a_reader, parser):
    """The model is nearer than one share for all, and unsure where it should not be."""
    _, model, task = parser
    rows = solutions.as_unsure(model, task)
    everything = rows.pop("all")
    assert sum(row["sentences"] for row in rows.values()) == everything["sentences"]
    assert everything["apart"] < everything["always the mean"]
    assert rows["0.9 to 1"]["apart"] < rows["0.8 to 0.9"]["apart"]
    assert rows["0.8 to 0.9"]["model"] < rows["0.8 to 0.9"]["grammar"] - 0.2


def test_who_falls_silent_where_it_is_hard_looks_good_to_the_bug(as_a_reader):
    easy, hard = (readings(text.split())[0].tree for text in (SLEPT, ELEPHANT))
    written = [easy.bracketed, hard.bracketed[:-1]]  # a bracket stays open
    assert BUG_HUNT.broken(written, [easy, hard]) == 1
    N_easy, N_hard = len(easy.spans), len(hard.spans)
    due = 2 * N_easy / (N_easy + N_easy + N_hard)
    assert solutions.parser_f1(written, [easy, hard]) == pytest.approx(due)
    other_words = readings(["you", "slept"])[0].tree.bracketed
    assert solutions.parser_f1([other_words], [easy]) == 0


def test_the_bug_flatters_the_long_sentences_and_no_short_one(as_a_reader, parser):
    run, model, task = parser
    recorded = dict(zip(run.buckets, run.table("test", "f1")[0], strict=True))
    for name, better in (("6-10", False), ("26-30", True)):
        trees = task.unseen.by_length[tuple(map(int, name.split("-")))]
        written = task.write(model, [tree.words for tree in trees])
        repaired, broken = (
            f1(written, trees) for f1 in (solutions.parser_f1, BUG_HUNT.broken)
        )
        assert repaired == pytest.approx(recorded[name], abs=0.005)
        assert (broken > repaired + 0.05) if better else (broken == repaired)
