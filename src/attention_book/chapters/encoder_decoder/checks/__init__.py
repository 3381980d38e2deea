"""Checks, a module for each subject."""

from attention_book.chapters.encoder_decoder.checks.cross_attention import (
    check_cross_attention,
)
from attention_book.chapters.encoder_decoder.checks.decoding import (
    check_beam_search,
    check_greedy,
    check_words_right,
)
from attention_book.chapters.encoder_decoder.checks.losses import (
    check_smoothed_loss,
    check_word_loss,
)

__all__ = [
    "check_beam_search",
    "check_cross_attention",
    "check_greedy",
    "check_smoothed_loss",
    "check_word_loss",
    "check_words_right",
]
