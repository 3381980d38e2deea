"""Captions as a task, measured on captioners whose words and looks are known."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.chapters.look_and_say.tasks import (
    LONGEST,
    MARGIN,
    N_TEST,
    Captions,
    measure_captions,
)
from attention_book.data import STOP, compose, digit_images, scene_vocabulary, scenes
from attention_book.layers.grid import GridEncoder
from attention_book.models import Captioner, CaptionerConfig
from attention_book.runs import Recipe, load
from attention_book.runs.record import record, train
from attention_book.training import seeded

WORDS = scene_vocabulary()
SCENES = scenes(12, part="test", seed=5)
GRID = GridEncoder(2)


class Seer(nn.Module):
    """Knows its scenes by their pictures; says `says(scene)`, looks at the cells that
    `looks(scene, word)` tells.
    """

    def __init__(self, known, looks, says=lambda scene: scene.caption, N_X=64):
        super().__init__()
        self.known = {scene.image.tobytes(): scene for scene in known}
        self.looks, self.says, self.N_X, self.grid = looks, says, N_X, GRID

    def encode(self, source, source_visible):
        assert source_visible is None
        assert not self.training
        return [self.known[picture.numpy().tobytes()] for picture in source[:, 0]]

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        words = [
            (*WORDS.encode(self.says(scene)), *[STOP] * LONGEST)[state]
            for scene in memory
        ]
        A = torch.zeros(len(memory), self.N_X)
        for a, scene in zip(A, memory, strict=True):
            mentioned = scene.mentions[state] if state < len(scene.mentions) else None
            a[0 if mentioned is None else self.looks(scene, mentioned)] = 1
        return (
            nn.functional.one_hot(torch.tensor(words), len(WORDS)).float(),
            state + 1,
            A / A.sum(1, keepdim=True),
        )


def cell_in(box):
    """The cell whose centre is nearest to that of a box."""
    top, left, height, width = box
    return int(
        np.square(GRID.centres - (top + height / 2, left + width / 2))
        .sum(axis=1)
        .argmin()
    )


def at_it(scene, i):
    return cell_in(scene.boxes[i])


def at_another(scene, i):
    return cell_in(scene.boxes[i - 1])


@pytest.mark.parametrize(
    ("looks", "points"),
    [
        (at_it, {"pointing": 1, "pointing_near": 1, "pointing_elsewhere": 0}),
        (at_another, {"pointing": 0, "pointing_elsewhere": 1}),
    ],
)
def test_who_looks_at_the_digit_has_all_points_and_who_looks_at_another_none(
    looks, points
):
    measured = measure_captions(Seer(SCENES, looks), SCENES)
    expected = {"exact_match": 1, "token_accuracy": 1} | points
    assert {name: measured[name] for name in expected} == expected
    assert 0 < measured["chance"] < measured["chance_near"] < 0.5


def test_a_captioner_that_looks_everywhere_alike_has_the_points_of_chance():
    measured = measure_captions(Seer(SCENES, lambda scene, i: slice(None)), SCENES)
    assert measured["pointing"] == pytest.approx(measured["chance"])
    assert measured["pointing_near"] == pytest.approx(measured["chance_near"])


def test_a_cell_just_outside_the_box_counts_as_near():
    scene = compose([(3, 8, 8), (5, 8, 20)], seed=0)

    def beside(scene, i):
        top, left, height, width = scene.boxes[i]
        y, x = GRID.centres.T - np.array([[top], [left]])
        right_of_it = (y >= 0) & (y < height) & (width <= x) & (x < width + MARGIN)
        return int(np.flatnonzero(right_of_it)[0])

    measured = measure_captions(Seer([scene], beside), [scene])
    assert measured["pointing"] == measured["pointing_elsewhere"] == 0
    assert measured["pointing_near"] == 1


def test_a_model_that_looks_at_one_vector_plays_no_pointing_game():
    control = Seer(SCENES, lambda scene, i: 0, N_X=1)
    assert measure_captions(control, SCENES) == {"exact_match": 1, "token_accuracy": 1}


@pytest.mark.parametrize("attention", [True, False])
def test_a_captioner_is_measured_in_evaluation_mode_and_left_as_it_was(attention):
    with seeded(0):
        model = Captioner(CaptionerConfig(len(WORDS), 5, 6, 8, attention=attention))
    before = deepcopy(model.train().state_dict())
    learning = measure_captions(model, SCENES)
    assert model.training
    torch.testing.assert_close(model.state_dict(), before, rtol=0, atol=0)
    assert measure_captions(model.eval(), SCENES) == learning
    assert ("pointing" in learning) == attention


# The task.

TASK = Captions({"attention": True})


def test_buckets_hold_the_digits_they_say_from_images_that_nobody_learns_from():
    assert list(TASK.test) == ["2 digits", "3 digits"]
    images, _ = digit_images("test")
    for label, some in TASK.test.items():
        assert len(some) == N_TEST
        assert {len(scene.digits) for scene in some} == {int(label[0])}
        for scene in some[:20]:
            for top, left, height, width in scene.boxes:
                seen = scene.image[top : top + height, left : left + width]
                assert np.square(images - seen).mean(axis=(1, 2)).min() < 0.01


@pytest.fixture
def few():
    """The task with a test set of twelve scenes."""
    task = Captions({"D_embedding": 3, "D_grid": 4, "D_hidden": 5, "attention": True})
    vars(task)["test"] = {"2 digits": SCENES[:3], "3 digits": SCENES[3:]}
    return task


def test_a_recording_comes_back_with_what_batch_norm_has_counted(few, tmp_path):
    recipe = Recipe("caption-tiny", few, 6, seeds=(4,), keep_weights=True)
    record(recipe, home=tmp_path, progress=False)
    run, (trained, _) = load("caption-tiny", tmp_path), train(recipe, 4)
    kept = run.model().state_dict()
    for name, values in trained.state_dict().items():
        if values.is_floating_point():
            values = values.half().float()  # the others count batches
        assert torch.equal(kept[name], values), name
    assert few.measure(run.model()) == run.measured[4]
    assert run.vocabularies == (WORDS,)
