"""Recorded runs: trained by `python -m attention_book.train NAME`, kept as package data, loaded at once."""

from attention_book.runs.evaluation import evaluate, translate
from attention_book.runs.recipes import RECIPES, Recipe
from attention_book.runs.recorded import RecordedRun, load
from attention_book.runs.tasks import Task, task_of

__all__ = [
    "RECIPES",
    "Recipe",
    "RecordedRun",
    "Task",
    "evaluate",
    "load",
    "task_of",
    "translate",
]
