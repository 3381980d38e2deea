"""NumPy, written to be read: loops allowed, one idea a function."""

from attention_book.reference.alignment import attend, bilinear_score, dot_score, mlp_score
from attention_book.reference.attention import attention, cross_attention, self_attention
from attention_book.reference.recurrent import encode, gru_cell, rnn_cell
from attention_book.reference.softmax import softmax

__all__ = [
    "attend",
    "attention",
    "bilinear_score",
    "cross_attention",
    "dot_score",
    "encode",
    "gru_cell",
    "mlp_score",
    "rnn_cell",
    "self_attention",
    "softmax",
]
