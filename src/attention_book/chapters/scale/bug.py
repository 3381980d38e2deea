"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.scale import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.gradient, *read_mistakes(__file__)["gradient"])
