"""Batches: sentences of all lengths in a rectangle; a mask tells words from padding.

A row of the source is its words, then STOP, then PAD. The decoder reads `target_in`
(START, then the words) and learns to write `target_out` (the words, then STOP), both
filled with PAD. Sentences of like length go together, so that little of a batch is
padding; a batch is as many pairs as fit a budget of target tokens, padding included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import TypeVar

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attention_book.shapes import (
    PAD,
    START,
    STOP,
    check_count,
    check_filled,
    check_type,
)

from .pairs import Pair, check_pairs
from .vocabulary import Vocabulary

# pairs sorted by length together: many for little padding, few for varied batches
CHUNK = 2_000

T = TypeVar("T")
Ids = tuple[list[int], list[int]]  # of a source and its target


@dataclass(frozen=True)
class Batch:
    """B sentence pairs as ids."""

    source: Int[Tensor, "B N_X"]  # words, STOP, PAD
    source_visible: Bool[Tensor, "B N_X"]  # False where it is PAD: no look goes there
    target_in: Int[Tensor, "B N_Y"]  # START, words, PAD: what the decoder reads
    target_out: Int[Tensor, "B N_Y"]  # words, STOP, PAD: what it should write

    def __len__(self) -> int:
        return len(self.source)

    @property
    def N_target_tokens(self) -> int:
        """Target tokens that count in the loss: words and STOP, without padding."""
        return int((self.target_out != PAD).sum())


def padded(rows: Sequence[Sequence[int]]) -> Int[Tensor, "B N"]:
    """Fill rows up with PAD to the longest."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])


def _check_ids(name: str, ids: Sequence[int]) -> None:
    check_filled(name, ids, "id of a word")
    special = next((i for i in ids if i <= STOP), None)
    if special is not None:
        raise ValueError(
            f"{name} holds the special id {special}: expected words only, the batch "
            "adds START and STOP"
        )


def collate(pairs_of_ids: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Batch:
    """One batch of (source ids, target ids), words only."""
    check_filled("pairs_of_ids", pairs_of_ids, "pair")
    for b, (source, target) in enumerate(pairs_of_ids):
        _check_ids(f"the source of pairs_of_ids[{b}]", source)
        _check_ids(f"the target of pairs_of_ids[{b}]", target)
    sources = padded([[*source, STOP] for source, _ in pairs_of_ids])
    target_in = padded([[START, *target] for _, target in pairs_of_ids])
    target_out = padded([[*target, STOP] for _, target in pairs_of_ids])
    return Batch(sources, sources != PAD, target_in, target_out)


def collate_pairs(
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> Batch:
    """One batch of pairs of words."""
    check_pairs("pairs", pairs)
    return collate(
        [
            (source_vocabulary.encode(p.source), target_vocabulary.encode(p.target))
            for p in pairs
        ]
    )


def encode_sources(
    sentences: Sequence[Sequence[str]],
    vocabulary: Vocabulary,
    reverse_source: bool = False,
) -> tuple[Int[Tensor, "B N_X"], Bool[Tensor, "B N_X"]]:
    """Sources ready for decoding: ids (words, STOP, PAD) and where they are not PAD.

    `reverse_source` writes the words of each sentence backwards; STOP stays last.
    """
    check_filled("sentences", sentences, "sentence")
    check_type("vocabulary", vocabulary, Vocabulary)
    step = -1 if reverse_source else 1
    source = padded([[*vocabulary.encode(words)[::step], STOP] for words in sentences])
    return source, source != PAD


def groups(things: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Groups of so many, in order; the last may be smaller."""
    for first in range(0, len(things), size):
        yield things[first : first + size]


def _cut(ids: list[Ids], tokens_per_batch: int) -> Iterator[list[Ids]]:
    """Cut pairs, sorted by target length, into runs that fit the budget of tokens."""
    run: list[Ids] = []
    for pair in ids:
        width = len(pair[1]) + 1  # words and STOP; sorted, so the newest is the widest
        if run and width * (len(run) + 1) > tokens_per_batch:
            yield run
            run = []
        run.append(pair)
    yield run


def _epochs(
    ids: list[Ids], tokens_per_batch: int, seed: int, epochs: int | None
) -> Iterator[Batch]:
    rng, order = Random(seed), list(range(len(ids)))
    for _ in count() if epochs is None else range(epochs):
        rng.shuffle(order)
        for some in groups(order, CHUNK):
            chunk = [ids[i] for i in some]
            chunk.sort(key=lambda pair: (len(pair[1]), len(pair[0])))
            runs = list(_cut(chunk, tokens_per_batch))
            rng.shuffle(runs)
            yield from map(collate, runs)


def _check_budget(tokens_per_batch: int, pairs: Sequence[Pair]) -> None:
    check_count("tokens_per_batch", tokens_per_batch)
    i, longest = max(enumerate(pairs), key=lambda each: len(each[1].target))
    words = longest.target
    if len(words) >= tokens_per_batch:
        raise ValueError(
            f"tokens_per_batch is {tokens_per_batch}, expected at least "
            f"{len(words) + 1}: the target of pairs[{i}] has {len(words)} words before "
            f"STOP, {' '.join(words)!r:.60}"
        )


def batches(
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    tokens_per_batch: int = 1500,
    seed: int,
    reverse_source: bool = False,
    epochs: int | None = None,
) -> Iterator[Batch]:
    """Batches, in epochs: each sees every pair once, in an order of its own.

    Parameters
    ----------
    tokens_per_batch : int
        Budget: a batch has at most this many target tokens, padding included.
    seed : int
        Of the shuffling; nothing else draws from it.
    reverse_source : bool
        Write the source words backwards; STOP stays last.
    epochs : int, optional
        After how many to end; without end when left out.
    """
    check_pairs("pairs", pairs)
    check_type("source_vocabulary", source_vocabulary, Vocabulary)
    check_type("target_vocabulary", target_vocabulary, Vocabulary)
    check_type("seed", seed, int)
    _check_budget(tokens_per_batch, pairs)
    if epochs is not None:
        check_count("epochs", epochs)
    step = -1 if reverse_source else 1
    ids = [
        (source_vocabulary.encode(p.source)[::step], target_vocabulary.encode(p.target))
        for p in pairs
    ]
    return _epochs(ids, tokens_per_batch, seed, epochs)
