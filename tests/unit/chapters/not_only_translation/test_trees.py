"""What readers write about trees as sequences and of F1, and what they are told."""

import re
from collections import Counter
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import chain

import nltk
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_book.chapters.not_only_translation import solutions
from attention_book.chapters.not_only_translation.checks import (
    check_bracket_f1,
    check_flatten,
)
from attention_book.data.treebank import treebank
from attention_book.metrics import bracket_scores


def nested(tree):
    if isinstance(tree, str):
        return tree
    return (tree.label, *map(nested, tree.parts))


def test_nltk_reads_what_is_written_as_the_tree_it_was():
    bank = treebank(N_train=0, N_test=40, per_bucket=2)
    for tree in (*bank.test, *sum(bank.by_length.values(), ())):
        tokens = solutions.flatten(nested(tree))
        assert of_nltk(nested(tree)) == nltk.Tree.fromstring(" ".join(tokens))
        assert tokens == [*tree.bracketed]


def of_nltk(tree):
    return tree if isinstance(tree, str) else nltk.Tree(tree[0], map(of_nltk, tree[1:]))


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


def one_part_is_a_word(tree):
    label, *parts = tree
    if len(parts) == 1:
        return ["(" + label, parts[0], ")"]
    words = ([p] if isinstance(p, str) else one_part_is_a_word(p) for p in parts)
    return ["(" + label, *chain.from_iterable(words), ")"]


def from_the_text_of_the_tree(tree):
    return re.sub("[',]", "", str(tree)).replace(")", " )").split()


def letters_only(tree):
    return re.findall(r"\([A-Z]+|\w+|\)", str(tree).replace("'", ""))


def large_labels(tree):
    return [t.upper() if t[0] == "(" else t for t in solutions.flatten(tree)]


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (three_deep, "a law", "no text. All brackets and words stand in one list"),
        (chains_collapsed, "a phrase around one phrase left out", "a label"),
        (chains_glued, "a law", "after '' you write '(S+VP', expected '(S'."),
        (one_part_is_a_word, "a law", "tokens[1] is ('VP', 'met'"),
        (from_the_text_of_the_tree, "a law", "'dog', '\"s\"', '3000', 'fleas']"),
        (letters_only, "a law", "labels and words that hold more than letters"),
        (large_labels, "a law", "you write '(DET', expected '(Det'"),
        (printed, "shape", "tokens is a str, expected a list"),
        (glued, "a law", "tokens[2] is 'i)', expected one token"),
        (with_labels, "label at the closing bracket", "as it always closes"),
        (by_capitals, "a law", "without brackets you have ['the']"),
        (
            closed_late,
            "a law",
            "after '(S (NP the man' you write 'and', expected ')'",
        ),
        (once_each, "a law", "the sentence is ['slept', 'in', 'the', 'park', 'in',"),
        (with_pairs, "crash", "values to unpack"),
        (
            lambda tree: [printed(tree)],
            "a law",
            "expected one token: a bracket with its label",
        ),
        (lambda tree: [*tree], "a law", "tokens[1] is ('NP', 'i'), no text"),
        (lambda tree: [], "a law", "the sentence is ['i', 'slept']"),
        (lambda tree: solutions.flatten(tree)[:-1], "a law", "you write nothing more"),
        (
            lambda tree: [*solutions.flatten(tree), ")"],
            "a law",
            "you write ')', expected nothing more",
        ),
    ],
)
def test_a_mistake_in_flattening_is_told_in_any_style(function, diagnosis, says):
    verdict = check_flatten(function)
    assert says in verdict.says
    assert verdict.diagnosis == diagnosis


PHRASES = some.lists(some.sampled_from([("NP", 0, 1), ("NP", 0, 2), ("S", 0, 2)]))


@given(some.lists(some.tuples(some.none() | PHRASES, PHRASES.filter(len)), min_size=1))
def test_f1_is_that_of_the_books_own_scores(pairs):
    said, gold = (list(each) for each in zip(*pairs, strict=True))
    ours = bracket_scores(said, gold)["f1"]
    assert solutions.bracket_f1(said, gold) == pytest.approx(ours)


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


def never_silent(said, gold):
    """Somebody says something, it is taken for granted."""
    right, N_said, N_gold = counted(said, gold)
    P, R = right / N_said, right / N_gold
    return 2 * P * R / (P + R) if right else 0


def in_one_order(said, gold):
    """The phrases that both trees have, as far as they come in the same order."""
    right, N_said, N_gold = 0, *counted(said, gold)[1:]
    for own, due in zip(said, gold, strict=True):
        matches = SequenceMatcher(None, own or (), due, autojunk=False)
        right += sum(each.size for each in matches.get_matching_blocks())
    return 2 * right / (N_said + N_gold)


def half(said, gold):
    right, N_said, N_gold = counted(said, gold)
    return right / (N_said + N_gold)


def overlap(said, gold):
    right, N_said, N_gold = counted(said, gold)
    return right / (N_said + N_gold - right)


def averaged_first(said, gold):
    shares = [
        (as_precision([own], [due]), as_recall([own], [due]))
        for own, due in zip(said, gold, strict=True)
    ]
    P, R = (sum(each) / len(each) for each in zip(*shares, strict=True))
    return 2 * P * R / (P + R) if P else 0


def whole_trees(said, gold):
    pairs = zip(said, gold, strict=True)
    return sum(sorted(own or ()) == sorted(due) for own, due in pairs) / len(gold)


def as_sets(said, gold):
    right = N_said = N_gold = 0
    for own, due in zip(said, gold, strict=True):
        right += len({*(own or ())} & {*due})
        N_said += len({*(own or ())})
        N_gold += len({*due})
    P, R = right / max(N_said, 1), right / N_gold
    return 2 * P * R / (P + R) if right else 0


def only_trees(said, gold):
    kept = [(own, due) for own, due in zip(said, gold, strict=True) if own]
    return solutions.bracket_f1(*zip(*kept, strict=True)) if kept else 0


def one_by_one(said, gold):
    each = [solutions.bracket_f1([own], [due]) for own, due in zip(said, gold)]  # noqa: B905
    return float(np.mean(each))


def forgets_none(said, gold):
    return sum(len({*own} & {*due}) for own, due in zip(said, gold, strict=True))


def moved_up(said, gold):
    trees = [own for own in said if own is not None]
    hits = sum((Counter(a) & Counter(b)).total() for a, b in zip(trees, gold))  # noqa: B905
    return 2 * hits / (sum(map(len, trees)) + sum(map(len, gold)))


def stops_at_none(said, gold):
    first = said.index(None) if None in said else len(said)
    return solutions.bracket_f1(said[: first + 1], gold[: first + 1])


def nothing_if_one_is_none(said, gold):
    return 0.0 if None in said else solutions.bracket_f1(said, gold)


def nothing_if_one_is_all_wrong(said, gold):
    each = [solutions.bracket_f1([own], [due]) for own, due in zip(said, gold)]  # noqa: B905
    return solutions.bracket_f1(said, gold) if all(each) else 0


def nothing_said_is_left_out(said, gold):
    kept = [pair for pair in zip(said, gold, strict=True) if pair[0] != []]
    return solutions.bracket_f1(*zip(*kept, strict=True))


def said_as_a_set(said, gold):
    return solutions.bracket_f1([[*{*(own or ())}] for own in said], gold)


def gold_as_a_set(said, gold):
    return solutions.bracket_f1(said, [[*{*due}] for due in gold])


def geometric(said, gold):
    return (as_precision(said, gold) * as_recall(said, gold)) ** 0.5


def half_a_point(said, gold):
    return min(1, solutions.bracket_f1(said, gold) + 0.05)


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (as_precision, "a law", "You give the precision"),
        (as_recall, "a law", "You give the recall"),
        (plain_mean, "a law", "You give the plain mean"),
        (half, "a law", "You give half of F1"),
        (overlap, "a law", "said or due, each once"),
        (averaged_first, "a law", "You average precision and recall"),
        (whole_trees, "a law", "right as a whole"),
        (half_a_point, "a law", "[6 5] phrases are said, [7 4] are due"),
        (as_sets, "each phrase once", "as a set does"),
        (said_as_a_set, "each phrase once in what is said", "counts twice in both"),
        (gold_as_a_set, "each phrase once in the gold tree", "counts twice in both"),
        (moved_up, "moved up where there is no tree", "of another sentence"),
        (stops_at_none, "ends where there is no tree", "go on with the next"),
        (nothing_if_one_is_none, "a law", "F1 is off: you get 0."),
        (nothing_if_one_is_all_wrong, "a law", "F1 is off: you get 0."),
        (nothing_said_is_left_out, "a law", "On an output that is no tree: F1 is off"),
        (geometric, "a law", "the geometric mean"),
        (
            lambda said, gold: 100 * solutions.bracket_f1(said, gold),
            "a law",
            "F1 in percent",
        ),
        (one_by_one, "averaged over sentences", "for each sentence and average"),
        (in_one_order, "a law", "On another order: F1 is off"),
        (never_silent, "crash", "ZeroDivisionError"),
        (never_nothing, "crash", "ZeroDivisionError"),
        (forgets_none, "crash", "'NoneType' object is not iterable"),
    ],
)
def test_a_mistake_in_f1_is_told_in_any_style(function, diagnosis, says):
    verdict = check_bracket_f1(function)
    assert says in verdict.says
    assert verdict.diagnosis == diagnosis


def test_who_leaves_out_what_is_no_tree_is_told_even_if_it_survives_none_at_all():
    assert (
        "You skip the sentences of which nothing is"
        in check_bracket_f1(only_trees).says
    )

    def none_left_out(said, gold):
        kept = [pair for pair in zip(said, gold, strict=True) if pair[0] is not None]
        return solutions.bracket_f1(*zip(*kept, strict=True)) if kept else 0

    assert check_bracket_f1(none_left_out).diagnosis == "malformed outputs left out"


def test_an_array_is_a_list_and_a_fraction_a_number_and_a_kind_of_text_a_text():
    class Token(str):
        pass

    def counts(said, gold):
        right, N_said, N_gold = counted(said, gold)
        return Fraction(2 * right, N_said + N_gold)

    assert check_flatten(lambda tree: np.array(solutions.flatten(tree)))
    assert check_flatten(lambda tree: np.array(solutions.flatten(tree), dtype=object))
    assert check_flatten(lambda tree: [*map(Token, solutions.flatten(tree))])
    assert check_bracket_f1(counts)
    assert check_bracket_f1(lambda *trees: np.longdouble(solutions.bracket_f1(*trees)))
