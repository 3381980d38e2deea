"""Chapter 3's experiments measure what they say, on scenes whose answers are known."""

import numpy as np
import pytest
import torch

from attention_book import data, metrics, models, training
from attention_book.chapters.look_and_say import experiments

SCENES = data.scenes(4, N_digits=(3,), part="test", seed=33)


@pytest.fixture(scope="module")
def model():
    size = len(data.scene_vocabulary())
    with training.seeded(0):
        return models.Captioner(models.CaptionerConfig(size)).eval()


def looking(model, scene, digits):
    """Attention that looks at one digit of the scene a word; None is the first cell."""
    near = metrics.cells_inside(model.grid.centres, scene.boxes).argmax(axis=1)
    cells = [0 if digit is None else near[digit] for digit in digits]
    return torch.eye(len(model.grid.centres))[cells]


def test_a_forced_gaze_lies_on_the_digit_that_a_word_names(model):
    gaze = experiments.gaze_on(model, SCENES, place=7)
    torch.testing.assert_close(gaze.sum(dim=1), torch.ones(len(SCENES)))
    for weights, scene in zip(gaze, SCENES, strict=True):
        top, left, height, width = scene.boxes[scene.mentions[7]]
        for y, x in np.asarray(model.grid.centres)[weights > 0]:
            assert top <= y < top + height
            assert left <= x < left + width


def test_a_caption_of_another_form_is_told_from_a_wrong_digit():
    scene = SCENES[0]
    wrong = ["nine" if word in data.DIGIT_NAMES else word for word in scene.caption]
    assert experiments.digits_where_due(scene, scene.caption)
    assert experiments.digits_where_due(scene, wrong)
    assert not experiments.digits_where_due(scene, scene.caption[:-1])
    assert not experiments.digits_where_due(scene, scene.caption[::-1][1:])


def test_looks_name_what_lay_under_the_strongest_cell(model):
    scene = SCENES[0]
    swapped = {i: (i + 1) % 3 for i in range(3)}
    digits = [swapped.get(i) for i in scene.mentions]
    A = looking(model, scene, digits)[None]
    seen = experiments.attended_digits(
        [scene], [scene.caption], A, model.grid.centres, 0.0
    )
    names = [data.DIGIT_NAMES[digit] for digit in scene.digits]
    meant = [i for i in scene.mentions if i is not None]
    assert list(seen) == [(3, names[i], names[i], names[swapped[i]]) for i in meant]


def test_a_look_beside_the_digits_is_at_none_unless_the_one_that_was_meant_is_near(
    model,
):
    """The first cell is the corner, which is empty in this scene."""
    scene, centres = SCENES[0], model.grid.centres
    A = looking(model, scene, [None] * len(scene.mentions))[None]
    for margin in (0.0, 32.0):
        seen = experiments.attended_digits([scene], [scene.caption], A, centres, margin)
        assert all(at == (meant if margin else None) for _, _, meant, at in seen)
    assert not list(experiments.attended_digits([scene], [("a",)], A, centres, 0.0))
