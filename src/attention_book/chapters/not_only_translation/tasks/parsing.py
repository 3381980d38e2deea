"""What chapter 13's parser learns, to write a sentence's tree as a flat sequence of
brackets and words, and what is measured of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from attention_book.chapters.not_only_translation.closing import (
    attention_by_token,
    closed_right,
)
from attention_book.data import Batch, Pair, Vocabulary, batches
from attention_book.data.treebank import (
    Tree,
    Treebank,
    readings,
    tree_over,
    tree_pair,
    tree_vocabularies,
    treebank,
)
from attention_book.metrics import bracket_scores, exact_match
from attention_book.models import Transformer, TransformerConfig
from attention_book.runs import Task, cross_attention, log_probability, translate

SENTENCES = {
    "elephant": "i shot an elephant in my pajamas",
    "watched": "i watched the man with the telescope",
    "met": "i met the man with the telescope",
    "park": "i saw a woman in the park",
    "coat": "i saw the man in a coat",
}  # each with two readings
MOST_TOKENS = 150  # that are written: a tree of 30 words has up to 108
N_MEASURED = 200  # sentences whose attention is measured


@dataclass(frozen=True)
class Parsing(Task):
    """Sentences to parse."""

    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)  # of the model
    tokens_per_batch: int = 500  # of trees

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """Words, and words and brackets."""
        return tree_vocabularies()

    @cached_property
    def unseen(self) -> Treebank:
        """Trees to measure with, none of them for training."""
        return treebank(N_train=0)

    def model(self) -> Transformer:
        """A model with fresh weights."""
        return Transformer(
            TransformerConfig(*map(len, self.vocabularies.values()), **self.sizes)
        )

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Batches for training, without end: the same for the same seed."""
        return batches(
            _pairs(),
            *self.vocabularies.values(),
            tokens_per_batch=self.tokens_per_batch,
            seed=seed,
        )

    def measure(self, model: Any) -> dict[str, Any]:
        """`scores` of the test trees, "natural" as drawn and "test" by length; where it
        `looks`; how many phrases are `closed_right`; and of each of `SENTENCES`,
        "readings", P of the likelier and of the other.
        """
        words = tuple(self.vocabularies.values())
        parts = {
            f"{low}-{high}": trees
            for (low, high), trees in self.unseen.by_length.items()
        }
        some = self.unseen.test[:N_MEASURED]
        return {
            "test": {name: self.scores(model, some) for name, some in parts.items()},
            "natural": self.scores(model, self.unseen.test),
            "looks": attention_by_token(model, some, words),
            "closed": closed_right(model, some, words),
            "readings": {
                name: dict(zip(("first", "second"), self.P(model, text), strict=True))
                for name, text in SENTENCES.items()
            },
        }

    def keep(self, model: Any) -> dict[str, Any]:
        """Keep "parses": each reading of `SENTENCES` with where every head looks while
        it is written.
        """
        kept = []
        for name, text in SENTENCES.items():
            both = readings(text.split())
            pairs = [tree_pair(each.tree) for each in both]
            attended = cross_attention(model, pairs, *self.vocabularies.values())
            kept += [
                {
                    "sentence": name,
                    "words": each.tree.words,
                    "tokens": each.tree.bracketed,
                    "P": P,
                    "A": A,
                }
                for each, P, A in zip(both, self.P(model, text), attended, strict=True)
            ]
        return {"parses": kept}

    def write(self, model: Any, sentences: Sequence[Sequence[str]]) -> list[tuple]:
        """What a model writes of sentences, trees or not."""
        words = self.vocabularies.values()
        return translate(model, sentences, *words, max_words=MOST_TOKENS)

    def scores(self, model: Any, trees: Sequence[Tree]) -> dict[str, float]:
        """Hold what a model writes of the trees' sentences against the trees.

        The share `malformed` is no tree over the sentence.
        """
        written = self.write(model, [tree.words for tree in trees])
        read = [
            tree_over(said, tree.words)
            for said, tree in zip(written, trees, strict=True)
        ]
        spans = [tree and tree.spans for tree in read]
        return bracket_scores(spans, [tree.spans for tree in trees]) | {
            "exact": exact_match(written, [tree.bracketed for tree in trees]),
            "malformed": read.count(None) / len(read),
        }

    def P(self, model: Any, text: str) -> list[float]:
        """How probable a model finds each reading of a sentence, the grammar's likelier
        first: P(tree | sentence).
        """
        pairs = [tree_pair(each.tree) for each in readings(text.split())]
        words = self.vocabularies.values()
        return np.exp(log_probability(model, pairs, *words)).tolist()


@cache  # the seeds share them
def _pairs() -> list[Pair]:
    return [tree_pair(tree) for tree in treebank(N_test=0, per_bucket=0).train]
