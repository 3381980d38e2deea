"""What is trained and recorded for chapter 17: a detector and two-stream networks.

The rates and sizes, the lesson's length and how questions are learned were chosen with
other seeds, on scenes of the digits for development.
"""

from attention_book.chapters.two_streams.questions import RATE, STEPS, WARMUP
from attention_book.chapters.two_streams.tasks import Answer, NameDigits, Together
from attention_book.runs import Recipe

LESSON, AFTER = 1200, 1000  # steps of the relation alone, and of everything
TOO_SHORT = 200  # ends before any of ten networks for development learned the relation
WATCH_EVERY = 20
THREE, FIVE = (0, 1, 2), (0, 1, 2, 3, 4)


def _together(
    name: str,
    task: Together,
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
    _together(
        "two-streams",
        Together(LESSON, asked=True),
        FIVE,
        keep_weights=True,
        watch_every=WATCH_EVERY,
    ),
    _together("two-streams-alone", Together(LESSON, meet=False), FIVE),
    _together(
        "two-streams-at-once",
        Together(),
        FIVE,
        keep_weights=True,
        watch_every=WATCH_EVERY,
    ),
    _together(
        "two-streams-short",
        Together(TOO_SHORT),
        THREE,
        TOO_SHORT + AFTER,
        watch_every=TOO_SHORT,
    ),
    _together("two-streams-often", Together(relation=1.0), FIVE),
    Recipe(
        "two-streams-asked",
        Answer("two-streams"),
        STEPS,
        seeds=(0,),
        learning_rate=RATE,
        warmup_steps=WARMUP,
        keep_weights=True,
    ),
)
