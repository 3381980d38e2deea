"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.order import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.place, *read_mistakes(__file__)["place"])
