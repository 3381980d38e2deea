"""Recording: all of a run or nothing, and what was measured is what is kept."""

import json
import os
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch

from attention_book.runs import load
from attention_book.runs import record as recording
from attention_book.runs.record import add_weights, record, train
from attention_book.training import Snapshots, StopAfter


def holdings(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_recording_comes_back_whole(home, toy):
    run = load("toy", home)
    assert run.recipe == toy
    assert list(run.curves) == list(run.measured) == [4, 2]
    assert run.table("test", "mean").shape == (2, 2)
    assert run.vocabularies == tuple(toy.task.vocabularies.values())
    assert run.torch == torch.__version__
    assert run.kept_at == (0, 20, 23)


def test_a_task_may_have_a_loss_of_its_own_unless_labels_are_smoothed(toy):
    class OneLoss(type(toy.task)):
        def loss(self, model, batch):
            return 7.0 + 0.0 * model.output.bias.sum()

    own = replace(toy, task=OneLoss())
    assert (train(own, 4, StopAfter(3))[1].loss == 7).all()
    smoothed = [
        train(replace(each, label_smoothing=0.1), 4, StopAfter(3))[1].loss
        for each in (own, toy)
    ]
    assert (smoothed[0] == smoothed[1]).all()


def test_the_curve_is_thinned_by_averaging_and_the_first_losses_are_exact(home, toy):
    curve = load("toy", home).curves[4]
    _, history = train(toy, 4)
    assert len(curve.loss) == 8  # 23 steps by threes, two left over
    np.testing.assert_allclose(curve.loss[1], history.loss[3:6].mean(), atol=1e-5)
    np.testing.assert_allclose(curve.loss[-1], history.loss[21:].mean(), atol=1e-5)
    np.testing.assert_allclose(curve.step[[0, 1, -1]], [1, 4, 21.5])
    np.testing.assert_array_equal(curve.first, history.loss[:5])


def test_a_replay_of_the_first_steps_gives_their_losses(home, toy):
    for seed, curve in load("toy", home).curves.items():
        _, history = train(toy, seed, StopAfter(5))
        np.testing.assert_array_equal(history.loss, curve.first)
    assert (history.loss != load("toy", home).curves[4].first).any()


def test_the_kept_model_is_the_first_seeds_and_gives_what_was_recorded(home, toy):
    run, (trained, _) = load("toy", home), train(toy, 4)
    model = run.model()
    assert not model.training
    for name, weights in model.state_dict().items():
        assert torch.equal(weights, trained.state_dict()[name].half().float()), name
    measured = toy.task.measure(model)
    assert measured["test"] == run.measured[4]["test"]
    assert measured["shape"]["columns"].tolist() == run.measured[4]["shape"]["columns"]
    for kept, now in zip(run.kept("rows"), toy.task.keep(model)["rows"], strict=True):
        np.testing.assert_array_equal(kept["row"], now["row"])


def test_what_is_kept_along_the_way_is_of_the_first_seed_at_its_steps(home, toy):
    run = load("toy", home)
    for step in (0, 20):
        train(toy, 4, models := Snapshots(deepcopy, at=(step,)))
        then = toy.task.keep(models.taken[step])["rows"]
        for kept, row in zip(run.kept("rows", step), then, strict=True):
            np.testing.assert_array_equal(kept["row"], row["row"].astype(np.float16))
            assert kept["word"] == row["word"]
    assert (run.kept("rows", 0)[1]["row"] != run.kept("rows", 20)[1]["row"]).any()


def test_a_figure_is_watched_along_the_way_of_every_seed(home, toy, tmp_path):
    run = load("toy", home)
    assert [*run.watched] == [4, 2]
    for seed, watched in run.watched.items():
        train(toy, seed, each := Snapshots(toy.task.watch, every=10))
        assert watched == each.taken
        assert [*watched] == [10, 20]
    record(replace(toy, watch_every=0), home=tmp_path, progress=False)
    assert load("toy", tmp_path).watched == {4: {}, 2: {}}


@pytest.mark.parametrize(
    ("settings", "files"),
    [
        ({"keep_weights": False}, {"run.json", "kept.safetensors"}),
        ({"keeps": False}, {"run.json", "weights.safetensors"}),
        ({"keep_weights": False, "keeps": False}, {"run.json"}),
    ],
)
def test_what_is_no_longer_kept_is_not_left_behind(home, toy, settings, files):
    settings = {"seeds": (4,)} | settings
    task = replace(toy.task, keeps=settings.pop("keeps", True))
    record(replace(toy, task=task, **settings), home=home, progress=False)
    assert holdings(home / "toy").keys() == files
    assert [path.name for path in home.iterdir()] == ["toy"]


@pytest.fixture
def without(toy, tmp_path):
    """A folder with a recording of the toy that lacks weights."""
    record(replace(toy, keep_weights=False), home=tmp_path / "bare", progress=False)
    return tmp_path / "bare"


def test_weights_are_added_by_the_first_seed_alone_and_the_rest_stays(
    home, toy, without, monkeypatch
):
    before, trained = holdings(without / "toy"), []
    monkeypatch.setattr(
        recording, "train", lambda r, s, *some: trained.append(s) or train(r, s, *some)
    )
    add_weights(toy, home=without, progress=False)
    after, whole = holdings(without / "toy"), holdings(home / "toy")
    assert trained == [4]
    assert after.keys() == whole.keys()
    assert after["weights.safetensors"] == whole["weights.safetensors"]
    assert after["kept.safetensors"] == before["kept.safetensors"]
    then, now = (json.loads(each["run.json"]) for each in (before, after))
    recipe = then["recipe"] | {"keep_weights": True}
    assert now == then | {"recipe": recipe, "sha256": now["sha256"]}
    assert load("toy", without).model().config == toy.task.model().config


@pytest.mark.parametrize("changed", [{"learning_rate": 2e-3}, {"keep_weights": False}])
def test_weights_are_added_by_the_recorded_recipe_alone(toy, without, changed):
    with pytest.raises(ValueError, match=r"toy was recorded as Recipe.*keep_weights"):
        add_weights(replace(toy, **changed), home=without, progress=False)


def test_weights_of_another_training_are_not_added(toy, without, monkeypatch):
    before = holdings(without / "toy")
    monkeypatch.setattr(
        recording,
        "train",
        lambda r, s, *some: train(replace(r, learning_rate=3.1e-3), s, *some),
    )
    with pytest.raises(
        ValueError, match=r"toy, seed 4: a loss is .* from the recorded"
    ):
        add_weights(toy, home=without, progress=False)
    assert holdings(without / "toy") == before


def test_weights_that_measure_otherwise_are_not_added(toy, without, monkeypatch):
    before = holdings(without / "toy")
    measure = type(toy.task).measure
    monkeypatch.setattr(
        type(toy.task), "measure", lambda *each: measure(*each) | {"new": 1.0}
    )
    with pytest.raises(ValueError, match=r"new was recorded as 0.0, but .* 1.0"):
        add_weights(toy, home=without, progress=False)
    assert holdings(without / "toy") == before
    assert [path.name for path in without.iterdir()] == ["toy"], "no rubbish"


def test_a_recipe_that_cannot_be_kept_is_refused_before_it_is_trained(
    toy, tmp_path, monkeypatch
):
    monkeypatch.setattr(recording, "train", lambda *_: 1 / 0)
    with pytest.raises(ValueError, match="does not come back from JSON"):
        record(replace(toy, task=replace(toy.task, sizes={"D": (3,)})), home=tmp_path)


def test_what_cannot_be_kept_is_said_before_the_other_seeds_are_trained(
    home, toy, monkeypatch
):
    before, trained = holdings(home / "toy"), []
    monkeypatch.setattr(type(toy.task), "keep", lambda *_: {"aer": float("nan")})
    monkeypatch.setattr(
        recording, "train", lambda r, s, *some: trained.append(s) or train(r, s, *some)
    )
    with pytest.raises(ValueError, match="/aer is nan, expected a finite number"):
        record(toy, home=home, progress=False)
    assert trained == [4]
    assert holdings(home / "toy") == before


@pytest.mark.parametrize(
    "file", ["kept.safetensors", "weights.safetensors", "run.json"]
)
def test_recording_that_is_interrupted_between_two_files_leaves_the_old_one_whole(
    home, toy, monkeypatch, file
):
    before = holdings(home / "toy")

    def write(path, content, really=recording.write_atomically):
        if path.name == file:
            raise KeyboardInterrupt
        really(path, content)

    monkeypatch.setattr(recording, "write_atomically", write)
    monkeypatch.setattr("attention_book.training.checkpoints.write_atomically", write)
    with pytest.raises(KeyboardInterrupt):
        record(replace(toy, seeds=(0,)), home=home, progress=False)
    assert holdings(home / "toy") == before
    assert [path.name for path in home.iterdir()] == ["toy"], "no rubbish"


def test_a_new_folder_that_cannot_be_put_in_place_brings_the_old_one_back(
    home, toy, monkeypatch
):
    before = holdings(home / "toy")

    def move(source, target, really=os.replace):
        if source.name == "new":
            raise OSError("no")
        really(source, target)

    only = type("os", (), {"replace": staticmethod(move)})
    monkeypatch.setattr("attention_book.runs.folders.os", only)
    with pytest.raises(OSError, match="no"):
        record(replace(toy, seeds=(0,)), home=home, progress=False)
    assert holdings(home / "toy") == before
    assert [path.name for path in home.iterdir()] == ["toy"], "no rubbish"


KILLED = """
import os, sys
from pathlib import Path
from attention_book.runs import folders

def die_at(name, really=os.replace):
    def move(source, target):
        if Path(source).name == name:
            os._exit(9)
        really(source, target)
    return move

os.replace = die_at(sys.argv[2])
with folders.in_place_of(Path(sys.argv[1])) as new:
    (new / "run.json").write_text("new")
    if sys.argv[2] == "within":
        os._exit(9)
"""


@pytest.mark.parametrize(
    "moment", ["within", "toy", "new"], ids=["writing", "before", "between"]
)
def test_a_process_that_is_killed_loses_no_recording(home, moment):
    before = holdings(home / "toy")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(home / "toy"), moment], check=False
    )
    assert killed.returncode == 9
    (beside,) = (path for path in home.iterdir() if path.name != "toy")
    if moment == "new":  # between the two moves both versions are whole, elsewhere
        assert holdings(beside / "old") == before
        assert holdings(beside / "new") == {"run.json": b"new"}
    else:
        assert holdings(home / "toy") == before
        load("toy", home).model()
