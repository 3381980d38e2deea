"""Layer norm, the encoder block and the losses in NumPy, against torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention_book.reference import block, layer_norm, log_softmax, self_attention, smoothed_loss, word_loss

B, N, D, N_words = 2, 3, 4, 5
rng = np.random.default_rng(1)
X, GAMMA, BETA = rng.normal(size=(B, N, D)), rng.normal(size=D), rng.normal(size=D)
LOGITS, TARGET = 3 * rng.normal(size=(B, N, N_words)), rng.integers(N_words, size=(B, N))
REAL = np.array([[True, True, False], [True, False, False]])


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_is_torchs(eps):
    wanted = F.layer_norm(torch.from_numpy(X), (D,), torch.from_numpy(GAMMA), torch.from_numpy(BETA), eps)
    np.testing.assert_allclose(layer_norm(X, GAMMA, BETA, eps), wanted.numpy(), atol=1e-12)


def test_one_and_three_zeros_become_the_square_root_of_three():
    y = layer_norm(np.array([1.0, 0, 0, 0]), np.ones(4), np.zeros(4), eps=0)
    np.testing.assert_allclose(y[0], np.sqrt(3))


def test_a_vector_of_equal_numbers_becomes_beta():
    np.testing.assert_allclose(layer_norm(np.full(D, 7.0), GAMMA, BETA), BETA)


def test_scale_and_shift_of_the_input_do_not_matter():
    np.testing.assert_allclose(layer_norm(3 * X + 5, GAMMA, BETA, 0), layer_norm(X, GAMMA, BETA, 0))


def test_the_block_is_torchs_encoder_layer():
    layer = torch.nn.TransformerEncoderLayer(D, 1, 2 * D, dropout=0, batch_first=True, dtype=torch.double).eval()
    weights = {name: value.detach().numpy() for name, value in layer.named_parameters()}
    W_Q, W_K, W_V = (W.T for W in np.split(weights["self_attn.in_proj_weight"], 3))
    W_O = weights["self_attn.out_proj.weight"].T

    def attend(Z):  # torch starts with biases of 0
        return self_attention(Z, W_Q, W_K, W_V)[0] @ W_O

    def mlp(Z):
        inner = np.maximum(Z @ weights["linear1.weight"].T + weights["linear1.bias"], 0)
        return inner @ weights["linear2.weight"].T + weights["linear2.bias"]

    def norm(name):
        return lambda Z: layer_norm(Z, weights[f"{name}.weight"], weights[f"{name}.bias"])

    assert not weights["self_attn.in_proj_bias"].any()
    assert not weights["self_attn.out_proj.bias"].any()
    with torch.no_grad():
        wanted = layer(torch.from_numpy(X)).numpy()
    np.testing.assert_allclose(block(X, attend, mlp, norm("norm1"), norm("norm2")), wanted, atol=1e-12)


def test_a_layer_that_changes_the_shape_is_named():
    with pytest.raises(ValueError, match=r"mlp gives shape \(2, 3, 8\), expected that of its input, \(2, 3, 4\)"):
        block(X, np.tanh, lambda Z: np.concatenate([Z, Z], axis=-1), np.tanh, np.tanh)


def test_log_softmax_is_torchs_also_for_large_logits():
    for scale in (1, 1000):
        wanted = F.log_softmax(torch.from_numpy(scale * LOGITS), dim=-1)
        np.testing.assert_allclose(log_softmax(scale * LOGITS), wanted.numpy(), atol=1e-9)


def test_the_word_loss_is_torchs_with_padding_ignored():
    ignored = np.where(REAL, TARGET, -100)
    wanted = F.cross_entropy(torch.from_numpy(LOGITS).flatten(0, 1), torch.from_numpy(ignored).flatten())
    np.testing.assert_allclose(word_loss(LOGITS, TARGET, REAL), wanted.item())


def test_what_padding_holds_does_not_matter():
    other = np.where(REAL[..., None], LOGITS, 7.0)
    assert word_loss(other, TARGET, REAL) == word_loss(LOGITS, TARGET, REAL)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_the_smoothed_loss_is_torchs(epsilon):
    wanted = F.cross_entropy(torch.from_numpy(LOGITS[0]), torch.from_numpy(TARGET[0]), label_smoothing=epsilon)
    np.testing.assert_allclose(smoothed_loss(LOGITS[0], TARGET[0], epsilon), wanted.item())


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: layer_norm(X, GAMMA[:3], BETA), "all must share D"),
        (lambda: word_loss(LOGITS, TARGET, np.zeros_like(REAL)), "real is False everywhere"),
        (lambda: smoothed_loss(LOGITS[0], TARGET[0], 1.0), "epsilon is 1.0"),
        (lambda: smoothed_loss(LOGITS[0], TARGET[0], -0.1), "epsilon is -0.1"),
    ],
)
def test_bad_input_is_named(as_a_reader, call, says):
    with pytest.raises(ValueError, match=says):
        call()
