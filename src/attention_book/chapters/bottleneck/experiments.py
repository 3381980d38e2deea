"""Chapter 1's experiments: what its cells measure, without the bookkeeping."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from attention_book import data, metrics, reference
from attention_book.chapters.bottleneck.solutions import first_error, write_and_reread

Words = Sequence[str]
Buckets = Mapping[tuple[int, int], Sequence[data.Pair]]


def fading(
    cell: Callable[..., np.ndarray],
    biases: Sequence[str],
    N_blocks: int = 1,
    D_H: int = 32,
    N_X: int = 60,
    N_draws: int = 20,
    N_sentences: int = 2,
) -> Float[np.ndarray, "N_draws N_X"]:
    """How far another first word still moves the state of untrained cells.

    Given after each word, relative to the first state; a draw of the weights in each
    row, averaged over N_sentences random sentences. `cell` is a function
    like `reference.rnn_cell`; its matrices have N_blocks blocks of D_H columns and are
    drawn evenly from -1 / sqrt(D_H) to 1 / sqrt(D_H), as those of `layers.GRU` are; the
    named biases are 0.
    """
    rng = np.random.default_rng(1)
    shape, edge = (D_H, N_blocks * D_H), D_H**-0.5
    traces = []
    for _ in range(N_draws):
        W = {name: rng.uniform(-edge, edge, shape) for name in ("W_x", "W_h")}
        W |= {bias: np.zeros(N_blocks * D_H) for bias in biases}
        moved = []
        for _ in range(N_sentences):
            X = rng.normal(size=(N_X, D_H))
            other = np.vstack([rng.normal(size=D_H), X[1:]])  # another first word
            both = [
                reference.encode(x, cell, np.zeros(D_H), **W)[0] for x in (X, other)
            ]
            moved.append(np.linalg.norm(both[0] - both[1], axis=1))
        traces.append(np.mean([trace / trace[0] for trace in moved], axis=0))
    return np.array(traces)


def exact_by_length(
    outputs: Mapping[tuple[int, int], Sequence[Words]], test: Buckets
) -> list[float]:
    """Exact match of the outputs for each bucket of the test set, 0 to 1."""
    return [
        metrics.exact_match(outputs[bucket], [pair.target for pair in pairs])
        for bucket, pairs in test.items()
    ]


def half_right(
    lengths: Sequence[float], right: Float[np.ndarray, "N_buckets"]
) -> float:
    """Length at which half of the sentences come out right, between two measured ones.

    `right` is the share of one network at each of the ascending `lengths`.
    """
    if not right[0] >= 0.5 > right[-1]:
        raise ValueError(
            f"right goes from {right[0]:.2f} to {right[-1]:.2f}: expected from 0.5 or "
            "more to less"
        )
    k = int(np.argmax(right < 0.5))  # the first length at which less than half are
    part = (right[k - 1] - 0.5) / (right[k - 1] - right[k])
    return lengths[k - 1] + part * (lengths[k] - lengths[k - 1])


def share_right(
    hypotheses: Sequence[Words], references: Sequence[Words], N_first: int
) -> float:
    """Share of translations whose first N_first words are right, 0 to 1.

    One that is right as a whole counts, however short it is.
    """
    both = zip(hypotheses, references, strict=True)
    errors = [first_error(said, right) for said, right in both]
    return float(np.mean([error is None or error >= N_first for error in errors]))


def bits_per_word(words: Iterable[Hashable]) -> float:
    """Entropy of how often each word comes, in bits."""
    counts = Counter(words)
    share = np.array(list(counts.values())) / counts.total()
    return float(-(share * np.log2(share)).sum())


def written(
    write: Callable[..., torch.Tensor],
    model: Any,
    test: Buckets,
    vocabularies: Sequence[data.Vocabulary],
) -> dict[tuple[int, int], list[tuple[str, ...]]]:
    """What a decoder written by hand makes of the test set, sources read backwards.

    `write` takes a model, sources (B, N_X) and where they are words (B, N_X), and
    returns ids (B, N_most).
    """
    source, target = vocabularies
    outputs = {}
    for bucket, pairs in test.items():
        sentences = [pair.source for pair in pairs]
        with torch.no_grad():
            ids = write(model, *data.encode_sources(sentences, source, True))
        outputs[bucket] = [target.decode(row) for row in ids.tolist()]
    return outputs


def with_rereading(
    programs: Mapping[str, Callable[..., torch.Tensor]],
    model: Any,
    pairs: Sequence[data.Pair],
    vocabularies: Sequence[data.Vocabulary],
) -> dict[str, dict[str, float]]:
    """What programs that write get right, and whether the model agrees on rereading.

    The programs are as for `written`. The two ways are those of
    `solutions.write_and_reread`.
    """
    source, target = vocabularies
    inputs = data.encode_sources([pair.source for pair in pairs], source, True)
    right = [pair.target for pair in pairs]
    shares = {}
    for name, program in programs.items():
        ways = write_and_reread(program, model, *inputs)
        said, again = ([target.decode(row) for row in ids.tolist()] for ids in ways)
        agree = [words == reread for words, reread in zip(said, again, strict=True)]
        shares[name] = {
            "first word right": share_right(said, right, N_first=1),
            "all right": metrics.exact_match(said, right),
            "the two ways agree": float(np.mean(agree)),
        }
    return shares
