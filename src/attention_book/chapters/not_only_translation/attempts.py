"""Right ways to write a tree, to score one, and to go by way of English."""

from collections import Counter
from functools import reduce

import numpy as np

from attention_book.exercises.verdict import RIGHT


def flat_by_itself(tree):
    """A generator that calls itself."""

    def tokens(part):
        if isinstance(part, str):
            yield part
            return
        yield "(" + part[0]
        for each in part[1:]:
            yield from tokens(each)
        yield ")"

    return list(tokens(tree))


def flat_with_a_stack(tree):
    """No function calls itself: what is still to be written waits on a stack."""
    written, waiting = [], [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += [[")"], *part[:0:-1], ["(" + part[0]]]
        else:
            written.append(part if isinstance(part, str) else part[0])
    return written


def flat_by_growing(tree):
    """Opens one layer of phrases after the other, until none is left."""
    tokens = (tree,)
    while any(isinstance(token, tuple) for token in tokens):
        opened = [
            (f"({token[0]}", *token[1:], ")") if isinstance(token, tuple) else (token,)
            for token in tokens
        ]
        tokens = sum(opened, ())
    return tokens


def f1_by_crossing_off(said, gold):
    """Lists only: a gold phrase that is found is crossed off."""
    hits = said_in_all = 0
    for own, due in zip(said, gold, strict=True):
        left = list(due)
        for phrase in own or []:
            said_in_all += 1
            if phrase in left:
                left.remove(phrase)
                hits += 1
    if hits == 0:
        return 0
    P, R = hits / said_in_all, hits / sum(map(len, gold))
    return 2 * P * R / (P + R)


def f1_of_one_bag(said, gold):
    """One bag for all, with the sentence's number in every phrase."""
    own, due = (
        Counter((i, *phrase) for i, some in enumerate(trees) for phrase in some or [])
        for trees in (said, gold)
    )
    missed, too_much = (due - own).total(), (own - due).total()
    right = own.total() - too_much
    return right / (right + (missed + too_much) / 2)


def f1_with_numpy(said, gold):
    """Counts of every phrase that occurs, sentences × phrases."""
    known = sorted({phrase for some in (*said, *gold) for phrase in some or ()})
    tables = [
        np.array([[(some or []).count(phrase) for phrase in known] for some in trees])
        for trees in (said, gold)
    ]
    return 2 * np.minimum(*tables).sum() / np.sum(tables)


def pivot_in_one(translate, sentences, to, by):
    """One line."""
    return translate(translate(sentences, by), to)


def pivot_sentence_by_sentence(translate, sentences, to, by):
    """A loop, and lists of one sentence."""
    answers = []
    for words in sentences:
        (between,) = translate([words], by)
        answers += translate([list(between)], to)
    return answers


def pivot_along_a_way(translate, sentences, to, by):
    """As many steps as there are languages on the way."""
    return tuple(reduce(translate, (by, to), sentences))


ATTEMPTS = {
    "flatten": {
        flat_by_itself: RIGHT,
        flat_with_a_stack: RIGHT,
        flat_by_growing: RIGHT,
    },
    "bracket_f1": {
        f1_by_crossing_off: RIGHT,
        f1_of_one_bag: RIGHT,
        f1_with_numpy: RIGHT,
    },
    "pivot": {
        pivot_in_one: RIGHT,
        pivot_sentence_by_sentence: RIGHT,
        pivot_along_a_way: RIGHT,
    },
}
