"""Worked solutions of chapter 13."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from attention_book import metrics, runs
from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.data.treebank import Tree, readings, tree_over, tree_pair
from attention_book.data.treebank.tree import Span

Nested = tuple["str | Nested", ...]  # a phrase: its label, then words and phrases
AT_ONCE = 40  # pairs in a batch
EDGES = (0.5, 0.6, 0.7, 0.8, 0.9, 1)  # of the bins of shares
Sentences = Sequence[Sequence[str]]


def flatten(tree: Nested) -> list[str]:
    """Write a tree as brackets and words: "(NP", what is in it, ")"."""
    label, *parts = tree
    inner = []
    for part in parts:
        if isinstance(part, str):
            inner.append(part)
        else:
            inner += flatten(part)
    return [f"({label}", *inner, ")"]


def bracket_f1(
    said: Sequence[Sequence[Span] | None], gold: Sequence[Sequence[Span]]
) -> float:
    """F1 of labelled brackets, 0 to 1, over all sentences together."""
    N_right = N_said = N_gold = 0
    for phrases, gold_phrases in zip(said, gold, strict=True):
        own, due = Counter(phrases or ()), Counter(gold_phrases)
        N_right += (own & due).total()  # of each phrase, as often as both have it
        N_said += own.total()
        N_gold += due.total()
    return 2 * N_right / (N_said + N_gold)


def pivot(
    translate: Callable[[Sentences, str], Sentences],
    sentences: Sentences,
    to: str,
    by: str,
) -> Sentences:
    """Translate sentences into the language `to` by way of the language `by`."""
    between = translate(sentences, by)
    return translate(between, to)


def as_unsure(model: Any, task: Parsing) -> dict[str, dict[str, float]]:
    """Hold the model's share of the likelier of two readings against the grammar's.

    Of the test sentences with just two readings, in bins of the grammar's share, and of
    all: how many sentences, both shares, how far they lie apart, and how far if the
    same share, the grammar's mean, were said of every sentence.
    """
    found = [readings(tree.words, most=3) for tree in task.unseen.test]
    two = [both for both in found if len(both) == 2]
    pairs = [tree_pair(reading.tree) for both in two for reading in both]
    log_P = [
        each
        for i in range(0, len(pairs), AT_ONCE)
        for each in runs.log_probability(
            model, pairs[i : i + AT_ONCE], *task.vocabularies.values()
        )
    ]
    first, second = np.reshape(log_P, (-1, 2)).T
    said = 1 / (1 + np.exp(second - first))  # P(first) / (P(first) + P(second))
    share = np.array([likelier.P for likelier, _ in two])
    columns = {
        "grammar": share,
        "model": said,
        "apart": abs(said - share),
        "always the mean": abs(share.mean() - share),
    }
    bins = {f"{low} to {high}": (low, high) for low, high in pairwise(EDGES)}
    rows = {name: (low <= share) & (share < high) for name, (low, high) in bins.items()}
    rows["all"] = np.full(len(share), True)
    return {
        name: {"sentences": int(here.sum())}
        | {column: float(each[here].mean()) for column, each in columns.items()}
        for name, here in rows.items()
        if here.any()
    }


def parser_f1(written: Sequence[Sequence[str]], trees: Sequence[Tree]) -> float:
    """F1 of what a parser wrote, tokens for each tree's sentence."""
    read = map(tree_over, written, [tree.words for tree in trees])
    said = [own.spans if own else None for own in read]
    gold = [tree.spans for tree in trees]
    return metrics.bracket_scores(said, gold)["f1"]
