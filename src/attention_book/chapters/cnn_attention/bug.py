"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.cnn_attention import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.cells, *read_mistakes(__file__)["cells"])
