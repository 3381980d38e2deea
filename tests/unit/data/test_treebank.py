"""The treebank: its grammar and its readings beside nltk's, its trees beside nltk's
reader, its parts apart from each other."""

from collections import Counter
from math import isclose
from random import Random

import nltk
import pytest

from attention_book.data.treebank import (
    BUCKETS,
    Tree,
    draw_tree,
    readings,
    tree_of,
    tree_over,
    tree_pair,
    tree_vocabularies,
    treebank,
)
from attention_book.data.treebank.corpus import part
from attention_book.data.treebank.grammar import RULES, label, rules

ELEPHANT = ["i", "shot", "an", "elephant", "in", "my", "pajamas"]
KIND = {each.parts[0]: kind for kind in rules() for each in rules()[kind] if each.word}
NOUNS = {kind: kind for kind in ("person", "animal", "place", "worn", "tool")}
NOUNS |= {"elephant": "animal", "pajamas": "worn"}
PAJAMAS = Tree("PP", ("in", Tree("NP", ("my", "pajamas"))))
NONE = {"N_train": 0, "N_test": 0}
I = Tree("NP", ("i",))  # noqa: E741
AN = Tree("NP", ("an", "elephant"))
OF_THE_VERB = Tree("S", (I, Tree("VP", ("shot", AN, PAJAMAS))))
OF_THE_ELEPHANT = Tree("S", (I, Tree("VP", ("shot", Tree("NP", (AN, PAJAMAS))))))


@pytest.fixture(scope="module")
def theirs():
    return nltk.PCFG.fromstring(RULES.strip().splitlines())


@pytest.fixture(scope="module")
def small():
    return treebank(3, N_train=200, N_test=80, per_bucket=6)


def test_the_rules_are_those_that_nltk_reads(theirs):
    made = theirs.productions()
    read = {(str(p.lhs()), tuple(map(str, p.rhs()))): p.prob() for p in made}
    ours = {(name, each.parts): each.P for name in rules() for each in rules()[name]}
    assert ours.keys() == read.keys()
    assert all(isclose(ours[rule], read[rule]) for rule in ours)  # nltk: they sum to 1


def test_the_readings_are_those_of_nltks_parser(as_a_reader, theirs):
    def labelled(tree):  # without the grammar's own symbols
        if isinstance(tree, str):
            return (tree,)
        parts = tuple(each for part in tree for each in labelled(part))
        name = label(tree.label())
        return (Tree(name, parts),) if name else parts

    parser = nltk.InsideChartParser(theirs)
    rng, tested = Random(1), 0
    while tested < 12:
        words = draw_tree(rng).words
        if not 5 <= len(words) <= 11:
            continue
        tested += 1
        trees = [(labelled(tree)[0], tree.prob()) for tree in parser.parse(words)]
        total = sum(P for _, P in trees)
        found = {each.tree: each.P for each in readings(words)}
        assert len(found) == len(trees)
        for tree, P in trees:
            assert found[tree] == pytest.approx(P / total)


def test_the_elephant_has_both_of_its_readings(as_a_reader):
    both = readings(ELEPHANT)
    assert [each.tree for each in both] == [OF_THE_VERB, OF_THE_ELEPHANT]
    assert both[0].P > both[1].P > 0
    assert sum(each.P for each in both) == pytest.approx(1)
    assert readings(ELEPHANT, 1) == both[:1]


def test_trees_are_drawn_as_often_as_the_rules_say(as_a_reader):
    """Words of each kind, and what a VP is made of: chi-square against P."""
    rng = Random(5)
    used = Counter(rule for _ in range(8_000) for rule in rules_of(draw_tree(rng)))
    for made, some in rules().items():
        if made == "VP" or some[0].word:
            N = sum(used[made, rule.parts] for rule in some)
            due = {rule.parts: N * rule.P for rule in some}
            assert min(due.values()) > 5
            off = sum((used[made, way] - n) ** 2 / n for way, n in due.items())
            assert off < 35, made  # of 14 ways: exceeded once in a thousand seeds


def rules_of(tree):
    """The rules of words and of VP that a tree uses: what is made, and of what."""
    if tree.label == "VP":
        yield "VP", tuple(map(symbol, tree.parts))
    for below in tree.parts:
        if isinstance(below, str):
            yield KIND[below], (below,)
        else:
            yield from rules_of(below)


def symbol(part):
    """The grammar's symbol of a part of a VP: its first noun says which NP or PP."""
    if isinstance(part, str):
        return KIND[part]
    nouns = (NOUNS[KIND[word]] for word in part.words if KIND[word] in NOUNS)
    return part.label if part.label == "SBAR" else f"{part.label}_{next(nouns)}"


def test_a_tree_and_its_sequence_are_one(as_a_reader, small):
    for tree in small.test:
        assert tree_of(tree.bracketed) == tree
        assert tree_over(tree.bracketed, tree.words) == tree


def test_words_and_phrases_are_those_that_nltk_finds(as_a_reader, small):
    for tree in (*small.test[:30], OF_THE_VERB, OF_THE_ELEPHANT):
        read = nltk.Tree.fromstring(" ".join(tree.bracketed))
        assert tuple(read.leaves()) == tree.words
        assert Counter(tree.spans) == Counter(spans(read))


def spans(tree, start=0):
    """Phrases of nltk's tree."""
    end, found = start, []
    for each in tree:
        inner = [] if isinstance(each, str) else spans(each, end)
        end += 1 if isinstance(each, str) else len(each.leaves())
        found += inner
    return [*found, (tree.label(), start, end)]


def test_phrases_come_in_the_order_in_which_they_close():
    inner = ("NP", 0, 1), ("NP", 2, 4), ("NP", 5, 7)
    assert OF_THE_VERB.spans == (*inner, ("PP", 4, 7), ("VP", 1, 7), ("S", 0, 7))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "tokens is empty"),
        ("i slept", r"tokens\[0\] is 'i', but no bracket is open"),
        (")", r"tokens\[0\] is '\)', but no bracket is open"),
        ("(S )", r"tokens\[1\] closes \(S, which holds no word"),
        ("(S i ) slept", r"tokens\[3\] is 'slept', behind the end of the tree"),
        ("(S (NP i", r"tokens end while \(S, \(NP are open"),
    ],
)
def test_what_is_no_tree_says_where(as_a_reader, text, says):
    with pytest.raises(ValueError, match=says):
        tree_of(text.split())
    assert tree_over(text.split(), ["i"]) is None


@pytest.mark.parametrize(
    "words",
    [[*ELEPHANT[:-1], "coat"], ["shot", "i", *ELEPHANT[2:]], ELEPHANT[:-1], []],
)
def test_a_tree_over_other_words_is_none(words):
    assert tree_over(OF_THE_VERB.bracketed, words) is None


def test_no_sentence_stands_in_two_parts(as_a_reader, small):
    parts = {
        "train": small.train,
        "validation": small.validation,
        "test": (*small.test, *(t for some in small.by_length.values() for t in some)),
    }
    for name, trees in parts.items():
        assert {part(tree) for tree in trees} == {name}
    sizes = [len(each) for each in (small.train, small.validation, small.test)]
    assert sizes == [200, 80, 80]


def test_a_sentences_part_is_its_own_in_every_process():
    parts = {"they left": "test", "you slept": "validation", "i slept": "train"}
    assert {text: part(Tree("S", tuple(text.split()))) for text in parts} == parts


def test_the_longest_have_30_words(small):
    assert max(len(tree.words) for tree in small.by_length[BUCKETS[-1]]) == 30


def test_a_bucket_holds_different_sentences_of_its_length(as_a_reader):
    by_length = treebank(3, **NONE, per_bucket=30).by_length
    assert tuple(by_length) == BUCKETS
    for (low, high), trees in by_length.items():
        assert all(low <= len(tree.words) <= high for tree in trees)
        assert len({tree.words for tree in trees}) == len(trees) == 30


def test_a_seed_draws_the_same_again_and_another_others(as_a_reader, small):
    again = treebank(3, N_train=5, N_test=80, per_bucket=0)
    assert again.test == small.test
    assert again.train == small.train[:5]
    assert treebank(4, N_train=0, N_test=80, per_bucket=0).test != small.test
    few, others = (treebank(seed, **NONE, per_bucket=1).by_length for seed in (3, 4))
    assert few == {bucket: trees[:1] for bucket, trees in small.by_length.items()}
    assert not {*few.values()} & {*others.values()}


def test_the_vocabularies_know_every_sentence_and_its_brackets(as_a_reader, small):
    source, target = tree_vocabularies().values()
    for tree in small.train[:200]:
        pair = tree_pair(tree)
        assert source.decode(source.encode(pair.source)) == tree.words
        assert tree_of(target.decode(target.encode(pair.target))) == tree
    assert set(target.to_list()) - set(source.to_list()) == {
        *(f"({name}" for name in ("S", "SBAR", "VP", "NP", "PP")),
        ")",
    }
