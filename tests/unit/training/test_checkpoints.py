"""Kept weights come back as they were, and a file that is not whole says so."""

from copy import deepcopy
from dataclasses import asdict, replace

import pytest
import safetensors.torch
import torch
from torch import nn

from attention_book.data import Vocabulary
from attention_book.models import (
    FixedContext,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
)
from attention_book.training import load, read_config, read_vocabularies, save, seeded
from attention_book.training.checkpoints import write_atomically

CONFIG = Seq2SeqConfig(N_source_words=9, N_target_words=12, D_embedding=3, D_hidden=5)


def build(config=CONFIG, seed=0):
    with seeded(seed):
        return FixedContext(config)


@pytest.fixture
def path(tmp_path):
    save(tmp_path / "weights.safetensors", build(), CONFIG)
    return tmp_path / "weights.safetensors"


def test_weights_come_back_to_sixteen_bits(path):
    loaded = load(path, build(seed=1))
    for name, tensor in build().state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor.half().float()), name
    assert not loaded.training
    assert path.stat().st_size < 2 * sum(p.numel() for p in loaded.parameters()) + 3000


def test_a_model_of_the_book_is_built_as_it_was(path, tmp_path):
    loaded, wanted = load(path), load(path, build(seed=1))
    assert type(loaded) is FixedContext
    for name, tensor in wanted.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor), name
    config = TransformerConfig(9, 12, D=8, N_heads=2, D_hidden=8, dropout=0.3)
    save(tmp_path / "own.safetensors", Transformer(config), config)
    assert load(tmp_path / "own.safetensors").config == config
    save(tmp_path / "linear.safetensors", nn.Linear(2, 2), CONFIG)
    with pytest.raises(ValueError, match=r"class Linear.*give load\(path, model\)"):
        load(tmp_path / "linear.safetensors")


def test_a_compiled_model_is_saved_as_the_model_inside(path, tmp_path):
    compiled = torch.compile(build(), backend="eager")
    save(tmp_path / "compiled.safetensors", compiled, CONFIG)
    assert (tmp_path / "compiled.safetensors").read_bytes() == path.read_bytes()


def test_the_vocabularies_come_back_with_their_unknown_word(tmp_path):
    words = Vocabulary.count([["où", "est", "l'", "été"]]), Vocabulary(["where", "is"])
    save(tmp_path / "both.safetensors", build(), CONFIG, words)
    assert read_vocabularies(tmp_path / "both.safetensors") == [*words]
    assert read_config(tmp_path / "both.safetensors") == asdict(CONFIG)
    load(tmp_path / "both.safetensors", build(seed=1))


def test_what_is_saved_twice_is_the_same_file(tmp_path):
    words = [Vocabulary(["où", "été"])]
    for i in range(12):
        save(tmp_path / f"{i}.safetensors", build(), CONFIG, words)
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


@pytest.mark.parametrize("words", [Vocabulary(["a"]), ["ab"], "ab"])
def test_vocabularies_of_another_type_are_named_and_nothing_is_written(tmp_path, words):
    with pytest.raises(TypeError, match="vocabularies"):
        save(tmp_path / "bad.safetensors", FixedContext(CONFIG), CONFIG, words)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("keep", [0, 5, 200, -10])
def test_a_truncated_file_is_named(path, keep):
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"weights\.safetensors is damaged"):
        load(path, build())


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (FixedContext(replace(CONFIG, D_hidden=6)), "does not fit the model: .* shape"),
        (torch.nn.Linear(2, 3), "is only in the"),
    ],
)
def test_a_model_of_another_kind_is_named_and_left_alone(path, model, says):
    before = deepcopy(model.state_dict())
    with pytest.raises(ValueError, match=says):
        load(path, model)
    assert all(torch.equal(W, before[name]) for name, W in model.state_dict().items())


def test_what_is_not_in_a_file_is_named(tmp_path, path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.safetensors is missing"):
        load(tmp_path / "nothing.safetensors", build())
    with pytest.raises(ValueError, match="no readable vocabularies: save"):
        read_vocabularies(path)
    safetensors.torch.save_file({"w": torch.zeros(2)}, path)
    with pytest.raises(ValueError, match="no readable configuration"):
        read_config(path)


def counting(n):
    """A model with a buffer of whole numbers: how many batches it has seen."""
    model = torch.nn.BatchNorm1d(3)
    model.num_batches_tracked.fill_(n)
    return model


def test_whole_numbers_are_kept_as_they_are(tmp_path):
    save(
        tmp_path / "w.safetensors", counting(100_001), CONFIG
    )  # 16 bits hold neither this nor 2049
    loaded = load(tmp_path / "w.safetensors", counting(0))
    assert loaded.num_batches_tracked.dtype == torch.int64
    assert int(loaded.num_batches_tracked) == 100_001


def test_a_file_that_holds_whole_numbers_in_sixteen_bits_still_loads(tmp_path):
    old = {name: tensor.half() for name, tensor in counting(1200).state_dict().items()}
    safetensors.torch.save_file(old, tmp_path / "old.safetensors")
    loaded = load(tmp_path / "old.safetensors", counting(0))
    assert loaded.num_batches_tracked.dtype == torch.int64
    assert int(loaded.num_batches_tracked) == 1200


@pytest.mark.parametrize("bad", [float("nan"), 1e5])
def test_weights_that_sixteen_bits_cannot_hold_are_not_written(path, bad):
    before, model = path.read_bytes(), build()
    with torch.no_grad():
        model.first_state.weight[0, 0] = bad
    with pytest.raises(ValueError, match=r"first_state\.weight"):
        save(path, model, CONFIG)
    assert path.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file_and_no_rubbish(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    write_atomically(path, b"old")

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["kept.json"]
