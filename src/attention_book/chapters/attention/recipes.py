"""What is trained and recorded for chapter 2."""

from attention_book.chapters.attention.tasks import AttentionTranslation
from attention_book.runs import Recipe

STEPS = 1500
ALONG = (0, 50, 100, 150, 200, 300, 500)  # steps: attention is found early


def _french(score: str, bidirectional: bool = True, **settings) -> AttentionTranslation:
    sizes = {
        "D_embedding": 64,
        "D_hidden": 128,
        "score": score,
        "scored_state": "previous" if score == "mlp" else "current",
        "bidirectional": bidirectional,
    }
    return AttentionTranslation(target="fr", sizes=sizes, held_out=True, **settings)


DOT = _french("dot", intervened=True)
BRIEF_SENTENCES = _french("dot", longest_source=12, attention_kept=False)

RECIPES = (
    Recipe("attention-dot", DOT, STEPS, keep_weights=True, snapshot_at=ALONG),
    Recipe("attention-bilinear", _french("bilinear"), STEPS),
    Recipe("attention-mlp", _french("mlp", intervened=True), STEPS),
    Recipe("attention-mlp-forward", _french("mlp", bidirectional=False), STEPS),
    Recipe("attention-dot-forward", _french("dot", bidirectional=False), STEPS),
    Recipe("attention-dot-brief-sentences", BRIEF_SENTENCES, STEPS),
)
