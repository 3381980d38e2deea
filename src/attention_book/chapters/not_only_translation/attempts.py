"""Attempts to write a tree, to score one, and to go by way of English."""

import re
from collections import Counter
from difflib import SequenceMatcher
from fractions import Fraction
from functools import reduce
from itertools import chain

import numpy as np

from attention_book.chapters.not_only_translation import solutions
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


def printed(tree):
    return " ".join(solutions.flatten(tree))


def glued(tree):
    return printed(tree).replace(" )", ")").split()


def with_labels(tree):
    """The label at the closing bracket, from a stack and not by calling itself."""
    written, waiting = [], [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += [")" + part[0], *part[:0:-1]]
            part = "(" + part[0]
        written.append(part)
    return written


def by_capitals(tree):
    """Takes every text in capitals for a label."""
    label, *parts = tree
    tokens = ["(" + label]
    for part in parts:
        if isinstance(part, str) and not part.isupper():
            tokens.append(part)
        elif isinstance(part, str):
            tokens.append("(" + part)
        else:
            tokens += by_capitals(part)
    return [*tokens, ")"]


def closed_late(tree):
    """A phrase is closed when the next begins."""
    tokens = solutions.flatten(tree)
    for place in range(len(tokens) - 2):
        if tokens[place] == ")" and tokens[place + 1][0] not in "()":
            tokens[place : place + 2] = [tokens[place + 1], ")"]
    return tokens


def once_each(tree):
    """A part that has been written already is not written again."""
    label, *parts = tree
    tokens = []
    for part in dict.fromkeys(parts):
        tokens += [part] if isinstance(part, str) else once_each(part)
    return ["(" + label, *tokens, ")"]


def with_pairs(tree):
    """Only as many parts as a tree of two branches has."""
    label, left, right = tree
    return ["(" + label, *left, *right, ")"]


def three_deep(tree):
    """Three loops, and what lies deeper as it comes."""
    tokens = ["(" + tree[0]]
    for part in tree[1:]:
        if isinstance(part, str):
            tokens.append(part)
            continue
        tokens.append("(" + part[0])
        for inner in part[1:]:
            within = isinstance(inner, tuple)
            tokens += ["(" + inner[0], *inner[1:], ")"] if within else [inner]
        tokens.append(")")
    return [*tokens, ")"]


def chains_collapsed(tree):
    if isinstance(tree, str):
        return [tree]
    if len(tree) == 2 and isinstance(tree[1], tuple):
        return chains_collapsed(tree[1])
    return ["(" + tree[0], *chain.from_iterable(map(chains_collapsed, tree[1:])), ")"]


def chains_glued(tree):
    if isinstance(tree, str):
        return [tree]
    tokens = [*chain.from_iterable(map(chains_glued, tree[1:]))]
    if len(tree) == 2 and isinstance(tree[1], tuple):
        return ["(" + tree[0] + "+" + tokens[0][1:], *tokens[1:]]
    return ["(" + tree[0], *tokens, ")"]


def from_the_text_of_the_tree(tree):
    return re.sub("[',]", "", str(tree)).replace(")", " )").split()


def letters_only(tree):
    return re.findall(r"\([A-Z]+|\w+|\)", str(tree).replace("'", ""))


def counted(said, gold):
    """Phrases of all trees: right, said and due."""
    pairs = [
        (Counter(own or ()), Counter(due)) for own, due in zip(said, gold, strict=True)
    ]
    right = sum((own & due).total() for own, due in pairs)
    return right, sum(own.total() for own, _ in pairs), sum(map(len, gold))


def as_precision(said, gold):
    right, N_said, _ = counted(said, gold)
    return right / N_said if N_said else 0


def as_recall(said, gold):
    right, _, N_gold = counted(said, gold)
    return right / N_gold


def plain_mean(said, gold):
    return (as_precision(said, gold) + as_recall(said, gold)) / 2


def never_nothing(said, gold):
    """The harmonic mean of the formula, also where there is nothing to divide by."""
    P, R = as_precision(said, gold), as_recall(said, gold)
    return 2 * P * R / (P + R)


def in_one_order(said, gold):
    """The phrases that both trees have, as far as they come in the same order."""
    right, N_said, N_gold = 0, *counted(said, gold)[1:]
    for own, due in zip(said, gold, strict=True):
        matches = SequenceMatcher(None, own or (), due, autojunk=False)
        right += sum(each.size for each in matches.get_matching_blocks())
    return 2 * right / (N_said + N_gold)


def averaged_first(said, gold):
    shares = [
        (as_precision([own], [due]), as_recall([own], [due]))
        for own, due in zip(said, gold, strict=True)
    ]
    P, R = (sum(each) / len(each) for each in zip(*shares, strict=True))
    return 2 * P * R / (P + R) if P else 0


def as_sets(said, gold):
    right = N_said = N_gold = 0
    for own, due in zip(said, gold, strict=True):
        right += len({*(own or ())} & {*due})
        N_said += len({*(own or ())})
        N_gold += len({*due})
    P, R = right / max(N_said, 1), right / N_gold
    return 2 * P * R / (P + R) if right else 0


def said_as_a_set(said, gold):
    return solutions.bracket_f1([[*{*(own or ())}] for own in said], gold)


def only_trees(said, gold):
    kept = [(own, due) for own, due in zip(said, gold, strict=True) if own]
    return solutions.bracket_f1(*zip(*kept, strict=True)) if kept else 0


def forgets_none(said, gold):
    return sum(len({*own} & {*due}) for own, due in zip(said, gold, strict=True))


def moved_up(said, gold):
    trees = [own for own in said if own is not None]
    hits = sum((Counter(a) & Counter(b)).total() for a, b in zip(trees, gold))  # noqa: B905
    return 2 * hits / (sum(map(len, trees)) + sum(map(len, gold)))


def nothing_if_one_is_none(said, gold):
    return 0.0 if None in said else solutions.bracket_f1(said, gold)


def nothing_said_is_left_out(said, gold):
    kept = [pair for pair in zip(said, gold, strict=True) if pair[0] != []]
    return solutions.bracket_f1(*zip(*kept, strict=True))


def half_a_point(said, gold):
    return min(1, solutions.bracket_f1(said, gold) + 0.05)


def direct(translate, sentences, to, by):
    return [translate([words], to)[0] for words in sentences]


def one_at_a_time(translate, sentences, to, by):
    return [translate(translate(words, by), to) for words in sentences]


def returned_too_early(translate, sentences, to, by):
    for words in sentences:
        return translate(translate([words], by), to)


def by_dictionary(translate, sentences, to, by):
    answers = {}
    for words in sentences:
        answers[tuple(words)] = translate(translate([words], by), to)[0]
    return list(answers.values())


def by_a_dictionary_of_lists(translate, sentences, to, by):
    return list({words: translate([words], by) for words in sentences})


def paired_with_a_shorter_list(translate, sentences, to, by):
    """Each is translated once, and the first answers go to the first sentences."""
    once = [words for k, words in enumerate(sentences) if words not in sentences[:k]]
    said = translate(translate(once, by), to)
    return [
        said[k] if k < len(said) else said[once.index(words)]
        for k, words in enumerate(sentences)
    ]


def in_small_letters(translate, sentences, to, by):
    answers = solutions.pivot(translate, sentences, to, by)
    return [[word.lower() for word in words] for words in answers]


def there_and_back(translate, sentences, to, by):
    return translate(translate(translate(sentences, to), by), to)


def as_texts(translate, sentences, to, by):
    return [" ".join(words) for words in solutions.pivot(translate, sentences, to, by)]


def languages_first(translate, sentences, to, by):
    return translate(by, translate(to, sentences))


class Token(str):
    """A text of one's own."""


def as_an_array(tree):
    """An array of texts of one's own."""
    return np.array([*map(Token, solutions.flatten(tree))], dtype=object)


def as_a_fraction(said, gold):
    """Whole numbers, divided exactly."""
    right, N_said, N_gold = counted(said, gold)
    return Fraction(2 * right, N_said + N_gold)


def of_copies(translate, sentences, to, by):
    """Lists, copied on the way."""
    between = translate([words.copy() for words in sentences], by)
    return translate([words.copy() for words in between], to)


def in_an_array(translate, sentences, to, by):
    """An array of answers."""
    answers = np.empty(len(sentences), dtype=object)
    answers[:] = solutions.pivot(translate, sentences, to, by)
    return answers


ATTEMPTS = {
    "flatten": {
        flat_by_itself: RIGHT,
        flat_with_a_stack: RIGHT,
        flat_by_growing: RIGHT,
        as_an_array: RIGHT,
        three_deep: "no text. All brackets and words stand in one list",
        chains_collapsed: "whose only part is another phrase",
        chains_glued: "after '' you write '(S+VP', expected '(S'.",
        from_the_text_of_the_tree: "'dog', '\"s\"', '3000', 'fleas']",
        letters_only: "labels and words that hold more than letters",
        printed: "tokens is a str, expected a list",
        glued: "tokens[2] is 'i)', expected one token",
        with_labels: "as it always closes",
        by_capitals: "without brackets you have ['the']",
        closed_late: "after '(S (NP the man' you write 'and', expected ')'",
        once_each: "the sentence is ['slept', 'in', 'the', 'park', 'in',",
        with_pairs: "values to unpack",
        lambda tree: [*tree]: "tokens[1] is ('NP', 'i'), no text",
        lambda tree: []: "the sentence is ['i', 'slept']",
        lambda tree: solutions.flatten(tree)[:-1]: "you write nothing more",
        lambda tree: [
            *solutions.flatten(tree),
            ")",
        ]: "you write ')', expected nothing more",
    },
    "bracket_f1": {
        f1_by_crossing_off: RIGHT,
        f1_of_one_bag: RIGHT,
        f1_with_numpy: RIGHT,
        as_a_fraction: RIGHT,
        as_precision: "You give the precision",
        as_recall: "You give the recall",
        plain_mean: "You give the plain mean",
        averaged_first: "You average precision and recall",
        half_a_point: "[6 5] phrases are said, [7 4] are due",
        as_sets: "as a set does",
        said_as_a_set: "counts twice in both",
        moved_up: "of another sentence",
        only_trees: "You skip the sentences of which nothing is",
        nothing_if_one_is_none: "F1 is off: you get 0.",
        nothing_said_is_left_out: "On an output that is no tree: F1 is off",
        in_one_order: "On another order: F1 is off",
        never_nothing: "ZeroDivisionError",
        forgets_none: "'NoneType' object is not iterable",
    },
    "pivot": {
        pivot_in_one: RIGHT,
        pivot_sentence_by_sentence: RIGHT,
        pivot_along_a_way: RIGHT,
        of_copies: RIGHT,
        in_an_array: RIGHT,
        direct: "the direct translations",
        one_at_a_time: "takes a list of sentences, each a list of words",
        returned_too_early: "`return` stand inside a loop",
        by_dictionary: "an answer to each",
        by_a_dictionary_of_lists: "unhashable type: 'list'",
        paired_with_a_shorter_list: "You return 've'",
        in_small_letters: "You return 'parís'",
        there_and_back: "translate makes 'you see' (en), and of that 'ves'",
        as_texts: "sentence 0 of yours is 'ves', expected a list of words",
        languages_first: "expected one of en, fr, es",
        lambda *_: []: "you return 0 sentences for 5",
    },
}
