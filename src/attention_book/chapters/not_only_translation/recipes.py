"""What is trained and recorded for chapter 13; see `tasks` for what is measured.

`three-languages` is one model for English, French and Spanish. A number is the share of
copied sentences in training, in hundredths; `-french`, `-english`: only these are
copied.
"""

from attention_book.chapters.not_only_translation.tasks.languages import ThreeLanguages
from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.runs import Recipe

SIZES = {"D": 96, "D_hidden": 192}


def _three_seeds(name: str, task: Parsing | ThreeLanguages, steps: int, **more):
    shared = {"seeds": (0, 1, 2), "learning_rate": 2e-3, "warmup_steps": 100}
    return Recipe(name, task, steps=steps, **shared, **more)


def _languages(name: str, *, keep_weights: bool = False, **settings) -> Recipe:
    task = ThreeLanguages(SIZES, **settings)
    return _three_seeds(f"three-languages{name}", task, 2000, keep_weights=keep_weights)


RECIPES = (
    _three_seeds(
        "parsing", Parsing(SIZES | {"N_decoder_blocks": 2}), 4000, keep_weights=True
    ),
    _languages("", keep_weights=True),
    _languages("-15", copies=0.15),
    _languages("-35", copies=0.35, keep_weights=True),
    _languages("-35-french", copies=0.35, copied=("fr",)),
    _languages("-35-english", copies=0.35, copied=("en",)),
)
