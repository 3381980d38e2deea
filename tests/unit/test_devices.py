"""A model that was moved is trained, decoded and intervened in where it is.

There is no GPU here: `elsewhere` is a device that every machine has, and fails where a
GPU would.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
import torch
from elsewhere import DEVICE, Elsewhere, There, move
from torch import nn
from torch.utils._pytree import tree_leaves

from attention_book import data, decoding, models, training
from attention_book.devices import device_of, moved
from attention_book.models.interventions import forced, shuffled, strongest, uniform
from attention_book.runs.evaluation import evaluate
from attention_book.runs.forced import forced_attention

PAIRS = data.sequences("reverse", N_symbols=4, lengths=(2, 3, 5), n=24, seed=1)
WORDS = data.symbol_vocabulary(4)
SCENES = data.scenes(3, seed=0)
SIZES = {"N_source_words": len(WORDS), "N_target_words": len(WORDS)}
SMALL = {**SIZES, "D_embedding": 4, "D_hidden": 6}


def fixed_context():
    return models.FixedContext(models.Seq2SeqConfig(**SMALL))


def translator(score="dot", scored_state="current"):
    config = models.TranslatorConfig(**SMALL, score=score, scored_state=scored_state)
    return models.Translator(config)


def captioner(attention=True):
    config = models.CaptionerConfig(
        len(data.scene_vocabulary()), 4, 6, 6, attention=attention
    )
    return models.Captioner(config)


def transformer():
    sizes = {"D": 8, "N_heads": 2, "D_hidden": 6, "N_decoder_blocks": 2}
    return models.Transformer(models.TransformerConfig(**SIZES, **sizes))


BUILD = {
    "fixed context": fixed_context,
    "dot, current": translator,
    "mlp, previous": lambda: translator("mlp", "previous"),
    "bilinear, previous": lambda: translator("bilinear", "previous"),
    "transformer": transformer,
    "captioner": captioner,
    "captioner without attention": lambda: captioner(attention=False),
}


def batches_of(name):
    if name.startswith("captioner"):
        return data.scene_batches(N_batch=3, seed=0)
    return data.batches(PAIRS, WORDS, WORDS, tokens_per_batch=60, seed=0)


@pytest.fixture(autouse=True)
def no_inference_mode(monkeypatch):
    """Under it PyTorch shows the device no views; where things are is the same."""
    monkeypatch.setattr(
        torch, "inference_mode", lambda mode=True: torch.set_grad_enabled(not mode)
    )


@pytest.fixture
def both(request):
    """The same model twice: here, and elsewhere; and one batch."""
    name = request.param
    with training.seeded(3):
        model = BUILD[name]()
    with training.seeded(3):
        other = move(BUILD[name]())
    return model, other, next(batches_of(name)), name


every_model = pytest.mark.parametrize("both", BUILD, indirect=True)


@every_model
def test_training_there_is_training_here(both):
    here, there, _, name = both
    settings = {"steps": 3, "seed": 0, "callbacks": ()}
    wanted = training.fit(here, islice(batches_of(name), 3), **settings)
    with Elsewhere():
        found = training.fit(there, islice(batches_of(name), 3), **settings)
    assert found.loss.tolist() == pytest.approx(wanted.loss.tolist(), abs=1e-6)
    assert device_of(there) == DEVICE
    for one, other in zip(here.parameters(), there.parameters(), strict=True):
        torch.testing.assert_close(other.here, one.detach())


SEARCHES = {
    "greedy": lambda model, batch: decoding.greedy(
        model, batch.source, batch.source_visible, max_words=6
    ),
    "beam": lambda model, batch: decoding.beam(
        model, batch.source, batch.source_visible, width=3, max_words=6
    ),
}


def assert_readable(decoded):
    """What decoding gives lies on the CPU, where NumPy can read it."""
    for name, value in vars(decoded).items():
        if isinstance(value, torch.Tensor):
            assert value.device.type == "cpu", name
            value.numpy()


@every_model
@pytest.mark.parametrize("search", SEARCHES)
def test_a_model_writes_there_what_it_writes_here(both, search):
    here, there, batch, _ = both
    wanted = SEARCHES[search](here, batch)
    with Elsewhere():
        found = SEARCHES[search](there, batch)
    assert found.ids == wanted.ids
    assert_readable(found)
    if wanted.attention is not None:
        torch.testing.assert_close(found.attention, wanted.attention)
    if search == "beam":
        assert_readable(found.tree)
        torch.testing.assert_close(found.score, wanted.score)


@every_model
def test_words_are_forced_there_as_here(both):
    here, there, batch, _ = both
    given = batch.source, batch.source_visible, batch.target_in
    wanted = decoding.forced_decoding(here, *given)
    with Elsewhere():
        found = decoding.forced_decoding(there, *given)
    assert_readable(found)
    torch.testing.assert_close(found.logits, wanted.logits)
    assert all(isinstance(part, There) for part in tree_leaves(found.states))


@pytest.mark.parametrize(
    "both", ["mlp, previous", "transformer", "captioner"], indirect=True
)
@pytest.mark.parametrize("change", ["uniform", "shuffled", "strongest", "forced"])
def test_interventions_there_are_those_here(both, change):
    here, there, batch, _ = both
    A = decoding.greedy(here, batch.source, batch.source_visible, max_words=4).attention
    changes = {
        "uniform": lambda: uniform,
        "shuffled": lambda: shuffled(0),
        "strongest": lambda: strongest,
        "forced": lambda: forced(A),
    }
    wanted = SEARCHES["greedy"](models.Intervened(here, changes[change]()), batch)
    with Elsewhere():
        found = SEARCHES["greedy"](models.Intervened(there, changes[change]()), batch)
    assert found.ids == wanted.ids
    torch.testing.assert_close(found.attention, wanted.attention)


@pytest.mark.parametrize("both", ["dot, current", "mlp, previous"], indirect=True)
def test_figures_there_are_those_here(both):
    here, there, _, _ = both
    pairs, words = PAIRS[:5], (WORDS, WORDS)
    wanted = evaluate(here, {"few": pairs}, *words)
    attention = [*forced_attention(here, pairs, *words)]
    with Elsewhere():
        found = evaluate(there, {"few": pairs}, *words)
        seen = [*forced_attention(there, pairs, *words)]
    assert found == wanted
    for each, other in zip(seen, attention, strict=True):
        assert all(map(np.allclose, each, other))


def test_elsewhere_is_as_strict_as_a_gpu():
    weight = There(torch.ones(2, 2))
    with Elsewhere():
        assert (weight @ torch.ones(2, device=DEVICE)).device == DEVICE
        assert (weight * torch.tensor(3.0)).cpu().tolist() == [[3.0, 3.0]] * 2
        assert torch.ones(2).to(DEVICE).device == DEVICE
        with pytest.raises(RuntimeError, match="mixes meta with the CPU"):
            weight @ torch.ones(2)
        with pytest.raises(RuntimeError, match="numpy"):
            weight.numpy()


def test_what_is_inside_is_moved_and_the_rest_stays():
    batch = data.collate([([3, 4], [5])])
    with Elsewhere():
        found = moved({"batch": batch, "b": [(batch.source, "word", 3)]}, DEVICE)
    assert isinstance(found["batch"], data.Batch)
    assert found["batch"].target_in.device == DEVICE
    ((source, *rest),) = found["b"]
    assert source.device == DEVICE
    assert rest == ["word", 3]
    assert moved(batch, torch.device("cpu")).source is batch.source


class Words(NamedTuple):
    """A batch as somebody else may write it."""

    ids: torch.Tensor
    count: int


def test_a_named_tuple_is_moved_and_stays_one():
    with Elsewhere():
        found = moved([Words(torch.ones(2), 2)], DEVICE)[0]
    assert isinstance(found, Words)
    assert found.ids.device == DEVICE
    assert found.count == 2


def test_a_model_without_weights_is_on_the_cpu():
    assert device_of(nn.Identity()) == torch.device("cpu")
