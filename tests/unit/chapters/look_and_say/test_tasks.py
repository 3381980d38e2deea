"""Captions as a task, measured on captioners whose words and looks are known."""

from itertools import islice

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.chapters.look_and_say.tasks import (
    LONGEST,
    MARGIN,
    N_TEST,
    Captions,
    caption,
    measure_captions,
)
from attention_book.data import (
    STOP,
    collate_scenes,
    compose,
    digit_images,
    scene_batches,
    scene_vocabulary,
    scenes,
)
from attention_book.layers.grid import GridEncoder
from attention_book.models import Captioner, CaptionerConfig
from attention_book.runs import Recipe, load
from attention_book.runs.record import record, train

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


def everywhere(scene, i):
    return slice(None)


def test_a_captioner_that_says_and_looks_at_what_is_there_has_all_points():
    measured = measure_captions(Seer(SCENES, at_it), SCENES)
    for name in ("exact_match", "token_accuracy", "pointing", "pointing_near"):
        assert measured[name] == 1, name
    assert measured["pointing_elsewhere"] == 0
    assert 0 < measured["chance"] < measured["chance_near"] < 0.5


def test_a_captioner_that_looks_everywhere_alike_has_the_points_of_chance():
    measured = measure_captions(Seer(SCENES, everywhere), SCENES)
    assert measured["pointing"] == pytest.approx(measured["chance"])
    assert measured["pointing_near"] == pytest.approx(measured["chance_near"])


def test_a_captioner_that_looks_at_another_digit_has_its_points_elsewhere():
    measured = measure_captions(Seer(SCENES, at_another), SCENES)
    assert measured["pointing"] == 0
    assert measured["pointing_elsewhere"] == 1


def test_a_cell_just_outside_the_box_counts_as_near():
    scene = compose([(3, 8, 8), (5, 8, 20)], seed=0)

    def beside(scene, i):
        top, left, height, width = scene.boxes[i]
        y, x = GRID.centres.T - np.array([[top], [left]])
        return int(
            np.flatnonzero(
                (y >= 0) & (y < height) & (width <= x) & (x < width + MARGIN)
            )[0]
        )

    measured = measure_captions(Seer([scene], beside), [scene])
    assert measured["pointing"] == measured["pointing_elsewhere"] == 0
    assert measured["pointing_near"] == 1


def test_words_and_looks_are_measured_apart():
    measured = measure_captions(
        Seer(SCENES, at_it, says=lambda scene: ("a", "zero")), SCENES
    )
    assert measured["exact_match"] == 0
    assert 0 < measured["token_accuracy"] < 0.5
    assert measured["pointing"] == 1, (
        "it is shown the right caption while it is watched"
    )


def test_a_word_that_is_wrong_costs_its_sentence():
    def mistaken(scene):
        return scene.caption if scene is not SCENES[0] else ("and", *scene.caption[1:])

    measured = measure_captions(Seer(SCENES, at_it, says=mistaken), SCENES)
    assert measured["exact_match"] == pytest.approx(11 / 12)
    assert measured["token_accuracy"] == pytest.approx(
        1 - 1 / sum(len(scene.caption) for scene in SCENES)
    )


def test_a_model_that_looks_at_one_vector_plays_no_pointing_game():
    control = Seer(SCENES, lambda scene, i: 0, N_X=1)
    assert measure_captions(control, SCENES) == {"exact_match": 1, "token_accuracy": 1}


@pytest.mark.parametrize("attention", [True, False])
def test_a_captioner_is_measured_in_evaluation_mode_and_left_as_it_was(
    attention,
):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Captioner(
            CaptionerConfig(len(WORDS), 5, 6, 8, attention=attention)
        ).train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    learning = measure_captions(model, SCENES)
    assert model.training
    assert all(
        torch.equal(value, before[name]) for name, value in model.state_dict().items()
    )
    assert measure_captions(model.eval(), SCENES) == learning
    assert ("pointing" in learning) == attention


def test_captions_are_given_as_words():
    assert caption(Seer(SCENES, at_it), SCENES[:2]) == [
        scene.caption for scene in SCENES[:2]
    ]


def test_no_scene_is_refused():
    with pytest.raises(ValueError, match="scenes is empty"):
        caption(Seer(SCENES, at_it), [])


# The task.

TASK = Captions({"attention": True})


def test_a_picture_has_no_words():
    assert TASK.vocabularies == {"target": WORDS}
    assert TASK.model().config == CaptionerConfig(len(WORDS), attention=True)


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


def test_the_longest_caption_fits():
    assert (
        max(len(scene.caption) + 1 for some in TASK.test.values() for scene in some)
        == 9
        < LONGEST
    )


def test_batches_are_fresh_scenes_and_the_same_for_the_same_seed():
    first, again, other = (list(islice(TASK.batches(seed, 3), 3)) for seed in (0, 0, 1))
    for step in range(3):
        assert torch.equal(first[step].source, again[step].source)
        assert torch.equal(first[step].target_out, again[step].target_out)
        assert not torch.equal(first[step].source, other[step].source)
    assert not torch.equal(first[0].source, first[1].source)
    assert torch.equal(
        first[0].source, next(scene_batches(seed=0, N_digits=(2, 3))).source
    )


@pytest.fixture
def few(monkeypatch):
    """The task with a test set of twelve scenes."""
    task = Captions({"D_embedding": 3, "D_grid": 4, "D_hidden": 5, "attention": True})
    vars(task)["test"] = {"2 digits": SCENES[:3], "3 digits": SCENES[3:]}
    return task


def test_the_task_measures_every_bucket(few):
    model = Seer(SCENES, at_it)
    assert few.measure(model) == {
        "test": {
            "2 digits": measure_captions(model, SCENES[:3]),
            "3 digits": measure_captions(model, SCENES[3:]),
        }
    }
    assert few.keep(model) == {}


def test_a_recording_comes_back_with_what_batch_norm_has_counted(few, tmp_path):
    recipe = Recipe("caption-tiny", few, 6, seeds=(4,), keep_weights=True)
    record(recipe, home=tmp_path, progress=False)
    run, (trained, _) = load("caption-tiny", tmp_path), train(recipe, 4)
    kept = run.model().state_dict()
    for name, values in trained.state_dict().items():
        if values.is_floating_point():
            values = values.half().float()
        assert torch.equal(kept[name], values), name
    counts = [
        int(values)
        for name, values in kept.items()
        if name.endswith("num_batches_tracked")
    ]
    assert counts == [recipe.steps] * 3
    assert few.measure(run.model()) == run.measured[4]
    assert run.vocabularies == (WORDS,)


def test_a_seer_sees_what_a_batch_of_scenes_holds():
    """Of the stub itself: it finds every scene by its picture."""
    assert Seer(SCENES, at_it).eval().encode(
        collate_scenes(SCENES).source, None
    ) == list(SCENES)
