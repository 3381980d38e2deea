"""What is trained and recorded for chapter 11.

`senses`, `senses-bag`: by layer (0 to 3) `run.per_seed(kind, name)`, kind "near" or
"order", name "right", "within" or "between"; `senses` keeps the weights of seed 0
(`run.model()`, a `MaskedWords` of 3 blocks).

`hidden-...`: `run.per_seed("loss")` in nats a word, `run.per_seed("right")`. WITHOUT
names them by what was left out; `hidden-full` keeps the weights of seed 0 (2 blocks):
`run.recipe.task.measure(model)` measures them with a part switched off,
`model.states(source, source_visible)` gives the stream, `tasks.unseen()` sentences.
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
