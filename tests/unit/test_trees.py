"""Trees are spelled and read back; what has been spelled so far tells nothing more."""

import json
import re
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_book.trees import Node, centres, middle, nodes, spelled

Tree = namedtuple("Tree", "label parts")
LABELS = st.sampled_from(["S", "NP", "VP", "PP"])
WORDS = st.sampled_from(["i", "shot", "an", "elephant"])
TREES = st.recursive(
    st.builds(lambda label, word: Tree(label, (word,)), LABELS, WORDS),
    lambda below: st.builds(
        lambda label, parts: Tree(label, tuple(parts)),
        LABELS,
        st.lists(WORDS | below, min_size=1, max_size=4),
    ),
    max_leaves=12,
)
NOUNS, VERBS = (
    f"(S (NP i ) (VP shot (NP an elephant {pp} ) )".split()
    for pp in ("(PP in (NP my pajamas ) ) )", ") (PP in (NP my pajamas ) )")
)


def parsed(tokens):
    """The same tree as nested lists, by a reader of JSON."""
    text = " ".join(tokens)
    text = re.sub(r"([^\s()]+)", r'"\1"', text).replace("(", "[").replace(")", "]")
    return json.loads(re.sub(r'(["\]]) (?!\])', r"\1, ", text))


def listed(nested, row=0, start=0, parent=-1, first=0):
    """Nodes of nested lists, each counted by itself, and what comes after them."""
    label, *parts = nested
    below, end = [], start
    for part in parts:
        number = first + 1 + len(below)
        if isinstance(part, str):
            below.append(Node(part, row + 1, end, end + 1, first, "word"))
            end += 1
        else:
            more, end = listed(part, row + 1, end, first, number)
            below += more
    return [Node(label, row, start, end, parent, "phrase"), *below], end


@given(TREES)
def test_nodes_are_those_that_a_reader_of_json_finds(tree):
    tokens = [*spelled(tree)]
    assert nodes(tokens) == listed(parsed(tokens))[0]


@given(TREES)
def test_a_beginning_says_nothing_of_what_follows(tree):
    tokens = [*spelled(tree)]
    for t in range(1, len(tokens) + 1):
        found = nodes(tokens[:t])
        assert len(found) == t - tokens[:t].count(")")
        assert max(node.end for node in found) == sum(
            "(" not in token and token != ")" for token in tokens[:t]
        )
        assert sum(node.kind == "open" for node in found) == sum(
            token.startswith("(") - (token == ")") for token in tokens[:t]
        )


def test_two_readings_differ_from_the_token_where_they_part():
    fork = next(
        t for t, pair in enumerate(zip(NOUNS, VERBS, strict=True)) if len({*pair}) > 1
    )
    assert NOUNS[fork - 1 : fork + 1] == ["elephant", "(PP"]
    assert VERBS[fork] == ")"
    assert nodes(NOUNS[:fork]) == nodes(VERBS[:fork])
    assert nodes(NOUNS)[5] == Node("NP", 2, 2, 7, 3, "phrase")
    assert nodes(VERBS)[5] == Node("NP", 2, 2, 4, 3, "phrase")


def test_words_stand_as_far_apart_as_their_widths_ask():
    x = centres([1, 4, 2], gap=2)
    np.testing.assert_allclose(x, [1.5, 6, 11])


def test_a_phrase_stands_over_the_middle_of_its_words_once_it_is_closed():
    x = centres([1, 4, 2, 8, 2, 2, 7], gap=2)
    upper = nodes(VERBS)[5]
    assert middle(upper, x) == (x[2] + x[3]) / 2
    opened = nodes(VERBS[: VERBS.index("elephant") + 1])[5]
    assert (opened.kind, opened.end) == ("open", 4)
    assert middle(opened, x) == x[2]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("i", r"tokens\[0\] is 'i', but no bracket is open"),
        (")", r"tokens\[0\] is '\)', but no bracket is open"),
        ("(S i ) )", r"tokens\[3\] is '\)', behind the end"),
        ("(S i ) he", r"tokens\[3\] is 'he', behind the end"),
        ("(S i ) (S he )", r"tokens\[3\] is '\(S', behind the end"),
        ("(S ( i ) )", r"tokens\[1\] is '\(', expected a label in it"),
        ("(S (NP ) i )", r"tokens\[2\] closes \(NP, which holds no word"),
    ],
)
def test_what_begins_no_tree_is_refused(tokens, message):
    with pytest.raises(ValueError, match=message):
        nodes(tokens.split())
