"""The program of *Find the bug*: a worked solution with a known mistake."""

from attention_book.chapters.masks_and_heads import solutions
from attention_book.exercises.bug_hunt import BugHunt
from attention_book.exercises.mistakes import read_mistakes

BUG_HUNT = BugHunt(solutions.for_torch, *read_mistakes(__file__)["for_torch"])
