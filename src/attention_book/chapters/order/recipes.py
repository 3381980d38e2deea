"""What is trained and recorded for chapter 6."""

from attention_book.chapters.order.model import KINDS
from attention_book.chapters.order.sentences import QUESTIONS
from attention_book.chapters.order.solutions import StartAnywhere
from attention_book.chapters.order.tasks import Order, OrderByLength
from attention_book.runs import Recipe

STEPS = 1000
ASKED = ("none", "sine", "learned", "relative", "rotary")
WITH_WEIGHTS = (  # who a figure asks for who called whom, and the bug's reader
    *(f"order-who-{kind}" for kind in ASKED),
    "order-third-sine",
)
BY_LENGTH = "order-tenth-beside"  # which is asked at many lengths

RECIPES = (
    *(
        Recipe(name, task(question, kind), STEPS, keep_weights=name in WITH_WEIGHTS)
        for question in QUESTIONS
        for kind in KINDS
        for name in [f"order-{question}-{kind}"]
        for task in [OrderByLength if name == BY_LENGTH else Order]
    ),
    *(
        Recipe(f"order-{question}-starts", StartAnywhere(question, "learned"), STEPS)
        for question in ("who", "third")
    ),
    Recipe("order-who-mask-one", Order("who", "mask", N_layers=1), STEPS),
)
