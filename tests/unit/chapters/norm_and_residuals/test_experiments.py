"""What chapter 10's cells measure before the first step, and with a norm by hand."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.norm_and_residuals import experiments, recipes
from attention_book.chapters.norm_and_residuals.bug import BUG_HUNT
from attention_book.chapters.norm_and_residuals.recipes import deep
from attention_book.chapters.norm_and_residuals.sentences import WORDS, streams
from attention_book.training import seeded, token_cross_entropy

pytestmark = pytest.mark.usefixtures("few_sentences")


@pytest.mark.parametrize("stack", recipes.STACKS)
def test_sizes_and_gradients_are_those_of_a_whole_pass(stack):
    task = deep(stack, 2, "full")
    with seeded(3):
        model = task.model()
    found, stream = experiments.at_start(stack, 2, "full", 3), []
    first, second = model.encoder.blocks
    first.register_forward_pre_hook(lambda _, given: stream.append(given[0]))
    for block in (first, second):
        block.register_forward_hook(lambda *passed: stream.append(passed[-1][0]))
    token_cross_entropy(model, next(task.batches(3, 1))).backward()
    for k, block in enumerate((first, second)):
        squares = sum(p.grad.square().sum() for p in block.parameters())
        assert found.gradients[k] == pytest.approx(squares.sqrt().item(), rel=1e-4)
    for k, Y in enumerate(stream):
        due = Y.square().mean().sqrt().item()
        assert found.sizes[k] == pytest.approx(due, rel=1e-5)
        cosine = F.cosine_similarity(stream[0], Y, dim=-1).mean().item()
        assert found.kept[k] == pytest.approx(cosine, abs=1e-5)
        pairs = F.cosine_similarity(Y[:, None], Y[:, :, None], dim=-1)
        others = ~torch.eye(Y.shape[1], dtype=torch.bool)
        due = pairs[:, others].mean().item()
        assert found.alike[k] == pytest.approx(due, abs=1e-5)


def test_a_second_look_finds_the_same():
    task = deep("pre", 1, "small")
    model, batch = task.model(), next(task.batches(0, 1))
    one, two = (experiments.layer_by_layer(model, batch) for _ in range(2))
    np.testing.assert_array_equal(one.gradients, two.gradients)


def test_frequency_alone_is_the_surprise_of_the_training_words_shares():
    train, test = (stream.tolist() for stream in streams())
    shares = [train.count(k) / len(train) for k in range(len(WORDS))]
    due = np.mean([-np.log(shares[k]) for k in test])
    assert np.isfinite(due)
    assert experiments.frequency_alone() == pytest.approx(due)


def test_a_norm_that_leaks_is_better_on_whole_pieces_and_worse_word_by_word():
    def by_torch(X, gamma, beta):
        return F.layer_norm(X, (64,), gamma, beta)

    right = experiments.surprise_with(by_torch, steps=60)
    assert right["whole pieces"] == pytest.approx(right["word by word"], abs=0.01)
    repaired = experiments.surprise_with(BUG_HUNT.repaired, steps=60)
    assert repaired["whole pieces"] == pytest.approx(right["whole pieces"], abs=0.02)
    leaks = experiments.surprise_with(BUG_HUNT.broken, steps=60)
    assert leaks["whole pieces"] < right["whole pieces"] - 0.02
    assert leaks["word by word"] > right["whole pieces"] + 0.1
