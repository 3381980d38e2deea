"""Checks that say what is wrong with your code, and the zoo of bugs that tests them.

The engine. A chapter's own checks stand in its package: call one with your function,
``check_masked_softmax(masked_softmax)``. `attention_book.zoo` finds them all, with the
mistakes they know. To write one: a `checking.Check` of cases (`arrays` writes them
shortly), of laws (`laws`), and of known mistakes: those of its own in the chapter's
``mistakes.md`` (`mistakes`), those that people make everywhere from `families`.
"""
