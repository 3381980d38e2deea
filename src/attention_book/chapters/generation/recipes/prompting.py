"""Networks that are told by examples what to do to a sentence."""

from attention_book.chapters.generation.tasks.prompting import Prompting
from attention_book.runs import Recipe

SIZES = {"N_positions": 128, "std": 0.15}
WEIGHTS = {"passive": 3}  # learned last


def _prompting(
    name: str, seeds: tuple[int, ...], keep_weights: bool = False, **sizes: int
) -> Recipe:
    return Recipe(
        name,
        Prompting(SIZES | sizes, WEIGHTS),
        steps=1200,
        seeds=seeds,
        learning_rate=5e-3,
        warmup_steps=50,
        keep_weights=keep_weights,
    )


RECIPES = (
    _prompting("prompting", (0, 1, 2, 3, 4), keep_weights=True),
    _prompting("prompting-one-block", (0, 1, 2), N_blocks=1),
)
