"""The program of *Find the bug*: a worked solution with a mistake of the zoo."""

from attention_book.chapters.self_attention import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.read, *read_mistakes(__file__)["read"])
