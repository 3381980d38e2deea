"""What is trained and recorded for chapter 16: six sizes at three amounts of words.

`scale-25k-6` is a GPT of width 6 that is trained on 25,000 words. Some of those are
trained once more, for fewer steps: `scale-25k-44-early`.
"""

from itertools import product

from attention_book.chapters.scale.tasks import NextWord
from attention_book.runs import Recipe
from attention_book.runs.text import RECORDED_ON

AMOUNTS = {"25k": 25_000, "100k": 100_000, "all": None}  # words to train on
SAID = {"25k": "25,000", "100k": "100,000", "all": "313,000"}  # the same, in figures
FITTED = (6, 10, 16, 26, 44)  # widths: each has 2.5 to 2.8 times the last one's weights
NEXT = 72  # foretold from those
STEPS, N_BATCH, N_POSITIONS = 480, 16, 64
WORDS_READ = STEPS * N_BATCH * N_POSITIONS
# Where the loss on "development" is lowest, on the way, of the widths 26 and 44 at 25k.
EARLY = 180
STOPPED = (26, 44, 72)


def name(amount: str, D: int, *, early: bool = False) -> str:
    """Name the run of an amount and a width."""
    return f"scale-{amount}-{D}" + "-early" * early


def task(amount: str, D: int) -> NextWord:
    """Give the task of an amount and a width."""
    sizes = {"D": D, "N_heads": 2, "D_hidden": 4 * D, "N_positions": N_POSITIONS}
    return NextWord(sizes, N_batch=N_BATCH, N_train=AMOUNTS[amount], **RECORDED_ON)


def recipe(amount: str, D: int, *, early: bool = False) -> Recipe:
    """Give the recipe of an amount and a width."""
    return Recipe(
        name(amount, D, early=early),
        task(amount, D),
        EARLY if early else STEPS,
        seeds=(0, 1, 2),
        learning_rate=0.04 * min(1, 16 / D),
        warmup_steps=50,
        watch_every=60,
    )


RECIPES = (
    *(recipe(amount, D) for amount, D in product(AMOUNTS, (*FITTED, NEXT))),
    *(recipe("25k", D, early=True) for D in STOPPED),
)
