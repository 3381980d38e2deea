"""Worked solutions of chapter 13."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from attention_book import metrics, runs
from attention_book.chapters.not_only_translation.tasks.parsing import Parsing
from attention_book.data.treebank import Tree, readings, tree_over, tree_pair
from attention_book.data.treebank.tree import Span

Nested = tuple["str | Nested", ...]  # a phrase: its label, then words and phrases
AT_ONCE = 40  # pairs in a batch
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
    """Of sentences with two readings, compare shares of the likelier one: the grammar's
    and the model's, in bins of the grammar's, and how far apart they are.
    """
    found = [readings(tree.words, most=3) for tree in task.unseen.test]
    two = [both for both in found if len(both) == 2]
    pairs = [tree_pair(reading.tree) for both in two for reading in both]
    batches = (pairs[i : i + AT_ONCE] for i in range(0, len(pairs), AT_ONCE))
    words = task.vocabularies.values()
    log_P = [runs.log_probability(model, each, *words) for each in batches]
    share = np.array([likelier.P for likelier, _ in two])
    first, second = np.exp(np.concatenate(log_P)).reshape(-1, 2).T
    model_share = first / (first + second)
    columns = {
        "grammar": share,
        "model": model_share,
        "apart": abs(model_share - share),
        "apart, always the mean": abs(share.mean() - share),
    }
    tenth = np.minimum(share * 10, 9).astype(int)
    rows = {f".{k}": tenth == k for k in sorted({*tenth})} | {"all": tenth == tenth}
    return {
        name: {"sentences": int(here.sum())}
        | {column: float(each[here].mean()) for column, each in columns.items()}
        for name, here in rows.items()
    }


def parser_f1(written: Sequence[Sequence[str]], trees: Sequence[Tree]) -> float:
    """F1 of what a parser wrote, tokens for each tree's sentence."""
    read = map(tree_over, written, [tree.words for tree in trees])
    said = [own and own.spans for own in read]
    gold = [tree.spans for tree in trees]
    return metrics.bracket_scores(said, gold)["f1"]
