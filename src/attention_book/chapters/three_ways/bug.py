"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.three_ways import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mistakes import read_mistakes

HUNT = Hunt(solutions.three_ways_mix, read_mistakes(__file__)["three_ways_mix"][0])
