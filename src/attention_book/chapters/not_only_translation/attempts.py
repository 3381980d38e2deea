"""Attempts to write a tree, to score one, and to go by way of English."""

import re
from collections import Counter
from fractions import Fraction
from functools import reduce

import numpy as np

from attention_book.chapters.not_only_translation import solutions
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def flat_by_itself(tree):

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
    own, due = (
        Counter((i, *phrase) for i, some in enumerate(trees) for phrase in some or [])
        for trees in (said, gold)
    )
    missed, too_much = (due - own).total(), (own - due).total()
    right = own.total() - too_much
    return right / (right + (missed + too_much) / 2)


def f1_with_numpy(said, gold):
    known = sorted({phrase for some in (*said, *gold) for phrase in some or ()})
    tables = [
        np.array([[(some or []).count(phrase) for phrase in known] for some in trees])
        for trees in (said, gold)
    ]
    return 2 * np.minimum(*tables).sum() / np.sum(tables)


def pivot_in_one(translate, sentences, to, by):
    return translate(translate(sentences, by), to)


def pivot_sentence_by_sentence(translate, sentences, to, by):
    answers = []
    for words in sentences:
        (between,) = translate([words], by)
        answers += translate([list(between)], to)
    return answers


def pivot_along_a_way(translate, sentences, to, by):
    return tuple(reduce(translate, (by, to), sentences))


class Token(str):
    """A text of one's own."""


def as_an_array(tree):
    """An array of texts of one's own."""
    return np.array([*map(Token, solutions.flatten(tree))], dtype=object)


def in_an_array(translate, sentences, to, by):
    """An array of answers."""
    answers = np.empty(len(sentences), dtype=object)
    answers[:] = solutions.pivot(translate, sentences, to, by)
    return answers


def from_the_text_of_the_tree(tree):
    return re.sub("[',]", "", str(tree)).replace(")", " )").split()


def glued(tree):
    return " ".join(flat_by_itself(tree)).replace(" )", ")").split()


def as_texts(*given):
    return [" ".join(words) for words in pivot_in_one(*given)]


ATTEMPTS = {
    "flatten": {
        flat_by_itself: RIGHT,
        flat_with_a_stack: RIGHT,
        flat_by_growing: RIGHT,
        as_an_array: RIGHT,
        from_the_text_of_the_tree: "'dog', '\"s\"', '3000', 'fleas']",
        edited(flat_by_itself, "part[1:]", "dict.fromkeys(part[1:])"): "'park', 'in',",
        edited(
            flat_by_itself, "list(tokens(tree))", "' '.join(tokens(tree))"
        ): "a str,",
        glued: "tokens[2] is 'i)', expected one token",
        edited(flat_by_itself, "tree))", "tree))[:-1]"): "you write nothing more",
        edited(flat_by_itself, "tree))", "tree)) + [')']"): "expected nothing more",
        lambda tree: [*tree]: "tokens[1] is ('NP', 'i'), no text",
        lambda tree: []: "the sentence is ['i', 'slept']",
    },
    "bracket_f1": {
        f1_by_crossing_off: RIGHT,
        f1_of_one_bag: RIGHT,
        f1_with_numpy: RIGHT,
        lambda *trees: Fraction(f1_of_one_bag(*trees)): RIGHT,
        edited(f1_with_numpy, "2 *", "0.05 + 2 *"): "[6 5] phrases are said, [7 4] are",
        edited(f1_by_crossing_off, "hits == 0", "not gold"): "ZeroDivisionError",
        edited(f1_with_numpy, "(some or [])", "some"): "'NoneType' object",
    },
    "pivot": {
        pivot_in_one: RIGHT,
        pivot_sentence_by_sentence: RIGHT,
        pivot_along_a_way: RIGHT,
        in_an_array: RIGHT,
        edited(pivot_sentence_by_sentence, "[words]", "words"): "takes a list of",
        edited(pivot_along_a_way, "(by, to)", "(to, by, to)"): "and of that 'ves'",
        as_texts: "sentence 0 of yours is 'ves', expected a list of words",
        edited(pivot_in_one, "sentences, by", "by, sentences"): "expected one of en",
        lambda *_: []: "you return 0 sentences for 5",
    },
}
