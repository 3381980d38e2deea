"""Where a parser looks when it closes a phrase, and what the bracket owes to it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from attention_book.data import Vocabulary, collate_pairs
from attention_book.data.treebank import Tree, tree_pair
from attention_book.decoding import forced_decoding
from attention_book.models import Intervened, Transformer
from attention_book.models.interventions import hiding
from attention_book.runs import cross_attention
from attention_book.trees import CLOSE, OPEN

LOOKS = "word", "phrase", "last", "next", "even_word", "even_phrase", "even_next"
AT_ONCE = 25  # sentences stepped together: every step keeps its keys and values


def looks(
    model: Transformer, trees: Sequence[Tree], vocabularies: Sequence[Vocabulary]
) -> dict[str, Any]:
    """Where a model looks while it is shown right trees: weights, the mean of steps.

    Returns
    -------
    dict
        (N_blocks, N_heads) each. When it writes a word, on that word: `word`. When it
        closes a phrase: on the phrase's words, `phrase`, of these on the `last`; on the
        word after it, `next`, which at the end is [STOP]. And what equal weights would
        give: `even_word`, `even_phrase`, `even_next`, numbers.
    """
    found: dict[str, list[Any]] = {name: [] for name in LOOKS}
    pairs = [tree_pair(tree) for tree in trees]
    for A, tree in zip(
        cross_attention(model, pairs, *vocabularies), trees, strict=True
    ):
        each = _looks(A, tree)
        for name in LOOKS:
            found[name] += list(each[name])
    return {name: np.mean(rows, axis=0) for name, rows in found.items()}


def _looks(
    A: Float[np.ndarray, "N_blocks N_heads N_Y N_X"], tree: Tree
) -> dict[str, Any]:
    """A row (N_blocks, N_heads) of weights for every step that writes a word, and for
    every step that closes a phrase.
    """
    rows = np.moveaxis(A, 2, 0)  # (N_Y, N_blocks, N_heads, N_X)
    N_X = rows.shape[-1]
    word = [
        row
        for row, token in zip(rows, tree.bracketed, strict=True)
        if token != CLOSE and not token.startswith(OPEN)
    ]
    closed = [(rows[t], i, j) for t, i, j in _closed(tree)]
    return {
        "word": [row[..., i] for i, row in enumerate(word)],
        "phrase": [row[..., i:j].sum(axis=-1) for row, i, j in closed],
        "last": [row[..., j - 1] for row, _, j in closed],
        "next": [row[..., j] for row, _, j in closed],
        "even_word": [1 / N_X] * len(word),
        "even_phrase": [(j - i) / N_X for _, i, j in closed],
        "even_next": [1 / N_X] * len(closed),
    }


def closed_right(
    model: Transformer, trees: Sequence[Tree], vocabularies: Sequence[Vocabulary]
) -> dict[str, float]:
    """How often a model that is shown right trees closes a phrase where it ends, if at
    that step some of the sentence is hidden from its decoder.

    Returns
    -------
    dict
        By what is hidden, "nothing", the "phrase", the "next" word or "all but next":
        share of the phrases, 0 to 1, at whose end ")" is the likeliest token.
    """
    right: dict[str, list[bool]] = {}
    for start in range(0, len(trees), AT_ONCE):
        some = trees[start : start + AT_ONCE]
        batch = collate_pairs([tree_pair(tree) for tree in some], *vocabularies)
        steps = [
            (b, t, i, j) for b, tree in enumerate(some) for t, i, j in _closed(tree)
        ]
        closes = tuple(np.array(steps).T[:2])
        phrase = torch.zeros(*batch.target_in.shape, batch.source.shape[1]).bool()
        following, all_but = phrase.clone(), phrase.clone()
        for b, t, i, j in steps:
            phrase[b, t, i:j] = following[b, t, j] = all_but[b, t] = True
            all_but[b, t, j] = False
        for name, hidden in (
            ("nothing", torch.zeros_like(phrase)),
            ("phrase", phrase),
            ("next", following),
            ("all but next", all_but),
        ):
            blind = Intervened(model, hiding(hidden))
            inputs = batch.source, batch.source_visible, batch.target_in
            said = forced_decoding(blind, *inputs).logits.argmax(dim=-1)
            hits = said[closes] == batch.target_out[closes]
            right.setdefault(name, []).extend(hits.tolist())
    return {name: float(np.mean(hits)) for name, hits in right.items()}


def _closed(tree: Tree) -> Iterator[tuple[int, int, int]]:
    """The step that closes each phrase, its first word, and one past its last."""
    steps = [t for t, token in enumerate(tree.bracketed) if token == CLOSE]
    for t, (_, i, j) in zip(steps, tree.spans, strict=True):
        yield t, i, j
