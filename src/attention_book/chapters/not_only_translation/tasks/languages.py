"""What chapter 13's recorded translators learn: four directions between three languages
in one model. And what is measured of it: all nine, copies among them; and the two
between French and Spanish, which it is never taught, by way of English as well.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attention_book.data import Batch, Pair, Triple, Vocabulary, batches, classic
from attention_book.data.translation import (
    COPIES,
    LANGUAGES,
    TAUGHT,
    ZERO_SHOT,
    joint_vocabularies,
    spoken,
    tagged,
    training_pairs,
    triples,
)
from attention_book.data.translation.forms import vocabulary
from attention_book.metrics import bleu, exact_match
from attention_book.models import Transformer, TransformerConfig, Wrapped
from attention_book.runs import Task, translate
from attention_book.shapes import STOP

N_TEST, N_SHOWN = 400, 4  # sentences
WAYS = (*TAUGHT, *ZERO_SHOT, *COPIES)
SPOKEN = (*LANGUAGES, "mixed")

Words = Sequence[str]
Answers = dict[tuple[str, str], list[tuple[str, ...]]]  # by (source, target)


@dataclass(frozen=True)
class ThreeLanguages(Task):
    """One model that is taught English to French and to Spanish, and back."""

    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)  # of the model
    copies: float = 0.0  # share of the training pairs, below 1
    copied: tuple[str, ...] = LANGUAGES
    tokens_per_batch: int = 500  # of the target

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of all three languages on either side; the source has tags, too."""
        return joint_vocabularies()

    @cached_property
    def test(self) -> tuple[Triple, ...]:
        """Unseen sentences, in all three languages."""
        return triples("test", N_TEST)

    def model(self) -> Transformer:
        """A model with fresh weights."""
        counts = map(len, self.vocabularies.values())
        return Transformer(TransformerConfig(*counts, **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Batches for training, without end: the same for the same seed."""
        return batches(
            _pairs(self.copies, self.copied),
            *self.vocabularies.values(),
            tokens_per_batch=self.tokens_per_batch,
            seed=seed,
        )

    def measure(self, model: Any) -> dict[str, Any]:
        """Measure what the model writes of unseen sentences, in every direction.

        Returns
        -------
        dict
            By direction, such as "fr-es", `test`, and `through_english` for those that
            are never taught: see `figures`. And `same`, by source: the share of
            sentences with one answer, whether English is asked for or the other
            foreign language. And `only`, BLEU of `in_words_of_the_target`.
        """
        texts = _texts(self.test)
        said = directly(model, texts)
        return {
            "test": _by_name(said, texts),
            "through_english": _by_name(through_english(model, said), texts),
            "same": {
                source: _share_alike(said[source, "en"], said[source, to])
                for source, to in ZERO_SHOT
            },
            "only": in_words_of_the_target(model, texts),
        }

    def keep(self, model: Any) -> dict[str, Any]:
        """Keep what the model writes of a few sentences: `said` and `through_english`,
        by direction, beside `texts`, by language.
        """
        few = [classic("bread"), *self.test[: N_SHOWN - 1]]
        texts = _texts(few)
        said = directly(model, texts)
        through = through_english(model, said)
        return {
            "examples": [
                {
                    "texts": {to: texts[to][i] for to in LANGUAGES},
                    "said": {_name(way): each[i] for way, each in said.items()},
                    "through_english": {
                        _name(way): each[i] for way, each in through.items()
                    },
                }
                for i in range(len(few))
            ]
        }


def write(model: Any, sources: Sequence[Words], to: str) -> list[tuple[str, ...]]:
    """Let a model write sentences, in whichever languages, in "en", "fr" or "es"."""
    asked = [tagged(words, to) for words in sources]
    return translate(model, asked, *joint_vocabularies().values())


def directly(model: Any, texts: Mapping[str, Sequence[Words]]) -> Answers:
    """Write the same sentences, given by language, in every direction."""
    return {(source, to): write(model, texts[source], to) for source, to in WAYS}


def through_english(model: Any, said: Answers) -> Answers:
    """Write in the directions that are never taught by way of English: what a model
    said in English is its source now.
    """
    return {
        (source, to): write(model, said[source, "en"], to) for source, to in ZERO_SHOT
    }


class InWordsOf(Wrapped):
    """A translator that may write words of one language only, whatever it reads."""

    def __init__(self, model: nn.Module, to: str):
        super().__init__(model)
        target = joint_vocabularies()["target"]
        allowed = torch.zeros(len(target), dtype=torch.bool)
        allowed[[*target.encode(vocabulary(to).to_list()), STOP]] = True
        self.register_buffer("allowed", allowed)

    def step(
        self, token: Tensor, memory: Any, state: Any
    ) -> tuple[Tensor, Any, Tensor | None]:
        """The model's step; any other word is out of the question."""
        logits, state, a_t = self.model.step(token, memory, state)
        return logits.masked_fill(~self.allowed, -torch.inf), state, a_t


def in_words_of_the_target(
    model: Any, texts: Mapping[str, Sequence[Words]]
) -> dict[str, float]:
    """BLEU where the language of the answer is not left to a model: it may write words
    of the target only. Two directions that are never taught, and, to compare, English
    into either language with a tag that asks for the other.
    """
    french, spanish = (InWordsOf(model, to) for to in ("fr", "es"))
    return {
        "fr-es": bleu(write(spanish, texts["fr"], "es"), texts["es"]),
        "es-fr": bleu(write(french, texts["es"], "fr"), texts["fr"]),
        "en-es": bleu(write(spanish, texts["en"], "fr"), texts["es"]),
        "en-fr": bleu(write(french, texts["en"], "es"), texts["fr"]),
    }


def figures(answers: Sequence[Words], texts: Sequence[Words]) -> dict[str, float]:
    """BLEU (0 to 100), the share of answers that are right in every word, and the
    shares that are in English, French, Spanish, or in none of them ("mixed").

    A source that leaves open what its translation must say, as Spanish *come* does
    between *he eats* and *she eats*, has the one reference that was drawn.
    """
    heard = Counter(map(spoken, answers))
    return {
        "bleu": bleu(answers, texts),
        "exact_match": exact_match(answers, texts),
        **{each: heard[each] / len(answers) for each in SPOKEN},
    }


def _by_name(
    said: Answers, texts: Mapping[str, Sequence[Words]]
) -> dict[str, dict[str, float]]:
    return {_name(way): figures(each, texts[way[1]]) for way, each in said.items()}


def _name(way: tuple[str, str]) -> str:
    return "-".join(way)


def _share_alike(some: Sequence[Words], others: Sequence[Words]) -> float:
    return float(np.mean([a == b for a, b in zip(some, others, strict=True)]))


def _texts(sentences: Sequence[Triple]) -> dict[str, list[tuple[str, ...]]]:
    return {to: [one.tokens(to) for one in sentences] for to in LANGUAGES}


@lru_cache(maxsize=2)  # the recipes differ in it, and their seeds share it
def _pairs(copies: float, copied: tuple[str, ...]) -> tuple[Pair, ...]:
    return training_pairs(copies, copied)
