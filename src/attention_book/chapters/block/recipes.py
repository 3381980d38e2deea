"""What is trained and recorded for chapter 11; see `tasks` for what is measured.

WITHOUT names the runs `hidden-...` by what was left out. `senses` (3 blocks) and
`hidden-full` (2 blocks) keep the weights of seed 0.
"""

from attention_book.chapters.block.tasks import HiddenWords, Senses
from attention_book.runs import Recipe

BLOCKS = 2  # of the ablation
WITHOUT: dict[str, dict[str, int | bool | str]] = {
    "full": {},
    "no-attention": {"attention": "none"},
    # 2 D wider: as many weights more as attention has, 4 D^2
    "no-attention-equal": {"attention": "none", "D_hidden": 384},
    "no-mlp": {"mlp": False},
    "no-mlp-equal": {"mlp": False, "N_blocks": 3 * BLOCKS},
    "no-residual": {"residual": False},
    "no-positions": {"positions": False},
    "no-norm": {"norm": "none"},
    "no-last-norm": {"last_norm": False},
}
DEPTHS = (6, 12)  # besides BLOCKS
STEPS = 600

RECIPES = (
    Recipe("senses", Senses({"N_blocks": 3}), steps=1500, keep_weights=True),
    *(
        Recipe(
            f"hidden-{name}",
            HiddenWords({"N_blocks": BLOCKS} | sizes),
            steps=STEPS,
            keep_weights=name == "full",
        )
        for name, sizes in WITHOUT.items()
    ),
    Recipe(
        "senses-bag",
        Senses({"N_blocks": 3, "attention": "mean", "positions": False}),
        steps=1500,
    ),
    *(
        Recipe(
            f"hidden-{name}-{N_blocks}",
            HiddenWords({"N_blocks": N_blocks} | WITHOUT[name]),
            steps=STEPS,
            seeds=(0, 1, 2),
        )
        for N_blocks in DEPTHS
        for name in ("full", "no-norm", "no-last-norm")
    ),
)
