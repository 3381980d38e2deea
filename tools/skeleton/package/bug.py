"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.skeleton import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.skeleton_mix, read_mistakes(__file__)["skeleton_mix"][0])
