"""What chapter 2's recorded models learn, translation by a decoder that looks. And what
is measured of them: where they look, and what their output owes to that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import nn

from attention_book.data import Pair, Vocabulary, classic
from attention_book.metrics import (
    alignment_error_rate,
    alignment_floor,
    gold_weights,
    link_offsets,
    links_above,
    mass_on_gold,
    strongest_link,
)
from attention_book.models import Intervened, Translator, TranslatorConfig
from attention_book.models.interventions import forced, shuffled, strongest, uniform
from attention_book.runs import Translation, evaluate, forced_attention, keep_attention
from attention_book.runs.translation import SOURCE

CLASSICS = ("area", "bread")  # sentences known from the literature
LENGTHS = ("7-9", "10-12", "13-15", "16-18", "19-21")
ENOUGH = 0.25  # of a word's weight makes a link, where many are allowed

Vocabularies = tuple[Vocabulary, Vocabulary]


@dataclass(frozen=True)
class AttentionTranslation(Translation):
    """Translation by a model that looks; where it looks is held against gold links.

    Attributes
    ----------
    attention_kept : bool
        Keep where the model looks in a few sentences.
    intervened : bool
        Measure what becomes of the output when the attention weights are replaced.

    Raises
    ------
    ValueError
        If the source is to be reversed: gold links count from the first word.
    """

    attention_kept: bool = True
    intervened: bool = False

    def __post_init__(self) -> None:
        if self.reverse_source:
            raise ValueError(
                "reverse_source is True, expected False: gold links count from the "
                "first word"
            )

    @cached_property
    def sentences(self) -> list[Pair]:
        """Those whose attention is kept: the classics, and the first test pair of some
        lengths.
        """
        both = SOURCE, self.target
        known = [
            Pair(*map(one.tokens, both), one.alignment(*both))
            for one in map(classic, CLASSICS)
        ]
        return known + [self.unseen["test"][label][0] for label in LENGTHS]

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return Translator(TranslatorConfig(**self.configuration))

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Metrics of what the model writes, and figures of where it looks."""
        test, words = self.unseen["test"], tuple(self.vocabularies.values())
        pairs: Sequence[Pair] = list(chain(*test.values()))
        measured = super().measure(model)
        measured["alignment"] = alignment(model, pairs, words)
        if self.intervened:
            measured["intervened"] = interventions(model, test, words)
        return measured

    def keep(self, model: nn.Module) -> dict[str, Any]:
        """Keep the attention on the sentences, if asked to."""
        if not self.attention_kept:
            return {}
        return keep_attention(model, self.sentences, *self.vocabularies.values())


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
