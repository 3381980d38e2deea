"""What is trained and recorded for chapter 17: the detector, then the networks."""

from attention_book.chapters.two_streams.tasks import NameDigits
from attention_book.runs import Recipe

RECIPES = (
    Recipe(
        "detector",
        NameDigits(),
        600,
        seeds=(0,),
        learning_rate=1e-2,
        keep_weights=True,
    ),
)
