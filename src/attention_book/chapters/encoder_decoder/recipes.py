"""What is trained and recorded for chapter 12: English to French, 2 encoder blocks and
1 decoder block (`-two-blocks`: 2), unless the name says otherwise.

Measured of every seed, besides "test" and "held_out" as in chapter 2:
`run.per_seed("alignment", "aer")`, of the last block's mean of heads;
`run.per_seed("heads", name)`, (N_seeds, N_blocks, N_heads) for "aer", "mass",
"without", "only", (N_seeds, N_blocks) for "blocks_aer", "without_block", see `tasks`;
`run.per_seed("beam", "sum" or "per word", "exact_match")`, `run.per_seed("surprise")`.

Kept of the first seed: `transformer` has its weights, `run.model()`. It and
`transformer-two-blocks` have `run.kept("cross_attention")`: of four sentences (the
Economic Area, *we are eating bread*, two test sentences) "source", "target",
"alignment", "said", all without [STOP], and "A" (N_blocks, N_heads, N_Y, N_X), with the
row and the column of [STOP].
"""

from attention_book.chapters.encoder_decoder.tasks import TransformerTranslation
from attention_book.runs import Recipe

STEPS, LONGER = 1500, 2400
THREE, TWO = (0, 1, 2), (0, 1)  # seeds


def _french(name: str, settings: dict | None = None, **more) -> Recipe:
    return Recipe(
        f"transformer{name}",
        TransformerTranslation("fr", **settings or {}),
        **{"steps": STEPS, "learning_rate": 2e-3, "warmup_steps": 100} | more,
    )


RECIPES = (
    _french("", {"attention_kept": True}, keep_weights=True),
    _french(
        "-two-blocks",
        {"sizes": {"N_decoder_blocks": 2}, "attention_kept": True},
        seeds=THREE,
    ),
    *(
        _french(
            f"-brief-{kind}",
            {"sizes": {"positions": kind}, "longest_source": 12},
            seeds=TWO,
        )
        for kind in ("sine", "learned")
    ),
    _french("-longer", steps=LONGER),
    _french("-no-warmup", warmup_steps=0, seeds=TWO),
    _french("-smoothed", label_smoothing=0.1, seeds=TWO),
    _french("-untied", {"sizes": {"tied": False}}, seeds=TWO),
    _french("-equal-steps", {"tokens_per_batch": 1500}, seeds=TWO),
)
