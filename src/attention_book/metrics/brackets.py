"""Labelled brackets: how much of a tree is right [black1991procedure].

A tree is the multiset of its phrases, each with its label, as in [vinyals2015grammar],
its first word and one past its last; over a test set they are counted together.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from attention_book.shapes import check_filled, check_same

Phrases = Collection[tuple[str, int, int]]


def bracket_scores(
    said: Sequence[Phrases | None], gold: Sequence[Phrases]
) -> dict[str, float]:
    """Labelled precision, recall and F1 of trees.

    `said` is None where it was no tree: none of that sentence's gold phrases was said.
    All three are 0 where no phrase is right.
    """
    check_same("every tree needs its gold", said=len(said), gold=len(gold))
    check_filled("gold", gold, "tree")
    for i, phrases in enumerate(gold):
        check_filled(f"gold[{i}]", phrases, "phrase")
    N_right = N_said = N_gold = 0
    for own, due in zip(said, gold, strict=True):
        own_phrases, due_phrases = Counter(own or ()), Counter(due)
        N_right += (own_phrases & due_phrases).total()
        N_said += own_phrases.total()
        N_gold += due_phrases.total()
    return {
        "precision": N_right / max(N_said, 1),
        "recall": N_right / N_gold,
        "f1": 2 * N_right / (N_said + N_gold),
    }
