"""What is measured of a translator that looks: where it looks, and what its output
owes to that."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from attention_book.data import Pair, Vocabulary
from attention_book.metrics import (
    alignment_error_rate,
    alignment_floor,
    gold_weights,
    link_offsets,
    links_above,
    mass_on_gold,
    strongest_link,
)
from attention_book.models import Intervened
from attention_book.models.interventions import forced, shuffled, strongest, uniform
from attention_book.runs import evaluate, forced_attention

ENOUGH = 0.25  # of a word's weight makes a link, where many are allowed

Vocabularies = tuple[Vocabulary, Vocabulary]


def alignment(
    model: Any, pairs: Sequence[Pair], vocabularies: Vocabularies
) -> dict[str, Any]:
    """Hold a model's attention against the gold alignment.

    Returns
    -------
    dict
        `aer` (one link a word), `aer_many` (every input with more than a quarter of the
        weight), `floor` (the least that one link a word can reach), `mass` (share of
        weight on gold links), all 0 to 1; and `offsets`, the share of words whose
        strongest input is so many words right of the nearest gold one (shares below
        0.001 left out).
    """
    gold = [pair.alignment for pair in pairs]
    shown = forced_attention(model, pairs, *vocabularies)
    read = [A[:-1] for A, _, _ in shown]  # without the step of [STOP]
    sizes = [len(pair.source) for pair in pairs]
    both = list(zip(read, sizes, strict=True))
    one = [strongest_link(A, length=n) for A, n in both]
    many = [links_above(A, ENOUGH, length=n) for A, n in both]
    shares = link_offsets([strongest_link(A) for A in read], gold)
    mass = [mass_on_gold(A, links) for A, links in zip(read, gold, strict=True)]
    return {
        "aer": alignment_error_rate(one, gold),
        "aer_many": alignment_error_rate(many, gold),
        "floor": alignment_floor(gold),
        "mass": float(np.nanmean(np.concatenate(mass))),
        "offsets": {
            str(offset): round(share, 4)
            for offset, share in shares.items()
            if share >= 0.001
        },
    }


def gold_attention(pairs: Sequence[Pair]) -> Float[torch.Tensor, "B N_Y N_X"]:
    """Weights on the gold links only, [STOP] at [STOP], for a batch of pairs."""
    N_Y, N_X = (
        1 + max(len(getattr(pair, side)) for pair in pairs)
        for side in ("target", "source")
    )
    rows = [
        gold_weights(pair.alignment, N_Y, N_X, otherwise=len(pair.source))
        for pair in pairs
    ]
    return torch.from_numpy(np.stack(rows))


INTERVENTIONS: Mapping[str, Callable[[Sequence[Pair]], Any]] = {
    "uniform": lambda pairs: uniform,
    "shuffled": lambda pairs: shuffled(0),
    "strongest": lambda pairs: strongest,
    "gold": lambda pairs: forced(gold_attention(pairs)),
}


def interventions(
    model: Any, test: Mapping[str, Sequence[Pair]], vocabularies: Vocabularies
) -> dict[str, dict[str, dict[str, float]]]:
    """Measure what a model writes with other attention, by the name of the change."""
    return {
        name: {
            label: evaluate(
                Intervened(model, change(pairs)), {label: pairs}, *vocabularies
            )[label]
            for label, pairs in test.items()
        }
        for name, change in INTERVENTIONS.items()
    }
