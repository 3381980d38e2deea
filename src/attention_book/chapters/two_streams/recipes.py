"""What is trained and recorded for chapter 17: a detector and two-stream networks.

The rates and sizes, the lesson's length and how questions are learned were chosen with
other seeds, on scenes of the digits for development.
"""

from attention_book.chapters.two_streams.exam import RATE, STEPS, WARMUP
from attention_book.chapters.two_streams.tasks import (
    FineTuning,
    NameDigits,
    Pretraining,
)
from attention_book.runs import Recipe

LESSON, AFTER = 1200, 1000  # steps of the relation alone, and of everything
TOO_SHORT = 200  # ends before any of ten networks for development learned the relation
WATCH_EVERY = 20
THREE, FIVE = (0, 1, 2), (0, 1, 2, 3, 4)


def _pretrained(
    name: str,
    task: Pretraining,
    seeds: tuple[int, ...],
    steps: int = LESSON + AFTER,
    keep_weights: bool = False,
    watch_every: int | None = None,  # at the end alone
) -> Recipe:
    return Recipe(
        name,
        task,
        steps,
        seeds=seeds,
        learning_rate=2e-3,
        warmup_steps=100,
        keep_weights=keep_weights,
        watch_every=watch_every or steps,
    )


RECIPES = (
    Recipe(
        "detector",
        NameDigits(),
        600,
        seeds=(0,),
        learning_rate=1e-2,
        keep_weights=True,
    ),
    _pretrained(
        "two-streams",
        Pretraining(LESSON, exam=True),
        FIVE,
        keep_weights=True,
        watch_every=WATCH_EVERY,
    ),
    _pretrained("two-streams-alone", Pretraining(LESSON, meet=False), FIVE),
    _pretrained(
        "two-streams-at-once",
        Pretraining(),
        FIVE,
        keep_weights=True,
        watch_every=WATCH_EVERY,
    ),
    _pretrained(
        "two-streams-short",
        Pretraining(TOO_SHORT),
        THREE,
        TOO_SHORT + AFTER,
        watch_every=TOO_SHORT,
    ),
    _pretrained("two-streams-often", Pretraining(hide_relation=1.0), FIVE),
    Recipe(
        "two-streams-asked",
        FineTuning("two-streams"),
        STEPS,
        seeds=(0,),
        learning_rate=RATE,
        warmup_steps=WARMUP,
        keep_weights=True,
    ),
)
