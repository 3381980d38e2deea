"""Worked solutions of chapter 13."""

from collections import Counter
from collections.abc import Callable, Sequence

from attention_book.data.treebank.tree import Span

Nested = tuple["str | Nested", ...]  # a phrase: its label, then words and phrases
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
