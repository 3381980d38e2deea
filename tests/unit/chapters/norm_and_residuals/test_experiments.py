"""What chapter 10's cells measure before the first step, and with a norm by hand."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.norm_and_residuals import experiments, recipes
from attention_book.chapters.norm_and_residuals.bug import HUNT
from attention_book.chapters.norm_and_residuals.model import ByFunction
from attention_book.chapters.norm_and_residuals.recipes import deep
from attention_book.chapters.norm_and_residuals.sentences import WORDS, streams
from attention_book.training import seeded, token_cross_entropy

pytestmark = pytest.mark.usefixtures("few_sentences")


@pytest.mark.parametrize("stack", recipes.STACKS)
def test_sizes_and_gradients_are_those_of_a_whole_pass(stack):
    task = deep(stack, 2, "full")
    with seeded(3):
        model = task.model()
    batch = next(task.batches(3, 1))
    found = experiments.at_start(stack, 2, "full", 3)
    tops = []
    for block in model.encoder.blocks:
        block.register_forward_hook(
            lambda _, given, came: tops.append((given[0], came[0]))
        )
    token_cross_entropy(model, batch).backward()
    for k, (block, (_, Y)) in enumerate(zip(model.encoder.blocks, tops, strict=True)):
        squares = sum(p.grad.square().sum() for p in block.parameters())
        assert found.gradients[k] == pytest.approx(squares.sqrt().item(), rel=1e-4)
        due = Y.square().mean().sqrt().item()
        assert found.sizes[k + 1] == pytest.approx(due, rel=1e-5)
        cosine = F.cosine_similarity(tops[0][0], Y, dim=-1).mean().item()
        assert found.kept[k + 1] == pytest.approx(cosine, abs=1e-5)
        pairs = F.cosine_similarity(Y[:, None], Y[:, :, None], dim=-1)
        others = ~torch.eye(Y.shape[1], dtype=torch.bool)
        assert found.alike[k + 1] == pytest.approx(
            pairs[:, others].mean().item(), abs=1e-5
        )
    assert found.sizes[0] == pytest.approx(
        tops[0][0].square().mean().sqrt().item(), rel=1e-5
    )
    assert found.kept[0] == pytest.approx(1)


def test_the_gradient_is_taken_behind_the_last_norm():
    """A factor on the stream of pre-norm blocks changes nothing behind the norm."""
    task = deep("pre", 2, "small")
    with seeded(0):
        model = task.model()
    batch, blocks = next(task.batches(0, 1)), model.encoder.blocks
    was = experiments.layer_by_layer(model, batch)
    reads = [W for block in blocks for W in (block.attend.W_Q, block.mlp.W_1)]
    before = [W.grad.clone() for W in reads]
    for weights in (model.words.weight, model.places.P):
        weights.data *= 8
    for block in blocks:
        block.attend.W_O.data *= 8
        block.mlp.W_2.data *= 8
    now = experiments.layer_by_layer(model, batch)
    np.testing.assert_allclose(now.sizes, 8 * was.sizes, rtol=1e-4)
    np.testing.assert_allclose(now.kept, was.kept, rtol=1e-4)
    for W, due in zip(reads, before, strict=True):
        torch.testing.assert_close(W.grad, due, rtol=1e-3, atol=1e-6)


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
    repaired = experiments.surprise_with(HUNT.repaired, steps=60)
    assert repaired["whole pieces"] == pytest.approx(right["whole pieces"], abs=0.02)
    leaks = experiments.surprise_with(HUNT.broken, steps=60)
    assert leaks["whole pieces"] < right["whole pieces"] - 0.02
    assert leaks["word by word"] > right["whole pieces"] + 0.1


def test_every_norm_is_the_function():
    called = []

    def counted(X, gamma, beta):
        called.append(gamma)
        return X

    experiments.surprise_with(counted, steps=1)
    assert len({id(gamma) for gamma in called}) == 5  # two in each block, one behind


def test_a_layer_by_function_hands_on_gamma_and_beta():
    layer = ByFunction(lambda X, gamma, beta: gamma * X + beta, 3)
    layer.gamma.data *= 2
    layer.beta.data += 1
    assert layer(torch.ones(2, 3)).tolist() == [[3.0] * 3] * 2
