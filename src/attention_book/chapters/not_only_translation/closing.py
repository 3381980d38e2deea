"""Where a parser looks when it closes a phrase, and what the bracket owes to it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attention_book.data import Vocabulary, collate_pairs
from attention_book.data.batching import groups
from attention_book.data.treebank import Tree, tree_pair
from attention_book.decoding import forced_decoding
from attention_book.models import Intervened, Transformer
from attention_book.models.interventions import hiding
from attention_book.runs import cross_attention
from attention_book.trees import CLOSE, OPEN

HIDDEN = "nothing", "phrase", "next", "everything"
AT_ONCE = 25  # sentences stepped together: every step keeps its keys and values


@dataclass(frozen=True)
class Closing:
    """A step, from 0, that closes a phrase of a sentence."""

    t: int
    start: int
    end: int  # one past the last word of the phrase
    where: str  # "inside" the sentence, or at its "end", where [STOP] follows


def closings(tree: Tree) -> list[Closing]:
    """The steps that close the phrases of a tree, in their order."""
    steps = [t for t, token in enumerate(tree.bracketed) if token == CLOSE]
    return [
        Closing(t, start, end, "end" if end == len(tree.words) else "inside")
        for t, (_, start, end) in zip(steps, tree.spans, strict=True)
    ]


def attention_by_token(
    model: Transformer, trees: Sequence[Tree], vocabularies: Sequence[Vocabulary]
) -> dict[str, dict[str, Any]]:
    """Where a model looks while it is shown right trees.

    Returns
    -------
    dict
        By what it writes: a "word"; a bracket that "opens" a phrase; one that closes it
        "inside" the sentence or at its "end". Of these steps the mean weights
        (N_blocks, N_heads): on the `next` word, the first that is not written yet,
        which at the end is [STOP]; of those that close, on the `phrase`. And what equal
        weights would give: `even_next`, `even_phrase`, numbers.
    """
    found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    pairs = [tree_pair(tree) for tree in trees]
    for A, tree in zip(
        cross_attention(model, pairs, *vocabularies), trees, strict=True
    ):
        rows = np.moveaxis(A, 2, 0)  # (N_Y, N_blocks, N_heads, N_X)
        even = 1 / rows.shape[-1]
        phrases = {step.t: step for step in closings(tree)}
        written = 0
        for t, token in enumerate(tree.bracketed):
            step = phrases.get(t)
            kind = step.where if step else "opens" if token[0] == OPEN else "word"
            found[kind]["next"].append(rows[t][..., written])
            found[kind]["even_next"].append(even)
            if step:
                phrase = rows[t][..., step.start : step.end].sum(axis=-1)
                found[kind]["phrase"].append(phrase)
                found[kind]["even_phrase"].append((step.end - step.start) * even)
            written += kind == "word"
    return {
        what: {name: np.mean(some, axis=0) for name, some in of.items()}
        for what, of in found.items()
    }


def closed_right(
    model: Transformer, trees: Sequence[Tree], vocabularies: Sequence[Vocabulary]
) -> dict[str, dict[str, float]]:
    """How often a model that is shown right trees closes a phrase where it ends, if at
    that step some of the sentence is hidden from its decoder.

    Returns
    -------
    dict
        For phrases that end "inside" the sentence or at its "end", by what is hidden,
        "nothing", the "phrase", the "next" word ([STOP] at the end) or "everything":
        share, 0 to 1, of the phrases at whose end ")" is the likeliest token.
    """
    right: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    by_length = sorted(trees, key=lambda tree: len(tree.bracketed))  # little padding
    for some in groups(by_length, AT_ONCE):
        batch = collate_pairs([tree_pair(tree) for tree in some], *vocabularies)
        inputs = batch.source, batch.source_visible, batch.target_in
        steps = [(b, step) for b, tree in enumerate(some) for step in closings(tree)]
        nothing = torch.zeros(*batch.target_in.shape, batch.source.shape[1]).bool()
        hidden = {name: nothing.clone() for name in HIDDEN}
        for b, step in steps:
            hidden["phrase"][b, step.t, step.start : step.end] = True
            hidden["next"][b, step.t, step.end] = True
            hidden["everything"][b, step.t] = True
        for name, each in hidden.items():
            blind = Intervened(model, hiding(each))
            said = forced_decoding(blind, *inputs).logits.argmax(dim=-1)
            hit = said == batch.target_out
            for b, step in steps:
                right[step.where][name].append(bool(hit[b, step.t]))
    return {
        where: {name: float(np.mean(hits)) for name, hits in by_hidden.items()}
        for where, by_hidden in right.items()
    }
