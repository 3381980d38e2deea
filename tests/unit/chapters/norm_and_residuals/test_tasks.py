"""The task and its model: what is read, what is said, what is drawn afresh."""

from math import e, log

import pytest
import torch

from attention_book.chapters.norm_and_residuals import recipes
from attention_book.chapters.norm_and_residuals.model import DeepConfig, DeepModel
from attention_book.chapters.norm_and_residuals.sentences import N_MAX, WORDS, streams
from attention_book.chapters.norm_and_residuals.tasks import NextWord
from attention_book.training import seeded

pytestmark = pytest.mark.usefixtures("few_sentences")


@torch.no_grad()
@pytest.mark.parametrize("norm", recipes.NORMS)
def test_no_place_sees_a_later_word(norm):
    with seeded(0):
        model = DeepModel(DeepConfig(len(WORDS), N_MAX, 2, norm))
    words = torch.randint(3, len(WORDS), (1, 8))
    changed = words.clone()
    changed[0, -1] = 3 + (words[0, -1] - 2) % (len(WORDS) - 3)
    was, now = model(None, None, words), model(None, None, changed)
    assert torch.equal(was[:, :-1], now[:, :-1])
    assert not torch.equal(was[:, -1], now[:, -1])


@torch.no_grad()
def test_the_start_scales_the_matrices_of_the_blocks_and_nothing_else():
    models = {}
    for start in (1.0, 2.0):
        with seeded(0):
            models[start] = DeepModel(DeepConfig(len(WORDS), N_MAX, 2, "pre", start))
    for name, weights in models[1.0].state_dict().items():
        factor = 2 if "encoder" in name and ".W_" in name else 1
        assert torch.equal(models[2.0].state_dict()[name], factor * weights), name


@torch.no_grad()
def test_full_weights_keep_a_vectors_size():
    with seeded(0):
        model = NextWord("none", 8, recipes.STARTS["full"]).model()
        X = torch.randn(500, 64)
    for block in model.encoder.blocks:
        size = (X @ block.attend.W_O).square().mean().sqrt()
        assert size == pytest.approx(1, abs=0.05)


def test_the_norm_behind_the_last_block_can_be_left_out():
    with seeded(0):
        whole = NextWord("pre", 2).model()
    with seeded(0):
        open_ended = NextWord("pre", 2, last_norm=False).model()
    read = torch.arange(12).reshape(2, 6)
    stream = whole.places(whole.words(read))
    for block in whole.encoder.blocks:
        stream, _ = block(stream, torch.ones(6, 6).tril().bool())
    torch.testing.assert_close(open_ended(None, None, read), whole.read(stream))
    assert not torch.allclose(whole(None, None, read), whole.read(stream))


def test_measured_is_the_surprise_at_the_words_of_unseen_sentences():
    task = NextWord("pre", 1)
    model, (_, test), (the,) = task.model(), streams(), WORDS.encode(["the"])
    for weights in model.read.parameters():
        weights.data.zero_()
    model.read.bias.data[the] = 1
    read = range(0, len(test) - N_MAX, N_MAX)
    share = (test[1 : 1 + N_MAX * len(read)] == the).double().mean().item()
    due = log(len(WORDS) - 1 + e) - share
    assert task.measure(model)["unseen"] == pytest.approx(due, abs=1e-5)
