"""Weights carried over to torch's own layers.

Torch writes every product as x W^T and keeps W_Q, W_K, W_V in one matrix; and its masks
mean the opposite of ours: True hides. A layer with one head has no W_O here; torch's
has the identity then.
"""

from functools import singledispatch
from typing import Any

import torch
from torch import Tensor, nn

from attention_book.layers.attention import SelfAttention
from attention_book.layers.block import Block, Encoder
from attention_book.layers.decoder import Decoder, DecoderBlock
from attention_book.layers.heads import MultiHeadAttention
from attention_book.layers.norm import LayerNorm
from attention_book.shapes import check_same

PARTS = {"attend": "self_attn", "cross": "multihead_attn"}
PARTS |= {f"norm_{k}": f"norm{k}" for k in (1, 2, 3)}


@singledispatch
def to_torch(layer: Any) -> Any:
    """Make torch's layer with the same weights, `batch_first` and without dropout.

    Call attention as `twin(X, X, X, attn_mask=~visible)`, or with
    `key_padding_mask=~padding_mask(...)`; for the weights of each head, with
    `average_attn_weights=False`. A block takes the two as `src_mask` and
    `src_key_padding_mask`, an encoder as `mask` and `src_key_padding_mask`.
    Cross-attention is called as `twin(S, X, X)`; a decoder or its block as `twin(S, X)`
    with `tgt_mask` and `tgt_key_padding_mask` for S, `memory_mask` and
    `memory_key_padding_mask` for X. For an `nn.Transformer`, set its `encoder` and its
    `decoder` once it is built: it draws the weights of what it is given anew.
    """
    raise TypeError(
        f"layer is a {type(layer).__name__}, expected a SelfAttention, attention with "
        "several heads, a LayerNorm, a block, an Encoder or a Decoder and no more, "
        "such as positions or a window, which torch's layer does not have"
    )


@to_torch.register
def _(layer: SelfAttention) -> nn.MultiheadAttention:
    if type(layer) is not SelfAttention:
        return to_torch.dispatch(object)(layer)
    (D_X, D_Q), D_V = layer.W_Q.shape, layer.W_V.shape[1]
    check_same("torch's layer has one width", D_X=D_X, D_Q=D_Q, D_V=D_V)
    return _attention(layer, 1, torch.eye(D_X))


@to_torch.register
def _(layer: MultiHeadAttention) -> nn.MultiheadAttention:
    return _attention(layer, layer.N_heads, layer.W_O)


def _attention(layer: Any, N_heads: int, W_O: Tensor) -> nn.MultiheadAttention:
    D, W = len(layer.W_Q), layer.W_Q
    bias = getattr(layer, "b_Q", None) is not None
    twin = nn.MultiheadAttention(D, N_heads, bias=bias, batch_first=True).to(W)
    weights = [layer.W_Q.T, layer.W_K.T, layer.W_V.T, W_O.T]
    _copy(weights, [*twin.in_proj_weight.chunk(3), twin.out_proj.weight])
    if bias:
        biases = [layer.b_Q, layer.b_K, layer.b_V, layer.b_O]
        _copy(biases, [*twin.in_proj_bias.chunk(3), twin.out_proj.bias])
    return twin


@to_torch.register
def _(layer: Block | DecoderBlock) -> nn.Module:
    if not getattr(layer, "residual", True) or layer.norm == "none":
        raise ValueError(
            f"layer has residual={layer.residual} and norm={layer.norm!r}, expected "
            "residual=True, and norm='pre' or 'post', as torch's layer has"
        )
    writes, mlp = isinstance(layer, DecoderBlock), layer.mlp
    kind = nn.TransformerDecoderLayer if writes else nn.TransformerEncoderLayer
    sizes = len(mlp.W_1), layer.attend.N_heads, len(mlp.W_2), 0.0, mlp.activate
    twin: Any = kind(*sizes, batch_first=True, norm_first=layer.norm == "pre")
    twin.to(mlp.W_1)
    for name, part in layer.named_children():
        if name in PARTS:
            setattr(twin, PARTS[name], to_torch(part))
    _copy([mlp.W_1.T, mlp.b_1], [twin.linear1.weight, twin.linear1.bias])
    _copy([mlp.W_2.T, mlp.b_2], [twin.linear2.weight, twin.linear2.bias])
    return twin


@to_torch.register
def _(layer: Encoder | Decoder) -> nn.Module:
    blocks = [to_torch(block) for block in layer.blocks]
    twin: Any
    if isinstance(layer, Encoder):
        twin = nn.TransformerEncoder(blocks[0], len(blocks), enable_nested_tensor=False)
    else:
        twin = nn.TransformerDecoder(blocks[0], len(blocks))
    twin.layers = nn.ModuleList(blocks)
    if not isinstance(layer.norm, nn.Identity):
        twin.norm = to_torch(layer.norm)
    return twin


@to_torch.register
def _(layer: LayerNorm) -> nn.LayerNorm:
    twin = nn.LayerNorm(len(layer.gamma), layer.eps).to(layer.gamma)
    _copy([layer.gamma, layer.beta], [twin.weight, twin.bias])
    return twin


@torch.no_grad()
def _copy(ours: list[Tensor], to: list[Tensor]) -> None:
    for our, their in zip(ours, to, strict=True):
        their.copy_(our)
