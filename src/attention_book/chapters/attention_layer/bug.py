"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.attention_layer import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(
    solutions.attention_layer_mix, read_mistakes(__file__)["attention_layer_mix"][0]
)
