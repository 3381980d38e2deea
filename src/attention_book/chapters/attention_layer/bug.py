"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.attention_layer import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.attend, *read_mistakes(__file__)["attend"])
