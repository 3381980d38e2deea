"""What is trained and recorded of documentation strings."""

from attention_book.chapters.generation.tasks.docstrings import Docstrings
from attention_book.runs import Recipe
from attention_book.runs.text import RECORDED_ON

SIZES = {"D": 128, "D_hidden": 512, "N_positions": 64, "std": 0.125}

RECIPES = (
    Recipe(
        "docstrings",
        Docstrings(SIZES, **RECORDED_ON),
        2300,
        seeds=(0, 1, 2),
        learning_rate=5e-3,
        warmup_steps=100,
        keep_weights=True,
    ),
)
