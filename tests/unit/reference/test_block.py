"""The blocks against torch's encoder layer, and against their laws."""

import numpy as np
import pytest
import torch
from parity import agree
from torch import nn

from attention_book.reference import block, layer_norm, pre_norm_block

B, N_X, D, N_heads, D_MLP = 2, 5, 6, 3, 8
TOLERANCE = 1e-10


def torch_layer(norm_first):
    """An encoder layer in double precision, with norms that have learned something."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(
        D,
        N_heads,
        D_MLP,
        dropout=0.0,
        batch_first=True,
        norm_first=norm_first,
        dtype=torch.float64,
    )
    with torch.no_grad():
        for norm in (layer.norm1, layer.norm2):
            norm.weight.normal_()
            norm.bias.normal_()
    return (
        layer.train()
    )  # in evaluation mode torch takes another way, which is its own affair


def parts_of(layer):
    """torch's attention and MLP; the norms are ours, with torch's weights."""

    def attend(X):
        X = torch.from_numpy(X)
        return layer.self_attn(X, X, X, need_weights=False)[0].detach().numpy()

    def mlp(X):
        return (
            layer.linear2(torch.relu(layer.linear1(torch.from_numpy(X))))
            .detach()
            .numpy()
        )

    def ours(norm):
        return lambda X: layer_norm(
            X, norm.weight.detach().numpy(), norm.bias.detach().numpy(), norm.eps
        )

    return attend, mlp, ours(layer.norm1), ours(layer.norm2)


@pytest.mark.parametrize(
    ("ours", "norm_first"), [(block, False), (pre_norm_block, True)]
)
@pytest.mark.parametrize("shape", [(N_X, D), (B, N_X, D)])
def test_it_agrees_with_torchs_encoder_layer(ours, norm_first, shape):
    layer = torch_layer(norm_first)
    X = np.random.default_rng(1).normal(size=shape)
    theirs = layer(torch.from_numpy(X)).detach().numpy()
    agree(ours(X, *parts_of(layer)), theirs, TOLERANCE)


@pytest.mark.parametrize(
    ("ours", "norm_first"), [(block, False), (pre_norm_block, True)]
)
def test_inputs_in_another_order_give_outputs_in_that_order(ours, norm_first):
    parts = parts_of(torch_layer(norm_first))
    X = np.random.default_rng(2).normal(size=(N_X, D))
    order = np.array([3, 0, 4, 1, 2])
    agree(ours(X[order], *parts), ours(X, *parts)[order], TOLERANCE)


def test_parts_that_find_nothing_let_X_pass():
    X = np.random.default_rng(3).normal(size=(N_X, D))
    norm_1, norm_2 = (lambda X: 2 * X + 1), (lambda X: 3 * X - 1)
    np.testing.assert_array_equal(
        pre_norm_block(X, np.zeros_like, np.zeros_like, norm_1, norm_2), X
    )
    np.testing.assert_array_equal(
        block(X, np.zeros_like, np.zeros_like, norm_1, norm_2), norm_2(norm_1(X))
    )


@pytest.mark.parametrize("ours", [block, pre_norm_block])
@pytest.mark.parametrize("which", ["attend", "mlp"])
def test_a_part_that_changes_the_shape_is_named(as_a_reader, ours, which):
    parts = {name: np.copy for name in ("attend", "mlp", "norm_1", "norm_2")}
    parts[which] = lambda X: X[:1]  # NumPy would stretch it
    with pytest.raises(
        ValueError, match=r"change has shape \(1, 6\), expected \(5, 6\)"
    ):
        ours(np.ones((N_X, D)), **parts)
