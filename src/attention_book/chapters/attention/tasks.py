"""What chapter 2's recorded models learn: translation by a decoder that looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from torch import nn

from attention_book.chapters.attention.measures import alignment, interventions
from attention_book.data import Pair, classic
from attention_book.models import Translator, TranslatorConfig
from attention_book.runs import Translation, keep_attention
from attention_book.runs.translation import SOURCE

CLASSICS = ("area", "bread")  # sentences known from the literature
LENGTHS = ("7-9", "10-12", "13-15", "16-18", "19-21")


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
