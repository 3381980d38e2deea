"""Chapter 2's widgets, fed from recorded runs."""

from collections.abc import Sequence

import numpy as np

from attention_book import metrics, runs
from attention_book.chapters.attention.decoder_stepper import SentenceSteps
from attention_book.chapters.attention.decoder_stepper import (
    decoder_stepper as _decoder_stepper,
)
from attention_book.chapters.attention.score_functions import SentenceByScore
from attention_book.chapters.attention.score_functions import (
    score_functions as _score_functions,
)
from attention_book.runs import SentenceAttention
from attention_book.widgets import Widget, predict

BY_SCORE = {
    "dot": "attention-dot",
    "bilinear": "attention-bilinear",
    "MLP": "attention-mlp",
    "MLP, one direction": "attention-mlp-forward",
}

# sentences by a word of theirs, among those whose attention is kept
AREA, BREAD, MINISTER, APPLE = "area", "bread", "minister", "apple"
NAMES = {
    AREA: "the economic area",
    BREAD: "eating bread",
    MINISTER: "the minister",
    APPLE: "the apple",
}


def decoder_stepper(
    shown: Sequence[str] = (MINISTER, BREAD), *, link: str = "stepper"
) -> Widget:
    """Chapter 2's first widget: scores, weights and context of every step."""
    run = runs.load("attention-dot")
    attention = [runs.kept_attention(run, step) for step in run.kept_at]
    sentences = {}
    for word in shown:
        along = [runs.sentence_with(word, of_step) for of_step in attention]
        e, h = (np.stack([getattr(one, name) for one in along]) for name in ("e", "h"))
        sentences[NAMES[word]] = SentenceSteps(
            along[-1].source, along[-1].target, e, h, sorted(along[-1].alignment)
        )
    return _decoder_stepper(
        sentences,
        run.kept_at,
        start_sentence=next(iter(sentences)),
        start_step=run.kept_at[-1],
        start_t=2,
        link=link,
    )


def score_functions(
    shown: Sequence[str] = (AREA, BREAD, MINISTER, APPLE), *, link: str = "scores"
) -> Widget:
    """Chapter 2's second widget: four models read the same sentences."""
    recorded = {name: runs.load(run) for name, run in BY_SCORE.items()}
    final = {name: runs.kept_attention(run) for name, run in recorded.items()}
    sentences = {}
    for word in shown:
        each = {name: runs.sentence_with(word, kept) for name, kept in final.items()}
        words = len(each["dot"].target) - 1
        A = {name: one.A[:words] for name, one in each.items()}
        error = {name: _error(one.A[:words], one) for name, one in each.items()}
        first = each["dot"]
        sentences[NAMES[word]] = SentenceByScore(
            first.source, first.target[:words], A, error, sorted(first.alignment)
        )
    aer = {
        name: run.per_seed("alignment", "aer").mean() for name, run in recorded.items()
    }
    exact = {
        name: run.table("test", "exact_match").mean() for name, run in recorded.items()
    }
    worst = max(aer, key=aer.get)
    return _score_functions(
        sentences,
        aer,
        exact,
        start_sentence=NAMES[AREA],
        start_score=worst,
        link=link,
        predict=predict(
            "Four models that translate the test sentences equally well. Do they look "
            "at equally right words, or is one of them far off?",
            [*aer, "all alike"],
            answer=worst,
            reveal=f"its alignment error is {aer[worst]:.2f}, and {exact[worst]:.0%} "
            "of its translations are right all the same.",
        ),
    )


def _error(A: np.ndarray, one: SentenceAttention) -> float:
    links = metrics.strongest_link(A, length=len(one.source) - 1)
    return metrics.alignment_error_rate([links], [one.alignment])
