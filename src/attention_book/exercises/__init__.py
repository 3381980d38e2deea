"""Checks that say what is wrong with your code, the bug zoo they are tested against, and worked solutions.

Call a check with your own function: ``check_attention(attention)``. `zoo` holds all of them, with the mistakes they
know.
"""

from attention_book.exercises.subjects.alignment import (
    check_attention_step,
    check_error_rate,
    check_masked_softmax,
    check_work_per_word,
)
from attention_book.exercises.subjects.attention import check_attention, check_cross_attention, check_self_attention
from attention_book.exercises.subjects.batches import check_contexts, check_words_right
from attention_book.exercises.subjects.block import check_block, check_pre_norm_block
from attention_book.exercises.subjects.bottleneck import check_first_error, check_gru_parameters, check_teacher_forced
from attention_book.exercises.subjects.captions import check_misread_or_mislooked, check_pointing, check_receptive_field
from attention_book.exercises.subjects.decoding import check_beam_search, check_greedy
from attention_book.exercises.subjects.heads import check_multi_head, check_split_heads
from attention_book.exercises.subjects.losses import check_masked_word_loss, check_smoothed_loss, check_word_loss
from attention_book.exercises.subjects.masks import check_causal_mask, check_causal_padding_mask, check_padding_mask
from attention_book.exercises.subjects.norm import check_layer_norm
from attention_book.exercises.subjects.positions import check_add_positions, check_positional_encoding
from attention_book.exercises.subjects.softmax import check_softmax

__all__ = [
    "check_add_positions",
    "check_attention",
    "check_attention_step",
    "check_beam_search",
    "check_block",
    "check_causal_mask",
    "check_causal_padding_mask",
    "check_contexts",
    "check_cross_attention",
    "check_error_rate",
    "check_first_error",
    "check_greedy",
    "check_gru_parameters",
    "check_layer_norm",
    "check_masked_softmax",
    "check_masked_word_loss",
    "check_misread_or_mislooked",
    "check_multi_head",
    "check_padding_mask",
    "check_pointing",
    "check_positional_encoding",
    "check_pre_norm_block",
    "check_receptive_field",
    "check_self_attention",
    "check_smoothed_loss",
    "check_softmax",
    "check_split_heads",
    "check_teacher_forced",
    "check_word_loss",
    "check_words_right",
    "check_work_per_word",
]
