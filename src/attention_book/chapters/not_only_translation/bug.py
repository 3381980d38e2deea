"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.not_only_translation import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.parser_f1, *read_mistakes(__file__)["parser_f1"])
