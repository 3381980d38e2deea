"""The program of *Find the bug*: a worked solution with a mistake of the zoo."""

from attention_book.chapters.attention import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.attend_all, *read_mistakes(__file__)["attend_all"])
