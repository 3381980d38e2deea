"""NumPy, written to be read: loops allowed, one idea a function."""

from attention_book.reference.recurrent import encode, gru_cell, rnn_cell
from attention_book.reference.softmax import softmax

__all__ = ["encode", "gru_cell", "rnn_cell", "softmax"]
