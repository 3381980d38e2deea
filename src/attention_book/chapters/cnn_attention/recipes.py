"""What is trained and recorded for chapter 9.

All keep where the gate stood in training: `run.kept("gate", step)` for the steps of
`run.kept_at`.
"""

from attention_book.chapters.cnn_attention.tasks import WhichKey
from attention_book.runs import Recipe

STEPS = 500
GATE_AT = (0, 10, 20, 30, 40, 50, 75, 100, 150, 200, 250, 300, 350, 400, 450)
RECIPES = tuple(
    Recipe(
        f"cnn-{name}",
        task,
        STEPS,
        keep_weights=name in ("attention", "convolution"),
        snapshot_at=GATE_AT,
    )
    for name, task in (
        ("attention", WhichKey()),
        ("convolution", WhichKey("convolution", gate=1.0)),
        ("thin", WhichKey("thin", gate=1.0)),
        ("flat", WhichKey("flat")),
        ("always", WhichKey(always=True)),
        ("gate-1", WhichKey(gate=1.0)),
        ("no-residual", WhichKey("no residual")),
    )
)
