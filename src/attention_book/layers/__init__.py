"""Torch modules, each the subject of a section: to be read, and used in training."""

from attention_book.layers.attention import (
    Attention,
    SelfAttention,
    attention,
)
from attention_book.layers.block import MLP, Block, Encoder, Variant
from attention_book.layers.convolution import Convolution
from attention_book.layers.decoder import Decoder, DecoderBlock
from attention_book.layers.grid import GridEncoder
from attention_book.layers.grid_attention import GridSelfAttention
from attention_book.layers.heads import FastMultiHeadAttention, MultiHeadAttention
from attention_book.layers.masks import causal_mask, padding_mask, window_mask
from attention_book.layers.norm import FastLayerNorm, LayerNorm, RMSNorm
from attention_book.layers.positions import (
    ConcatenatedPositions,
    FastSinePositions,
    LearnedPositions,
    RelativeSelfAttention,
    RotarySelfAttention,
    SinePositions,
    rotate,
    sine_positions,
)
from attention_book.layers.recurrent import (
    GRU,
    BidirectionalGRU,
    GRUCell,
    Stack,
    stacked,
)
from attention_book.layers.scores import (
    SCORES,
    AdditiveScore,
    BilinearScore,
    DotScore,
    GeneralScore,
    MLPScore,
    attention_weights,
)
from attention_book.layers.tiled import tiled_attention
from attention_book.layers.torch_twins import to_torch
from attention_book.layers.window import WindowSelfAttention

__all__ = [
    "GRU",
    "MLP",
    "SCORES",
    "AdditiveScore",
    "Attention",
    "BidirectionalGRU",
    "BilinearScore",
    "Block",
    "ConcatenatedPositions",
    "Convolution",
    "Decoder",
    "DecoderBlock",
    "DotScore",
    "Encoder",
    "FastLayerNorm",
    "FastMultiHeadAttention",
    "FastSinePositions",
    "GRUCell",
    "GeneralScore",
    "GridEncoder",
    "GridSelfAttention",
    "LayerNorm",
    "LearnedPositions",
    "MLPScore",
    "MultiHeadAttention",
    "RMSNorm",
    "RelativeSelfAttention",
    "RotarySelfAttention",
    "SelfAttention",
    "SinePositions",
    "Stack",
    "Variant",
    "WindowSelfAttention",
    "attention",
    "attention_weights",
    "causal_mask",
    "padding_mask",
    "rotate",
    "sine_positions",
    "stacked",
    "tiled_attention",
    "to_torch",
    "window_mask",
]
