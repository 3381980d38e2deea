"""What readers write about trees as sequences, and what they are told."""

import pytest

from attention_book.chapters.not_only_translation import solutions
from attention_book.chapters.not_only_translation.checks import check_flatten
from attention_book.data.treebank import Tree, treebank


def nested(tree):
    if isinstance(tree, str):
        return tree
    return (tree.label, *map(nested, tree.parts))


def test_the_treebanks_own_trees_are_flattened_as_it_does():
    bank = treebank(N_train=0, N_test=40, per_bucket=2)
    for tree in (*bank.test, *sum(bank.by_length.values(), ())):
        assert isinstance(tree, Tree)
        assert solutions.flatten(nested(tree)) == [*tree.bracketed]


def test_a_published_tree_is_written_as_it_was_printed():
    """Groucho Marx's, as chapter 8 of the NLTK book prints it."""
    printed = (
        "(S (NP I) (VP (V shot) (NP (Det an) (N elephant) (PP (P in) (NP (Det my) "
        "(N pajamas))))))"
    )
    pajamas = ("NP", ("Det", "my"), ("N", "pajamas"))
    an_elephant = (("Det", "an"), ("N", "elephant"), ("PP", ("P", "in"), pajamas))
    tree = ("S", ("NP", "I"), ("VP", ("V", "shot"), ("NP", *an_elephant)))
    assert " ".join(solutions.flatten(tree)).replace(" )", ")") == printed


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


def with_pairs(tree):
    """Only as many parts as a tree of two branches has."""
    label, left, right = tree
    return ["(" + label, *left, *right, ")"]


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (printed, "shape", "tokens is a str, expected a list"),
        (glued, "a law", "tokens[2] is 'i)', expected one token"),
        (with_labels, "label at the closing bracket", "as it always closes"),
        (by_capitals, "a law", "without brackets you have ['the']"),
        (
            closed_late,
            "a law",
            "after '(S (NP the man' you write 'and', expected ')'",
        ),
        (with_pairs, "crash", "values to unpack"),
        (
            lambda tree: [printed(tree)],
            "a law",
            "expected one token: a bracket with its label",
        ),
        (lambda tree: [*tree], "a law", "tokens[1] is ('NP', 'i'), no text"),
        (lambda tree: [], "a law", "the sentence is ['i', 'slept']"),
        (lambda tree: solutions.flatten(tree)[:-1], "a law", "'nothing more'"),
        (
            lambda tree: [*solutions.flatten(tree), ")"],
            "a law",
            "you write ')', expected 'nothing more'",
        ),
    ],
)
def test_a_mistake_in_flattening_is_told_in_any_style(function, diagnosis, says):
    verdict = check_flatten(function)
    assert says in verdict.says
    assert verdict.diagnosis == diagnosis
