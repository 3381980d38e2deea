"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.block import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.encode, *read_mistakes(__file__)["encode"])
