"""Checks, a module for each subject."""

from attention_book.chapters.not_only_translation.checks.trees import check_flatten

__all__ = ["check_flatten"]
