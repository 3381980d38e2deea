"""Weights carried over to torch's own layers, and back.

Torch writes every product as x W^T and keeps W_Q, W_K, W_V in one matrix; and its masks
mean the opposite of ours: True hides. A layer with one head has no W_O here; torch's
has the identity then. Its attention may have biases, ours has none.
"""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_book.layers.attention import SelfAttention
from attention_book.layers.block import MLP, Block, Encoder
from attention_book.layers.decoder import Decoder, DecoderBlock
from attention_book.layers.heads import (
    MultiHeadAttention,
    MultiHeadCrossAttention,
    MultiHeadSelfAttention,
)
from attention_book.layers.norm import LayerNorm
from attention_book.shapes import check_filled, check_same, check_type

BlockTwin = nn.TransformerEncoderLayer | nn.TransformerDecoderLayer
Heads = TypeVar("Heads", bound=MultiHeadAttention)
Stack = TypeVar("Stack", Encoder, Decoder)


@singledispatch
def to_torch(layer: Any) -> Any:
    """Make torch's layer with the same weights.

    Call attention as `twin(X, X, X, attn_mask=~visible)`, or with
    `key_padding_mask=~padding_mask(...)`; for the weights of each head, with
    `average_attn_weights=False`. A block takes the two as `src_mask` and
    `src_key_padding_mask`, an encoder as `mask` and `src_key_padding_mask`.
    Cross-attention is called as `twin(S, X, X)`; a decoder or its block as `twin(S, X)`
    with `tgt_mask` and `tgt_key_padding_mask` for S, `memory_mask` and
    `memory_key_padding_mask` for X. For an `nn.Transformer`, set its `encoder` and its
    `decoder` once it is built: it draws the weights of what it is given anew.

    Parameters
    ----------
    layer : nn.Module
        A SelfAttention, MultiHeadSelfAttention, MultiHeadCrossAttention, LayerNorm,
        Block, Encoder, DecoderBlock or Decoder.
        Attention with D_Q = D_V = D_X: torch's layer has one width. Blocks with
        residuals and norms.

    Returns
    -------
    nn.Module
        An `nn.MultiheadAttention`, `nn.LayerNorm`, `nn.TransformerEncoderLayer`,
        `nn.TransformerEncoder`, `nn.TransformerDecoderLayer` or
        `nn.TransformerDecoder`, with `batch_first`, without dropout and without biases
        in its attention, of the same type and on the same device.

    Raises
    ------
    ValueError
        If the widths differ, or a block has no residual or no norm.
    TypeError
        If there is more in the layer, such as positions or a window, or a part of it
        is another layer.
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
    twin = nn.MultiheadAttention(D_X, 1, bias=False, batch_first=True).to(layer.W_Q)
    identity = torch.eye(D_X)
    _copy([layer.W_Q.T, layer.W_K.T, layer.W_V.T, identity], to=_of_attention(twin))
    return twin


@to_torch.register
def _(layer: MultiHeadAttention) -> nn.MultiheadAttention:
    D = len(layer.W_Q)
    twin = nn.MultiheadAttention(D, layer.N_heads, bias=False, batch_first=True)
    twin = twin.to(layer.W_Q)
    _copy(_of_heads(layer), to=_of_attention(twin))
    return twin


@to_torch.register
def _(layer: Block) -> nn.TransformerEncoderLayer:
    if not layer.residual or layer.norm == "none":
        raise ValueError(
            f"layer has residual={layer.residual} and norm={layer.norm!r}, expected "
            "residual=True, and norm='pre' or 'post', as torch's layer has"
        )
    _check_parts(layer)
    (D, D_hidden), N_heads = layer.mlp.W_1.shape, layer.attend.N_heads
    twin = nn.TransformerEncoderLayer(
        D, N_heads, D_hidden, 0.0, batch_first=True, norm_first=layer.norm == "pre"
    )
    twin = twin.to(layer.mlp.W_1)
    twin.self_attn = to_torch(layer.attend)
    twin.norm1, twin.norm2 = to_torch(layer.norm_1), to_torch(layer.norm_2)
    _copy(_of_mlp(layer), to=_of_linears(twin))
    return twin


@to_torch.register
def _(layer: DecoderBlock) -> nn.TransformerDecoderLayer:
    _check_parts(layer)
    (D, D_hidden), N_heads = layer.mlp.W_1.shape, layer.attend.N_heads
    twin = nn.TransformerDecoderLayer(
        D, N_heads, D_hidden, 0.0, batch_first=True, norm_first=layer.norm == "pre"
    )
    twin = twin.to(layer.mlp.W_1)
    twin.self_attn, twin.multihead_attn = to_torch(layer.attend), to_torch(layer.cross)
    norms = layer.norm_1, layer.norm_2, layer.norm_3
    twin.norm1, twin.norm2, twin.norm3 = map(to_torch, norms)
    _copy(_of_mlp(layer), to=_of_linears(twin))
    return twin


@to_torch.register
def _(layer: Encoder) -> nn.TransformerEncoder:
    blocks = [to_torch(block) for block in layer.blocks]
    twin = nn.TransformerEncoder(blocks[0], len(blocks), enable_nested_tensor=False)
    _fill(twin, layer, blocks)
    return twin


@to_torch.register
def _(layer: Decoder) -> nn.TransformerDecoder:
    blocks = [to_torch(block) for block in layer.blocks]
    twin = nn.TransformerDecoder(blocks[0], len(blocks))
    _fill(twin, layer, blocks)
    return twin


@to_torch.register
def _(layer: LayerNorm) -> nn.LayerNorm:
    twin = nn.LayerNorm(len(layer.gamma), layer.eps).to(layer.gamma)
    _copy([layer.gamma, layer.beta], to=[twin.weight, twin.bias])
    return twin


@singledispatch
def from_torch(twin: Any) -> Any:
    """Make our layer with the weights of torch's.

    Parameters
    ----------
    twin : nn.Module
        An `nn.MultiheadAttention`, `nn.LayerNorm`, `nn.TransformerEncoderLayer`,
        `nn.TransformerEncoder`, `nn.TransformerDecoderLayer` or
        `nn.TransformerDecoder`, with `batch_first`, without dropout, with ReLU; keys
        and values as wide as queries; attention without biases, or with biases of 0;
        norms over one axis. A stack has a norm at its end if and only if its layers
        have `norm_first`.

    Returns
    -------
    nn.Module
        A MultiHeadSelfAttention, LayerNorm, Block, Encoder, DecoderBlock or Decoder,
        of the same type and on the same device.

    Raises
    ------
    ValueError
        If it is otherwise, or its attention has an added key.
    TypeError
        If it is another layer.
    """
    raise TypeError(
        f"twin is a {type(twin).__name__}, expected an nn.MultiheadAttention, an "
        "nn.LayerNorm, an encoder or a decoder of torch's, or a layer of one"
    )


@from_torch.register
def _(twin: nn.MultiheadAttention) -> MultiHeadSelfAttention:
    return _heads(MultiHeadSelfAttention, twin)


def _heads(kind: type[Heads], twin: nn.MultiheadAttention) -> Heads:
    if twin.in_proj_weight is None:
        raise ValueError(
            f"twin has keys of width {twin.kdim} and values of width {twin.vdim}, "
            f"expected the width of the queries, {twin.embed_dim}"
        )
    if not twin.batch_first:
        raise ValueError("twin has batch_first=False, expected batch_first=True")
    biases = twin.in_proj_bias, twin.out_proj.bias
    if any(b is not None and bool(b.any()) for b in biases):
        raise ValueError("twin has biases in its attention, expected none, or 0")
    add_bias_kv = twin.bias_k is not None or twin.bias_v is not None
    if add_bias_kv or twin.add_zero_attn or twin.dropout:
        raise ValueError(
            f"twin has {add_bias_kv=}, add_zero_attn={twin.add_zero_attn} and "
            f"dropout={twin.dropout}, expected none of them"
        )
    layer = kind(twin.embed_dim, twin.num_heads)
    layer = layer.to(twin.in_proj_weight)
    _copy(_of_attention(twin), to=_of_heads(layer))
    return layer


@from_torch.register
def _(twin: nn.TransformerEncoderLayer) -> Block:
    _check_block(twin)
    attend, (D_hidden, D) = from_torch(twin.self_attn), twin.linear1.weight.shape
    norm = "pre" if twin.norm_first else "post"
    layer = Block(D, attend.N_heads, D_hidden, norm).to(twin.linear1.weight)
    layer.attend = attend
    layer.norm_1, layer.norm_2 = from_torch(twin.norm1), from_torch(twin.norm2)
    _copy(_of_linears(twin), to=_of_mlp(layer))
    return layer


@from_torch.register
def _(twin: nn.TransformerDecoderLayer) -> DecoderBlock:
    _check_block(twin)
    attend, (D_hidden, D) = from_torch(twin.self_attn), twin.linear1.weight.shape
    norm = "pre" if twin.norm_first else "post"
    layer = DecoderBlock(D, attend.N_heads, D_hidden, norm).to(twin.linear1.weight)
    layer.attend = attend
    layer.cross = _heads(MultiHeadCrossAttention, twin.multihead_attn)
    norms = twin.norm1, twin.norm2, twin.norm3
    layer.norm_1, layer.norm_2, layer.norm_3 = map(from_torch, norms)
    _copy(_of_linears(twin), to=_of_mlp(layer))
    return layer


def _check_block(twin: BlockTwin) -> None:
    if twin.activation is not F.relu:
        raise ValueError(f"twin has activation={twin.activation}, expected F.relu")
    dropout = max(part.p for part in twin.children() if isinstance(part, nn.Dropout))
    if dropout:
        raise ValueError(f"twin has dropout={dropout}, expected 0")


@from_torch.register
def _(twin: nn.TransformerEncoder) -> Encoder:
    return _stack(Encoder, twin)


@from_torch.register
def _(twin: nn.TransformerDecoder) -> Decoder:
    return _stack(Decoder, twin)


def _stack(kind: type[Stack], twin: Any) -> Stack:
    check_filled("twin.layers", twin.layers, "layer")
    blocks = [from_torch(layer) for layer in twin.layers]
    if len({block.norm for block in blocks}) > 1:
        raise ValueError(
            "twin has layers with norm_first=True and with norm_first=False, expected "
            "one kind"
        )
    pre = blocks[0].norm == "pre"
    if pre != (twin.norm is not None):
        raise ValueError(
            f"twin has norm={twin.norm} behind layers with norm_first={pre}, expected "
            "a norm behind layers with norm_first=True, and none behind others"
        )
    D, D_hidden = blocks[0].mlp.W_1.shape
    sizes = len(blocks), D, blocks[0].attend.N_heads, D_hidden
    layer = kind(*sizes, blocks[0].norm)
    layer.blocks = nn.ModuleList(blocks)
    if twin.norm is not None:
        layer.norm = from_torch(twin.norm)
    return layer


@from_torch.register
def _(twin: nn.LayerNorm) -> LayerNorm:
    if len(twin.normalized_shape) != 1:
        raise ValueError(
            f"twin has normalized_shape={twin.normalized_shape}, expected one axis"
        )
    layer = LayerNorm(*twin.normalized_shape, twin.eps).to(twin.weight)
    _copy([twin.weight, twin.bias], to=[layer.gamma, layer.beta])
    return layer


@torch.no_grad()
def _copy(what: Sequence[Tensor | None], to: Sequence[Tensor]) -> None:
    """Copy into fresh tensors or views of them; a scale that is not there stays 1, and
    a bias 0.
    """
    for theirs, ours in zip(what, to, strict=True):
        if theirs is not None:
            ours.copy_(theirs)


def _of_attention(twin: nn.MultiheadAttention) -> list[Tensor]:
    return [*twin.in_proj_weight.chunk(3), twin.out_proj.weight]


def _of_heads(layer: MultiHeadAttention) -> list[Tensor]:
    return [layer.W_Q.T, layer.W_K.T, layer.W_V.T, layer.W_O.T]


def _of_linears(twin: BlockTwin) -> list[Any]:
    first, second = twin.linear1, twin.linear2
    return [first.weight, first.bias, second.weight, second.bias]


def _of_mlp(layer: Block | DecoderBlock) -> list[Tensor]:
    mlp = layer.mlp
    return [mlp.W_1.T, mlp.b_1, mlp.W_2.T, mlp.b_2]


def _check_parts(layer: Block | DecoderBlock) -> None:
    """Refuse a part that was put in the place of another kind: torch's has none."""
    kinds = {
        "attend": MultiHeadSelfAttention,
        "cross": MultiHeadCrossAttention,
        "mlp": MLP,
    }
    for name, part in layer.named_children():
        check_type(f"layer.{name}", part, kinds.get(name, LayerNorm))


def _fill(twin: Any, layer: Encoder | Decoder, blocks: list[nn.Module]) -> None:
    """Put the blocks, and the norm behind them if there is one, into torch's stack."""
    twin.layers = nn.ModuleList(blocks)
    if not isinstance(layer.norm, nn.Identity):
        twin.norm = to_torch(layer.norm)
