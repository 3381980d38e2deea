"""Trees are written as nltk reads them, and scored as the book scores them."""

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_book.chapters.not_only_translation import solutions
from attention_book.data.treebank import treebank
from attention_book.metrics import bracket_scores


def nested(tree):
    if isinstance(tree, str):
        return tree
    return (tree.label, *map(nested, tree.parts))


def of_nltk(tree):
    return tree if isinstance(tree, str) else nltk.Tree(tree[0], map(of_nltk, tree[1:]))


def test_nltk_reads_what_is_written_as_the_tree_it_was():
    bank = treebank(N_train=0, N_test=40, per_bucket=2)
    for tree in (*bank.test, *sum(bank.by_length.values(), ())):
        tokens = solutions.flatten(nested(tree))
        assert of_nltk(nested(tree)) == nltk.Tree.fromstring(" ".join(tokens))
        assert tokens == [*tree.bracketed]


PHRASES = some.lists(some.sampled_from([("NP", 0, 1), ("NP", 0, 2), ("S", 0, 2)]))


@given(some.lists(some.tuples(some.none() | PHRASES, PHRASES.filter(len)), min_size=1))
def test_f1_is_that_of_the_books_own_scores(pairs):
    said, gold = (list(each) for each in zip(*pairs, strict=True))
    ours = bracket_scores(said, gold)["f1"]
    assert solutions.bracket_f1(said, gold) == pytest.approx(ours)
