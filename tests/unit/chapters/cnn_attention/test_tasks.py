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
    collate,
    distance,
    key_of,
    key_scenes,
)
from attention_book.chapters.cnn_attention.tasks import (
    WhichKey,
    answers,
    look,
    measured,
    pointing,
    who_looks,
    with_another,
    with_other_key,
)
from attention_book.metrics.pointing import cells_inside
from attention_book.training import fit, seeded

SCENES = key_scenes(60, seed=3)
KEYED = [scene for scene in SCENES if key_of(scene) is not None]


class Says(nn.Module):
    """A model that says what it is told, for each picture and cell."""

    def __init__(self, rule):
        super().__init__()
        self.rule = rule
        self.middle = SimpleNamespace(gate=torch.tensor(0.5))

    def look(self, images):
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


def test_one_answer_is_right_for_its_own_scenes():
    found = measured(Says(lambda scene: ["none"] * 64), SCENES)
    assert found["right"]["none"] == 1
    assert found["right"]["near"] == found["right"]["far"] == 0
    cells = np.array([asked(scene).sum() for scene in SCENES])
    none = np.array([answer(scene) == "none" for scene in SCENES])
    assert found["right"]["all"] == pytest.approx((cells * none).sum() / cells.sum())


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


def test_each_cell_is_counted_once():
    cells = np.sum([*who_looks(KEYED).values()], axis=0)
    assert (cells == 1).all()
    assert who_looks(KEYED)["key"].sum() == 4 * len(KEYED)


def test_a_task_learns_and_looks():
    task = WhichKey()
    with seeded(0):
        model = task.model()
    history = fit(model, task.batches(0, 3), steps=3, seed=0, callbacks=())
    assert np.isfinite(history.loss).all()
    model.eval()
    said, A = look(model, SCENES)
    assert said.shape == (60, 64)
    np.testing.assert_allclose(A.sum(axis=-1), 1, rtol=1e-5)
    found = measured(model, SCENES)
    assert {*found} == {
        "gate",
        "right",
        "by_distance",
        "on_key",
        "exchanged",
        "pointing",
        "pointing_near",
        "flat",
    }
    assert task.keep(model) == {"gate": model.middle.gate.item()}


def test_a_model_in_training_is_measured_as_one_that_is_not_and_learns_nothing():
    task = WhichKey("convolution", gate=1.0)
    with seeded(0):
        model = task.model()
    next(model.parameters()).data *= 3  # so that batch norm has something to do
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    found = measured(model.train(), SCENES)
    assert model.training
    assert found == measured(model.eval(), SCENES)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name]), name


def test_made_flat_the_model_itself_stays_as_it_is():
    task = WhichKey(gate=1.0)
    with seeded(0):
        model = task.model().eval()
    before = look(model, SCENES)[1]
    measured(model, SCENES)
    assert (look(model, SCENES)[1] == before).all()


def test_batches_of_a_seed_are_the_same():
    first, again = (next(WhichKey().batches(4, 1)) for _ in range(2))
    assert torch.equal(first.source, again.source)
    assert torch.equal(first.target_out, again.target_out)
    assert len(first.source) == 64
    assert not torch.equal(first.source[:60], collate(SCENES).source)
