"""What is trained and recorded for chapter 13.

`three-languages`: one model for English, French and Spanish. A number is the share of
copied sentences in training, in hundredths; `-french`: only French ones are copied.
Measured of every seed, see `tasks.languages`: `run.table("test", "bleu")`, a column for
each direction in `run.buckets`, with "exact_match" and the shares of answers in "en",
"fr", "es" and "mixed"; `run.per_seed("through_english", "fr-es", "bleu")`, with the
same figures; `run.per_seed("same", "fr")`.

Kept of the first seed: `run.kept("examples")`; without copies, and with a share of 35,
the weights, `run.model()`.
"""

from attention_book.chapters.not_only_translation.tasks.languages import ThreeLanguages
from attention_book.runs import Recipe


def _languages(name: str, *, keep_weights: bool = False, **settings) -> Recipe:
    sizes = {"D": 96, "D_hidden": 192}
    return Recipe(
        f"three-languages{name}",
        ThreeLanguages(sizes, **settings),
        steps=2000,
        seeds=(0, 1, 2),
        learning_rate=2e-3,
        warmup_steps=100,
        keep_weights=keep_weights,
    )


LANGUAGES = (
    _languages("", keep_weights=True),
    _languages("-15", copies=0.15),
    _languages("-35", copies=0.35, keep_weights=True),
    _languages("-35-french", copies=0.35, copied=("fr",)),
)

RECIPES = (*LANGUAGES,)
