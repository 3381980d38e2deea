"""Checks, a module for each subject."""

from attention_book.chapters.not_only_translation.checks.languages import check_pivot
from attention_book.chapters.not_only_translation.checks.trees import (
    check_bracket_f1,
    check_flatten,
)

__all__ = ["check_bracket_f1", "check_flatten", "check_pivot"]
