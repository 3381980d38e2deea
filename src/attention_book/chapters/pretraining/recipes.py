"""What is trained and recorded for chapter 14."""

from collections.abc import Mapping
from typing import Any

from attention_book.chapters.pretraining.tasks import Pretraining
from attention_book.runs import Recipe

STEPS = 3000
ALONG = (500, 1000, 1500, 2000)  # the first seed is kept after these steps, too
SIZES = {"norm": "pre"}
LEFT = SIZES | {"causal": True}
ALONE: dict[str, Any] = {"next_sentence": False}
OTHER_SHARES = {  # hidden, replaced, left
    "100-0-0": (1.0, 0.0, 0.0),
    "80-20-0": (0.8, 0.2, 0.0),
    "80-0-20": (0.8, 0.0, 0.2),
}


def _bert(
    name: str,
    sizes: Mapping[str, Any] = SIZES,
    keep_weights: bool = False,
    seeds: tuple[int, ...] = (0, 1, 2),
    snapshot_at: tuple[int, ...] = (),
    **task: Any,
) -> Recipe:
    return Recipe(
        name,
        Pretraining(sizes, **task),
        STEPS,
        seeds=seeds,
        warmup_steps=100,
        keep_weights=keep_weights,
        snapshot_at=snapshot_at,
    )


RECIPES = (
    _bert(
        "bert",
        keep_weights=True,
        seeds=(0, 1, 2, 3, 4),
        snapshot_at=ALONG,
        snapshots=True,
        whole_exam=True,
        heads=3,
    ),
    _bert("bert-alone", keep_weights=True, heads=3, **ALONE),
    _bert("bert-left", LEFT, keep_weights=True, hidden=False, **ALONE),
    _bert("bert-left-sparse", LEFT, hidden=False, sparse=True, **ALONE),
    _bert("bert-peeks", keep_weights=True, hidden=False, **ALONE),
    *(_bert(f"bert-{name}", shares=shares) for name, shares in OTHER_SHARES.items()),
    _bert("bert-alone-40", asked_for=0.4, heads=3, **ALONE),
    _bert("bert-alone-5", asked_for=0.05, heads=3, **ALONE),
)
