"""Checks that say what is wrong with your code, and the bug zoo they are tested against.

The engine. A chapter's own checks stand in its package: call one with your function,
``check_masked_softmax(masked_softmax)``. `zoo` finds all of them, with the mistakes they
know.
"""
