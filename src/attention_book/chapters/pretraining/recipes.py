"""What is trained and recorded for chapter 14."""

from typing import Any

from attention_book.chapters.pretraining.tasks import Pretraining
from attention_book.runs import Recipe

STEPS = 3000
ALONG = (500, 1000, 1500, 2000)  # steps after which the first seed is kept, too
SIZES: dict[str, Any] = {"norm": "pre"}
LEFT = SIZES | {"causal": True}
WORDS = {"next_sentence": False}
SHARES = {
    "100-0-0": (1.0, 0.0, 0.0),
    "80-20-0": (0.8, 0.2, 0.0),
    "80-0-20": (0.8, 0.0, 0.2),
}


def _bert(name: str, sizes: dict[str, Any] = SIZES, **task: Any) -> Recipe:
    made = Pretraining(sizes, **task)
    return Recipe(
        name, made, STEPS, seeds=(0, 1, 2), warmup_steps=100, keep_weights=True
    )
