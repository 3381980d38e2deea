"""What is trained and recorded for chapter 7."""

from attention_book.chapters.masks_and_heads.tasks.four_questions import FourQuestions
from attention_book.chapters.masks_and_heads.tasks.next_word import Continue
from attention_book.runs import Recipe

STEPS = 3000
RATE = 1e-2
WITH_WEIGHTS = (1, 4)

RECIPES = (
    *(
        Recipe(
            f"heads-{N_heads}",
            FourQuestions(N_heads),
            STEPS,
            learning_rate=RATE,
            keep_weights=N_heads in WITH_WEIGHTS,
        )
        for N_heads in (1, 2, 4, 8)
    ),
    *(
        Recipe(
            f"heads-{N_heads}-narrow",
            FourQuestions(N_heads, D=16),
            STEPS,
            learning_rate=RATE,
        )
        for N_heads in (1, 4)
    ),
    Recipe("next-word-causal", Continue(causal=True), 600, keep_weights=True),
    Recipe("next-word-open", Continue(causal=False), 600, keep_weights=True),
)
