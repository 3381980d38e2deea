"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.norm_and_residuals import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.norm, *read_mistakes(__file__)["norm"])
