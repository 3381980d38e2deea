"""What is trained and recorded for chapter 5."""

from attention_book.chapters.self_attention.tasks import WhatIsIt
from attention_book.runs import Recipe

STEPS = 800
RATE = 5e-3
LOUD = {"start": 1.0}  # the vectors as PyTorch draws them
FLAT = {"flat": True}


def _it(name: str, steps: int = STEPS, keep_weights: bool = False, **task) -> Recipe:
    made = WhatIsIt(**task)
    return Recipe(name, made, steps, learning_rate=RATE, keep_weights=keep_weights)


RECIPES = (
    _it("it", keep_weights=True),
    _it("it-always-fits", none=0, keep_weights=True),
    _it("it-always-fits-long", 2 * STEPS, none=0),
    _it("it-loud", 2 * STEPS, sizes=LOUD),
    _it("it-loud-always-fits", 2 * STEPS, none=0, sizes=LOUD, keep_weights=True),
    _it("it-own-word", own_word=True),
    _it("it-flat", 3 * STEPS, sizes=FLAT),
    _it("it-flat-own-word-brief", sizes=FLAT, own_word=True),
    _it("it-flat-own-word", 3 * STEPS, sizes=FLAT, own_word=True, keep_weights=True),
)
