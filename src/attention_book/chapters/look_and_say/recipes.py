"""What is trained and recorded for chapter 3."""

from attention_book.chapters.look_and_say.tasks import Captions
from attention_book.runs import Recipe

STEPS = 2000
ATTENDING, FIXED = Captions({"attention": True}), Captions({"attention": False})

RECIPES = (
    Recipe(
        "caption-attention", ATTENDING, STEPS, learning_rate=2e-3, keep_weights=True
    ),
    Recipe("caption-fixed", FIXED, STEPS, learning_rate=2e-3),
    Recipe("caption-fixed-long", FIXED, 3 * STEPS, seeds=(0, 1, 2), learning_rate=2e-3),
)
