"""What is trained and recorded for chapter 10.

Each of STACKS is recorded at each of DEPTHS and STARTS: `deep-post-12-full`, and
without residuals `deep-post-cut-12-full`. Without the norm after the last block, small
initial weights alone: `deep-pre-open-12-small`.
"""

from itertools import product
from math import sqrt

from attention_book.chapters.norm_and_residuals.tasks import NextWord
from attention_book.runs import Recipe

DEPTHS = (4, 12, 24)
STARTS = {"full": sqrt(3), "small": 1.0}  # how large the blocks' matrices start
NORMS = ("none", "post", "pre")
STACKS = {norm: (norm, True) for norm in NORMS} | {  # -> norm, residual
    f"{norm}-cut": (norm, False) for norm in NORMS
}
RECORDED = [  # stack, number of blocks, start
    (stack, N_blocks, start)
    for N_blocks, start, stack in product(DEPTHS, STARTS, STACKS)
]
WARMUPS = (0, 100, 200, 300)
STEPS, LONGER = 200, 600
SETTINGS = {"seeds": (0, 1, 2), "learning_rate": 1e-3}
SLOW = {"learning_rate": 3e-4}


def deep(stack: str, N_blocks: int, start: str) -> NextWord:
    """A stack of blocks by the words of this chapter."""
    norm, residual = STACKS[stack]
    return NextWord(norm, N_blocks, STARTS[start], residual)


RECIPES = (
    *(
        Recipe(f"deep-{stack}-{N_blocks}-{start}", task, STEPS, **SETTINGS)
        for stack, N_blocks, start in RECORDED
        for task in [deep(stack, N_blocks, start)]
    ),
    *(
        Recipe(
            f"deep-pre-open-{N_blocks}-small",
            NextWord("pre", N_blocks, STARTS["small"], last_norm=False),
            STEPS,
            **SETTINGS,
        )
        for N_blocks in DEPTHS
    ),
    *(
        Recipe(
            f"warm-{stack}-{warmup_steps}",
            deep(stack, 12, "full"),
            LONGER,
            warmup_steps=warmup_steps,
            **SETTINGS,
        )
        for stack, some in (("post", WARMUPS), ("pre", WARMUPS[:1]))
        for warmup_steps in some
    ),
    Recipe(
        "warm-post-24-blocks",
        deep("post", 24, "full"),
        LONGER,
        warmup_steps=WARMUPS[-1],
        **SETTINGS,
    ),
    Recipe("warm-post-slow", deep("post", 12, "full"), LONGER, **SETTINGS | SLOW),
)
