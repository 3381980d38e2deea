"""Weights carried over to torch's own layers, and back.

Torch writes every product as x W^T and keeps W_Q, W_K, W_V in one matrix; it ends with
a further matrix, W_O, which a layer with one head does not need; and its masks mean the
opposite of ours: True hides.
"""

import torch
from torch import nn

from attention_book.layers.attention import SelfAttention
from attention_book.shapes import check_same


@torch.no_grad()
def to_torch(layer: SelfAttention) -> nn.MultiheadAttention:
    """Make torch's layer with the same weights: one head, no biases, W_O the identity.

    Call it as `twin(X, X, X, attn_mask=~visible)`.

    Parameters
    ----------
    layer : SelfAttention
        With D_Q = D_V = D_X: torch's layer has one width.

    Returns
    -------
    nn.MultiheadAttention
        With `batch_first`, of the same type and on the same device.

    Raises
    ------
    ValueError
        If the widths differ.
    TypeError
        If there is more in the layer, such as positions.
    """
    if type(layer) is not SelfAttention:
        raise TypeError(
            f"layer is a {type(layer).__name__}, expected a SelfAttention and no more: "
            "torch's layer has no positions inside"
        )
    (D_X, D_Q), D_V = layer.W_Q.shape, layer.W_V.shape[1]
    check_same("torch's layer has one width", D_X=D_X, D_Q=D_Q, D_V=D_V)
    twin = nn.MultiheadAttention(D_X, 1, bias=False, batch_first=True).to(layer.W_Q)
    twin.in_proj_weight.copy_(torch.cat([layer.W_Q, layer.W_K, layer.W_V], dim=1).T)
    twin.out_proj.weight.copy_(torch.eye(D_X))
    return twin


@torch.no_grad()
def from_torch(twin: nn.MultiheadAttention) -> SelfAttention:
    """Make our layer with the weights of torch's; its W_O goes into our W_V.

    Parameters
    ----------
    twin : nn.MultiheadAttention
        One head, no biases, keys and values as wide as queries.

    Returns
    -------
    SelfAttention
        Of the same type and on the same device.

    Raises
    ------
    ValueError
        If it has more heads, biases, keys and values of another width, an added key of
        zeros, or dropout.
    """
    if twin.num_heads != 1 or twin.in_proj_weight is None:
        raise ValueError(
            f"twin has {twin.num_heads} heads and keys of width {twin.kdim}, expected "
            f"one head and the width of the queries, {twin.embed_dim}"
        )
    if twin.in_proj_bias is not None or twin.bias_k is not None:
        raise ValueError("twin has biases, expected bias=False and add_bias_kv=False")
    if twin.add_zero_attn or twin.dropout:
        raise ValueError(
            f"twin has add_zero_attn={twin.add_zero_attn} and dropout={twin.dropout}, "
            "expected neither"
        )
    D_X = twin.embed_dim
    layer = SelfAttention(D_X, D_X, D_X).to(twin.in_proj_weight)
    W_Q, W_K, W_V = twin.in_proj_weight.T.chunk(3, dim=1)
    layer.W_Q.copy_(W_Q)
    layer.W_K.copy_(W_K)
    layer.W_V.copy_(W_V @ twin.out_proj.weight.T)
    return layer
