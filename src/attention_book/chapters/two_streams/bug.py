"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.two_streams import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

NAME = "training_captions"
BUG_HUNT = BugHunt(solutions.training_captions, *read_mistakes(__file__)[NAME])
