"""What is measured of a model, on models whose answers and looks are known."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.chapters.cnn_attention.scenes import (
    ANSWERS,
    CENTRES,
    KEYS,
    answer,
    asked,
    distance,
    key_of,
    key_scenes,
)
from attention_book.chapters.cnn_attention.tasks import (
    WhichKey,
    answers,
    measured,
    pointing,
    with_another,
    with_other_key,
)
from attention_book.metrics.pointing import cells_inside
from attention_book.training import seeded

SCENES = key_scenes(60, seed=3)
KEYED = [scene for scene in SCENES if key_of(scene) is not None]


class Says(nn.Module):
    """A model that says what it is told, for each picture and cell."""

    def __init__(self, rule):
        super().__init__()
        self.rule = rule
        self.middle = SimpleNamespace(gate=torch.tensor(0.5))

    def with_attention(self, images):
        known = {scene.image.tobytes(): scene for scene in ALL}
        ids = [
            ANSWERS.encode(list(self.rule(known[image[0].numpy().tobytes()])))
            for image in images
        ]
        return nn.functional.one_hot(torch.tensor(ids), len(ANSWERS)).float(), None


ALL = [
    *SCENES,
    *map(with_other_key, KEYED, range(99)),
    *map(with_another, KEYED, range(99)),
]


def right(scene):
    return [answer(scene)] * 64


def near_only(scene):
    """What is right wherever 26 pixels let it be seen."""
    return ["none" if away >= 13 else answer(scene) for away in distance(scene)]


def test_one_that_is_right_is_right_everywhere():
    found = measured(Says(right), SCENES)
    assert found["right"] == {"all": 1, "near": 1, "far": 1, "none": 1}
    assert found["exchanged"] == {"key": 1, "another": 1}
    assert found["gate"] == 0.5
    assert "pointing" not in found


def test_one_that_sees_26_pixels_is_right_near_the_key_and_without_one():
    whole = measured(Says(near_only), SCENES)
    shares = whole["by_distance"]
    assert shares == {"0": 1, "5": 1, "9": 1, "13": 0, "17": 0, "21": 0}
    found = whole["right"]
    assert found["near"] == found["none"] == 1
    assert found["far"] == 0
    assert 0.6 < found["all"] < 0.95


def test_exchanged_keys_change_the_answer_and_other_digits_do_not():
    for seed, scene in enumerate(KEYED):
        other, another = with_other_key(scene, seed), with_another(scene, seed)
        assert {answer(scene), answer(other)} == {*KEYS.values()}
        assert answer(another) == answer(scene)
        assert sorted(another.digits) != sorted(scene.digits)
        for new in (other, another):
            assert (asked(new) == asked(scene)).all()
            assert key_of(new) is not None
            assert not (new.image == scene.image).all()


def test_pointing_is_told_by_who_looks():
    on_key = np.stack(
        [cells_inside(CENTRES, [scene.boxes[key_of(scene)]])[0] for scene in KEYED]
    )
    zeros = (answers(KEYED) == "zero")[:, 0]
    A = np.zeros((len(KEYED), 64, 64))
    A[zeros] = on_key[zeros, None] / 4  # at zeros all cells look, at ones none
    A[~zeros] = ~on_key[~zeros, None] / 60
    found = pointing(A, KEYED)
    assert found["zero"] == 1
    assert found["one"] == 0
    assert found["key"] == pytest.approx(zeros.mean())
    assert found["background"] == pytest.approx(zeros.mean())


def test_a_model_in_training_is_measured_as_one_that_is_not_and_learns_nothing():
    task = WhichKey(gate=1.0)
    with seeded(0):
        model = task.model()
    next(model.parameters()).data *= 3  # so that batch norm has something to do
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    found = measured(model.train(), SCENES)
    assert model.training
    assert found == measured(model.eval(), SCENES)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name]), name
