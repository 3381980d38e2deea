"""Checks, a module for each subject."""

from attention_book.chapters.masks_and_heads.checks.heads import (
    check_multi_head,
    check_split_heads,
)
from attention_book.chapters.masks_and_heads.checks.masks import (
    check_causal_mask,
    check_causal_padding_mask,
    check_contexts,
    check_padding_mask,
)

__all__ = [
    "check_causal_mask",
    "check_causal_padding_mask",
    "check_contexts",
    "check_multi_head",
    "check_padding_mask",
    "check_split_heads",
]
