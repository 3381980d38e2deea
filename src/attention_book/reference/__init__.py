"""NumPy, written to be read: loops allowed, one idea a function."""

from attention_book.reference.attention import (
    attention,
    cross_attention,
    self_attention,
)
from attention_book.reference.batches import contexts, words_right
from attention_book.reference.block import block, pre_norm_block, residual
from attention_book.reference.decoding import beam_search, greedy
from attention_book.reference.heads import merge_heads, multi_head, split_heads
from attention_book.reference.losses import (
    log_softmax,
    masked_word_loss,
    smoothed_loss,
    word_loss,
)
from attention_book.reference.masks import (
    causal_mask,
    causal_padding_mask,
    padding_mask,
)
from attention_book.reference.norm import layer_norm
from attention_book.reference.positions import (
    add_positions,
    positional_encoding,
    relative_scores,
    rotate,
)
from attention_book.reference.recurrent import encode, gru_cell, rnn_cell
from attention_book.reference.scores import (
    attend,
    bilinear_score,
    dot_score,
    mlp_score,
)
from attention_book.reference.softmax import softmax

__all__ = [
    "add_positions",
    "attend",
    "attention",
    "beam_search",
    "bilinear_score",
    "block",
    "causal_mask",
    "causal_padding_mask",
    "contexts",
    "cross_attention",
    "dot_score",
    "encode",
    "greedy",
    "gru_cell",
    "layer_norm",
    "log_softmax",
    "masked_word_loss",
    "merge_heads",
    "mlp_score",
    "multi_head",
    "padding_mask",
    "positional_encoding",
    "pre_norm_block",
    "relative_scores",
    "residual",
    "rnn_cell",
    "rotate",
    "self_attention",
    "smoothed_loss",
    "softmax",
    "split_heads",
    "word_loss",
    "words_right",
]
