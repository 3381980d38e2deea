"""What is trained and recorded for chapter 4: the readers that a figure asks at once.

The chapter's table is of networks that its own cell trains, side by side.
"""

from attention_book.chapters.attention_layer.networks import RATE
from attention_book.chapters.attention_layer.tasks import LookUp
from attention_book.runs import Recipe

D = 4  # where one matrix for keys and values is too little, and two are enough
STEPS = 1000  # the cell: 500, but its rate does not fall

RECIPES = tuple(
    Recipe(name, LookUp(D, matrices), STEPS, learning_rate=RATE, keep_weights=True)
    for name, matrices in (("cards-one", "K = V"), ("cards-two", "K, V"))
)
