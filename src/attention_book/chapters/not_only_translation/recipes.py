"""What is trained and recorded for chapter 13.

`parsing`: `run.per_seed("natural", name)` and `run.table("test", name)` for "f1",
"precision", "recall", "exact", "malformed"; `run.per_seed("looks", name)`, see
`tasks.parsing.looks`; `run.per_seed("readings", sentence, "first")`, P of its likelier
tree, and "second". Kept: `run.kept("parses")`.
"""

from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.runs import Recipe

PARSING = Recipe(
    "parsing",
    Parsing({"D": 96, "D_hidden": 192, "N_decoder_blocks": 2}),
    steps=4000,
    seeds=(0, 1, 2),
    learning_rate=2e-3,
    warmup_steps=100,
    keep_weights=True,
)
RECIPES = (PARSING,)
