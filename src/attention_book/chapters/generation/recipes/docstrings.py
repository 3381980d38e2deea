"""What is trained and recorded of documentation strings."""

from attention_book.chapters.generation.tasks.docstrings import Docstrings
from attention_book.runs import Recipe

SIZES = {"D": 128, "D_hidden": 512, "N_positions": 64}
TEXT = {"text": "8cd79ddf86fec90f", "python": "3.11.7"}

RECIPES = (
    Recipe(
        "docstrings",
        Docstrings(SIZES, **TEXT),
        2300,
        seeds=(0, 1, 2),
        learning_rate=5e-3,
        warmup_steps=100,
        keep_weights=True,
    ),
)
