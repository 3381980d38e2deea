"""What is trained and recorded for chapter 2."""

from attention_book.chapters.attention.tasks import AttentionTranslation
from attention_book.runs import Recipe

STEPS = 1500
ALONG = (0, 50, 100, 150, 200, 300, 500)  # steps: attention is found early


def _french(
    name: str,
    score: str,
    scored_state: str,
    *,
    bidirectional: bool = True,
    keep_weights: bool = False,
    snapshot_at: tuple[int, ...] = (),
    **settings,
) -> Recipe:
    sizes = {
        "D_embedding": 64,
        "D_hidden": 128,
        "score": score,
        "scored_state": scored_state,
        "bidirectional": bidirectional,
    }
    task = AttentionTranslation(target="fr", sizes=sizes, held_out=True, **settings)
    return Recipe(name, task, STEPS, keep_weights=keep_weights, snapshot_at=snapshot_at)


RECIPES = (
    _french(
        "attention-dot",
        "dot",
        "current",
        keep_weights=True,
        snapshot_at=ALONG,
        intervened=True,
    ),
    _french("attention-bilinear", "bilinear", "current"),
    _french("attention-mlp", "mlp", "previous", intervened=True),
    _french("attention-mlp-forward", "mlp", "previous", bidirectional=False),
    _french("attention-dot-forward", "dot", "current", bidirectional=False),
    _french(
        "attention-dot-brief-sentences",
        "dot",
        "current",
        longest_source=12,
        attention_kept=False,
    ),
)
