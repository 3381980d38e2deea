"""What chapter 2's recorded models learn, and what is measured of where they look."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import nn

from attention_book.data import Pair, Vocabulary
from attention_book.metrics import alignment_figures, gold_weights
from attention_book.models import Intervened, Translator, TranslatorConfig
from attention_book.models.interventions import forced, shuffled, strongest, uniform
from attention_book.runs import Translation, evaluate, forced_attention, keep_attention

CLASSICS = ("area", "bread")  # sentences known from the literature
LENGTHS = ("7-9", "10-12", "13-15", "16-18", "19-21")

Vocabularies = tuple[Vocabulary, Vocabulary]


@dataclass(frozen=True)
class AttentionTranslation(Translation):
    """Translation by a model that looks; where it looks is held against gold links."""

    attention_kept: bool = True  # of a few sentences
    intervened: bool = False  # measured with other attention weights, too

    def __post_init__(self) -> None:
        if self.reverse_source:
            raise ValueError(
                "reverse_source is True, expected False: gold links count from the "
                "first word"
            )

    @cached_property
    def sentences(self) -> list[Pair]:
        """Those whose attention is kept: classics, and a test pair of some lengths."""
        known = [self.classic(name) for name in CLASSICS]
        return known + [self.unseen["test"][label][0] for label in LENGTHS]

    def model(self) -> nn.Module:
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
    """Hold a model's attention against the gold alignment, as `alignment_figures`."""
    shown = forced_attention(model, pairs, *vocabularies)
    weights = [A[:-1] for A, _, _ in shown]  # without the step of [STOP]
    gold = [pair.alignment for pair in pairs]
    return alignment_figures(weights, gold, [len(pair.source) for pair in pairs])


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
