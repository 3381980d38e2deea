"""What is trained and recorded for chapter 12: English to French, 2 encoder blocks and
1 decoder block (`-two-blocks`: 2), unless the name says otherwise.

See `tasks` for what is measured of every seed and kept of the first: figures of heads
are (N_seeds, N_blocks, N_heads), those of blocks (N_seeds, N_blocks). `transformer`
keeps its weights.
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
