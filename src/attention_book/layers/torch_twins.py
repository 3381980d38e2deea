"""Weights carried over to torch's own layers, and back.

Torch writes every product as x W^T and keeps W_Q, W_K, W_V in one matrix; and its masks
mean the opposite of ours: True hides. A layer with one head has no W_O here; torch's
has the identity then.
"""

import torch
from torch import nn

from attention_book.layers.attention import SelfAttention
from attention_book.layers.heads import MultiHeadSelfAttention
from attention_book.shapes import check_same, check_type


@torch.no_grad()
def to_torch(layer: SelfAttention | MultiHeadSelfAttention) -> nn.MultiheadAttention:
    """Make torch's layer with the same weights, without biases.

    Call it as `twin(X, X, X, attn_mask=~visible)`, or with
    `key_padding_mask=~padding_mask(...)`; for the weights of each head, with
    `average_attn_weights=False`.

    Parameters
    ----------
    layer : SelfAttention or MultiHeadSelfAttention
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
        If there is more in the layer, such as positions or a window.
    """
    if not (type(layer) is SelfAttention or isinstance(layer, MultiHeadSelfAttention)):
        raise TypeError(
            f"layer is a {type(layer).__name__}, expected a SelfAttention or a "
            "MultiHeadSelfAttention and no more, such as positions or a window, which "
            "torch's layer does not have"
        )
    (D_X, D_Q), D_V = layer.W_Q.shape, layer.W_V.shape[1]
    check_same("torch's layer has one width", D_X=D_X, D_Q=D_Q, D_V=D_V)
    N_heads, W_O = 1, torch.eye(D_X)
    if isinstance(layer, MultiHeadSelfAttention):
        N_heads, W_O = layer.N_heads, layer.W_O
    twin = nn.MultiheadAttention(D_X, N_heads, bias=False, batch_first=True)
    twin = twin.to(layer.W_Q)
    twin.in_proj_weight.copy_(torch.cat([layer.W_Q, layer.W_K, layer.W_V], dim=1).T)
    twin.out_proj.weight.copy_(W_O.T)
    return twin


@torch.no_grad()
def from_torch(twin: nn.MultiheadAttention) -> MultiHeadSelfAttention:
    """Make our layer with the weights of torch's.

    Parameters
    ----------
    twin : nn.MultiheadAttention
        With `batch_first`, without biases; keys and values as wide as queries.

    Returns
    -------
    MultiHeadSelfAttention
        Of the same type and on the same device.

    Raises
    ------
    ValueError
        If it wants the batch second, has biases, keys and values of another width, an
        added key of zeros, or dropout.
    TypeError
        If it is another layer.
    """
    check_type("twin", twin, nn.MultiheadAttention)
    if twin.in_proj_weight is None:
        raise ValueError(
            f"twin has keys of width {twin.kdim} and values of width {twin.vdim}, "
            f"expected the width of the queries, {twin.embed_dim}"
        )
    if not twin.batch_first:
        raise ValueError("twin has batch_first=False, expected batch_first=True")
    if twin.in_proj_bias is not None or twin.bias_k is not None:
        raise ValueError("twin has biases, expected bias=False and add_bias_kv=False")
    if twin.add_zero_attn or twin.dropout:
        raise ValueError(
            f"twin has add_zero_attn={twin.add_zero_attn} and dropout={twin.dropout}, "
            "expected neither"
        )
    layer = MultiHeadSelfAttention(twin.embed_dim, twin.num_heads)
    layer = layer.to(twin.in_proj_weight)
    theirs = [*twin.in_proj_weight.chunk(3), twin.out_proj.weight]
    for W, their in zip(layer.parameters(), theirs, strict=True):
        W.copy_(their.T)
    return layer
