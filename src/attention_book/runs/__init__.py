"""Recorded runs: trained by `python -m attention_book.runs NAME`, kept as package data,
loaded at once.

A chapter's `recipes.py` says what is trained; the task that a recipe names stands in
the chapter, too. This room knows neither: it trains, measures, keeps and loads whatever
is a `Task`. What two chapters need of their tasks is here: the translation of the
corpus, the text that is gone on with, and the attention of forced decoding.
"""

from attention_book.runs.again import measured_again
from attention_book.runs.evaluation import evaluate, log_probability, translate
from attention_book.runs.forced import (
    SentenceAttention,
    cross_attention,
    forced_attention,
    keep_attention,
    kept_attention,
    sentence_with,
)
from attention_book.runs.loading import load
from attention_book.runs.recipe import Recipe
from attention_book.runs.recorded import RecordedRun
from attention_book.runs.task import OtherData, Task
from attention_book.runs.text import NextInText, NextWord, gpt_bits
from attention_book.runs.translation import Translation

__all__ = [
    "NextInText",
    "NextWord",
    "OtherData",
    "Recipe",
    "RecordedRun",
    "SentenceAttention",
    "Task",
    "Translation",
    "cross_attention",
    "evaluate",
    "forced_attention",
    "gpt_bits",
    "keep_attention",
    "kept_attention",
    "load",
    "log_probability",
    "measured_again",
    "sentence_with",
    "translate",
]
