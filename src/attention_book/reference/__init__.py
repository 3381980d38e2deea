"""NumPy, written to be read: loops allowed, one idea a function."""

from attention_book.reference.alignment import attend, bilinear_score, dot_score, mlp_score
from attention_book.reference.attention import attention, cross_attention, self_attention
from attention_book.reference.heads import merge_heads, multi_head, split_heads
from attention_book.reference.masks import causal_mask, decoder_mask, padding_mask
from attention_book.reference.positions import add_positions, positional_encoding
from attention_book.reference.recurrent import encode, gru_cell, rnn_cell
from attention_book.reference.softmax import softmax

__all__ = [
    "add_positions",
    "attend",
    "attention",
    "bilinear_score",
    "causal_mask",
    "cross_attention",
    "decoder_mask",
    "dot_score",
    "encode",
    "gru_cell",
    "merge_heads",
    "mlp_score",
    "multi_head",
    "padding_mask",
    "positional_encoding",
    "rnn_cell",
    "self_attention",
    "softmax",
    "split_heads",
]
