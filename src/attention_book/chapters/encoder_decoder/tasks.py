"""What chapter 12's recorded models learn, the translation of chapters 1 and 2, by a
Transformer. And what is measured of it: where each head looks, and what it is worth.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from attention_book.data import Pair, Vocabulary, collate_pairs, encode_sources
from attention_book.data.batching import groups
from attention_book.decoding import beam
from attention_book.metrics import alignment_figures, bleu, exact_match
from attention_book.models import Intervened, Transformer, TransformerConfig
from attention_book.models.interventions import Change, uniform
from attention_book.runs import Translation, cross_attention, translate
from attention_book.runs.evaluation import SENTENCES_AT_ONCE
from attention_book.training import token_cross_entropy

CLASSICS = ("area", "bread")  # sentences known from the literature
LENGTHS = ("10-12", "16-18")
WIDTH = 4  # of the beam, as Vaswani et al. chose it

Vocabularies = Sequence[Vocabulary]  # of the source and of the target


@dataclass(frozen=True)
class TransformerTranslation(Translation):
    """Translation by a Transformer."""

    tokens_per_batch: int = 500  # a third of chapter 1's: a step costs as much
    held_out: bool = True
    attention_kept: bool = False  # keep where every head looks in a few sentences

    @cached_property
    def sentences(self) -> list[Pair]:
        """Those whose attention is kept: the classics, and the first test pair of some
        lengths.
        """
        known = [self.classic(name) for name in CLASSICS]
        return known + [self.unseen["test"][label][0] for label in LENGTHS]

    def model(self) -> Transformer:
        """A model with fresh weights."""
        return Transformer(TransformerConfig(**self.configuration))

    def measure(self, model: Any) -> dict[str, Any]:
        """Metrics of what the model writes, and figures of each head."""
        test, words = self.unseen["test"], tuple(self.vocabularies.values())
        pairs = list(chain(*test.values()))
        attended = cross_attention(model, pairs, *words)
        return super().measure(model) | {
            "surprise": surprise(model, test, words),
            "beam": beams(model, pairs, words),
            "alignment": figures([A[-1].mean(axis=0) for A in attended], pairs),
            "heads": heads(attended, pairs) | right_when_blinded(model, pairs, words),
        }

    def keep(self, model: Any) -> dict[str, Any]:
        """Keep where each head looks in the sentences, if asked to.

        Of each "source", "target", "alignment" and "said" without [STOP], and "A"
        (N_blocks, N_heads, N_Y, N_X) with the row and the column of [STOP].
        """
        if not self.attention_kept:
            return {}
        words = tuple(self.vocabularies.values())
        sources = [pair.source for pair in self.sentences]
        return {
            "cross_attention": [
                {
                    "source": pair.source,
                    "target": pair.target,
                    "alignment": sorted(pair.alignment),
                    "said": said,
                    "A": A,
                }
                for pair, said, A in zip(
                    self.sentences,
                    translate(model, sources, *words),
                    cross_attention(model, self.sentences, *words, stop=True),
                    strict=True,
                )
            ]
        }


def figures(
    attended: Sequence[Float[np.ndarray, "_ _"]], pairs: Sequence[Pair]
) -> dict[str, Any]:
    """Hold weights, one matrix a pair, against the gold links."""
    gold = [pair.alignment for pair in pairs]
    return alignment_figures(attended, gold, [len(pair.source) for pair in pairs])


def heads(
    attended: Sequence[Float[np.ndarray, "N_blocks N_heads _ _"]],
    pairs: Sequence[Pair],
) -> dict[str, Any]:
    """Alignment error and weight on gold links of each head, and of the mean of each
    block's: `aer` and `mass` (N_blocks, N_heads), `blocks_aer` (N_blocks,).
    """
    N_blocks, N_heads = attended[0].shape[:2]
    each = [
        [figures([A[block, head] for A in attended], pairs) for head in range(N_heads)]
        for block in range(N_blocks)
    ]
    means = [[A[block].mean(axis=0) for A in attended] for block in range(N_blocks)]
    return {
        "aer": [[one["aer"] for one in row] for row in each],
        "mass": [[one["mass"] for one in row] for row in each],
        "blocks_aer": [figures(mean, pairs)["aer"] for mean in means],
    }


def right_when_blinded(
    model: Transformer, pairs: Sequence[Pair], vocabularies: Vocabularies
) -> dict[str, Any]:
    """Share of sentences still right when heads are blinded: given equal weights.

    `without` (N_blocks, N_heads) one head, `without_block` (N_blocks,) all of a block,
    `blind` every head; and `only` (N_blocks, N_heads) every head but this.
    """
    config = model.config
    N_blocks, N_heads = config.N_decoder_blocks, config.N_heads
    N = N_blocks * N_heads
    of_block = [range(N_heads * k, N_heads * (k + 1)) for k in range(N_blocks)]

    def right(blinded: Collection[int]) -> float:
        blind = Intervened(model, at_heads(blinded, N, uniform))
        said = translate(blind, [pair.source for pair in pairs], *vocabularies)
        return exact_match(said, [pair.target for pair in pairs])

    return {
        "without": [[right({head}) for head in block] for block in of_block],
        "only": [[right({*range(N)} - {head}) for head in b] for b in of_block],
        "without_block": [right(block) for block in of_block],
        "blind": right(range(N)),
    }


def at_heads(chosen: Collection[int], N: int, change: Change) -> Change:
    """Change the weights of some of a model's N heads, counted through its blocks."""
    turn = cycle(range(N))

    def changed(a_t: torch.Tensor, visible: torch.Tensor | None, t: int):
        return change(a_t, visible, t) if next(turn) in chosen else a_t

    return changed


def beams(
    model: Transformer, pairs: Sequence[Pair], vocabularies: Vocabularies
) -> dict[str, dict[str, float]]:
    """Beam search by log P ("sum") and by log P per word ("per word")."""
    source, target = vocabularies
    found = []
    for some in groups(pairs, SENTENCES_AT_ONCE):
        inputs = encode_sources([pair.source for pair in some], source)
        found += beam(model, *inputs, width=WIDTH).hypotheses  # best per word first
    best = {
        "sum": [
            max(each, key=lambda h: (h.finished, h.log_probability)) for each in found
        ],
        "per word": [each[0] for each in found],
    }
    references = [pair.target for pair in pairs]
    measured = {}
    for name, chosen in best.items():
        said = [target.decode(one.ids) for one in chosen]
        measured[name] = {
            "exact_match": exact_match(said, references),
            "bleu": bleu(said, references),
        }
    return measured


def surprise(model: Transformer, test: Any, vocabularies: Vocabularies) -> float:
    """Mean surprise at the right next word of the test sentences, nats a word."""
    losses, sizes = [], []
    for pairs in test.values():
        batch = collate_pairs(pairs, *vocabularies)
        with torch.no_grad():
            losses.append(token_cross_entropy(model, batch).item())
        sizes.append(batch.N_target_tokens)
    return float(np.average(losses, weights=sizes))
