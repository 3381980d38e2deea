"""Look-up from the prompt: two blocks, and one.

A GPT that is tied, as GPT-2 is, did not learn it here: in eleven trials with two
blocks, with other rates and spreads and up to twice the steps, accuracy stayed below
one half.
"""

from attention_book.chapters.generation.tasks.look_up import LookUp
from attention_book.runs import Recipe

SIZES = {"D": 64, "N_heads": 2, "D_hidden": 128, "std": 0.3, "tied": False}
RECIPES = tuple(
    Recipe(
        name,
        LookUp(SIZES | {"N_blocks": N_blocks}),
        800,
        learning_rate=4e-3,
        warmup_steps=50,
        keep_weights=True,
        watch_every=10,
    )
    for name, N_blocks in (("look-up", 2), ("look-up-one", 1))
)
