"""The exam as it is recorded: what is sat, and what is read back."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.pretraining import tasks
from attention_book.chapters.pretraining.exam import EXAM
from attention_book.chapters.pretraining.experiments import fine_tuning, recorded_exam
from attention_book.chapters.pretraining.experiments.recorded_exam import (
    entry,
    right,
    right_along,
    short_exam,
    whole_exam,
)

CHAPTER = Path(__file__).parents[4] / "chapters" / "14_pretraining.ipynb"


@pytest.fixture
def asked(monkeypatch, as_a_reader):
    """Let each score say what was sat for it, though it should be a number."""
    monkeypatch.setattr(
        recorded_exam, "sit", lambda *way, seed, head: (*way, seed, head)
    )


def test_the_whole_exam_is_every_task_from_every_start_with_few_labels_and_many(
    asked, monkeypatch
):
    bits = {"eat": (1, 3), "eats": (5, 2), "we": (1, 0), "he": (4, 4)}
    both = [((("eat",),), (("we",),)), ((("eats",),), (("he",),))]  # broken and whole
    monkeypatch.setattr(recorded_exam, "drawn", lambda *_, **__: both)
    monkeypatch.setattr(
        recorded_exam, "counted_bits", lambda words: np.array(bits[words[0]])
    )
    monkeypatch.setattr(
        recorded_exam, "bits_in_turn", lambda network, words: np.array([network])
    )
    found = whole_exam(6, seed=7, heads=2)
    starts = ("bag", "scratch", "words", "frozen", "tuned")
    ways = {start: (start, "cls") for start in starts} | {"max": ("tuned", "max")}
    told = {name: found.pop(name) for name in ("hiding", "counting")}
    assert found.keys() == EXAM.keys()
    for task, by_N in found.items():
        heads = (0, 1) if task == "class" else (0,)
        assert by_N == {
            str(N): {
                name: [(6, task, N, *way, 7, k) for k in heads]
                for name, way in ways.items()
            }
            for N in (50, 200)
        }
    for task in ("agreement", "order"):  # 3 and 5 bits at most, against 1 and 4
        assert told["counting"][task] == {"any": 3 / 4, "own": 1}
        assert told["hiding"][task] == {"any": 1 / 2, "own": 1 / 2}


def test_the_short_exam_is_every_task_with_many_labels_by_its_read_out(asked):
    found = short_exam("bert", 7, "last", heads=3)
    assert found == {
        task: {
            start: [("bert", task, 200, start, "last", 7, k) for k in range(heads)]
            for start in ("frozen", "tuned")
        }
        for task, heads in {**dict.fromkeys(EXAM, 1), "class": 3}.items()
    }


def test_along_the_way_six_heads_stand_on_weights_as_they_are_kept(asked):
    network = torch.nn.Linear(1, 1)
    network.weight.data.fill_(1 + 2**-12)  # 1 in half precision
    found = right_along(network)
    (rounded,) = {each[0] for each in found}
    assert [each[1:] for each in found] == [("class", 200, 0, k) for k in range(6)]
    assert rounded.weight.item() == 1
    assert network.weight.item() == 1 + 2**-12


def test_a_recorded_network_enters_with_the_row_that_was_recorded(as_a_reader):
    bert = runs.load("bert")
    then = {
        each.name: bert.per_seed("examined", task, "200", "frozen")[0, 0]
        for task, each in EXAM.items()
    }
    assert entry(bert.model(), 200, "frozen") == pytest.approx(then, abs=0.03)


def test_a_row_is_the_mean_of_all_exams_and_heads(monkeypatch, as_a_reader):
    scores = {0: 0.2, 1: 0.4, 100: 0.6, 101: 0.8}  # by 100 × the exam's seed + head
    monkeypatch.setattr(
        recorded_exam, "sit", lambda *_, seed, head: scores[100 * seed + head]
    )
    row = entry("bert", seeds=(0, 1), heads=2)
    assert row.pop("topic of a noun") == pytest.approx(0.5)
    assert [*row.values()] == pytest.approx([0.4] * 5)


def test_a_network_is_trained_and_entered_as_the_chapter_says(monkeypatch, as_a_reader):
    cells = {cell.id: cell.source for cell in nbformat.read(CHAPTER, 4).cells}
    (code,) = re.findall(r"(?s)```python\n(.*?)```", cells["enter-seen"])
    monkeypatch.setattr(fine_tuning, "TUNING_STEPS", 20)
    monkeypatch.setattr(fine_tuning, "N_TEST", 20)
    monkeypatch.setattr(tasks, "N_BATCH", 8)
    names = {"tasks": tasks, "runs": runs, "recorded_exam": recorded_exam, "STEPS": 100}
    exec(code, names)
    assert [*names["yours"]] == [each.name for each in EXAM.values()]
    assert all(0 <= share <= 1 for share in names["yours"].values())


def test_a_network_has_right_what_its_heads_have_on_average():
    bert = runs.load("bert")
    heads = bert.per_seed("examined", "class", "200", "tuned")
    assert list(heads[0]) == bert.kept("right")[: heads.shape[1]]
    means = [sum(some) / len(some) for some in heads]
    np.testing.assert_allclose(right(bert, "class", "200", "tuned"), means)
