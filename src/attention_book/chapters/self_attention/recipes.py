"""What is trained and recorded for chapter 5."""

from attention_book.chapters.self_attention.tasks import WhatIsIt
from attention_book.runs import Recipe

STEPS = 800
RATE = 5e-3
LOUD = {"start": 1.0}  # the vectors as PyTorch draws them
FLAT = {"flat": True}

RECIPES = (
    Recipe("it", WhatIsIt(), STEPS, learning_rate=RATE, keep_weights=True),
    Recipe(
        "it-always-fits",
        WhatIsIt(none=0),
        STEPS,
        learning_rate=RATE,
        keep_weights=True,
    ),
    Recipe("it-always-fits-long", WhatIsIt(none=0), 2 * STEPS, learning_rate=RATE),
    Recipe("it-loud", WhatIsIt(sizes=LOUD), 2 * STEPS, learning_rate=RATE),
    Recipe(
        "it-loud-always-fits",
        WhatIsIt(none=0, sizes=LOUD),
        2 * STEPS,
        learning_rate=RATE,
        keep_weights=True,
    ),
    Recipe("it-own-word", WhatIsIt(own_word=True), STEPS, learning_rate=RATE),
    Recipe("it-flat", WhatIsIt(sizes=FLAT), 3 * STEPS, learning_rate=RATE),
    Recipe(
        "it-flat-own-word-brief",
        WhatIsIt(sizes=FLAT, own_word=True),
        STEPS,
        learning_rate=RATE,
    ),
    Recipe(
        "it-flat-own-word",
        WhatIsIt(sizes=FLAT, own_word=True),
        3 * STEPS,
        learning_rate=RATE,
        keep_weights=True,
    ),
)
