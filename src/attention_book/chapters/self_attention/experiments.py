"""Chapter 5's experiments: what its cells measure, without the bookkeeping."""

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from random import Random

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention_book import layers, models
from attention_book.chapters.self_attention.model import PronounModel
from attention_book.chapters.self_attention.sentences import (
    GERMAN,
    collate,
    nouns_of,
    sentence,
)
from attention_book.chapters.self_attention.tasks import asked_in

N_SEEN = 5000  # sentences on which a lazy answer is chosen


def cost(N_X: int, D: int) -> tuple[int, int]:
    """Count a self-attention layer's multiply-adds, and the bytes of A; widths are D.

    PyTorch counts, while the layer computes.
    """
    layer, X = layers.SelfAttention(D, D, D), torch.zeros(N_X, D)
    _, A = layer(X)
    return models.N_products(layer, X), A.nbytes


def pointing_baselines(sentences: Sequence[Sequence[str]]) -> dict[str, float]:
    """How often the noun that an adjective fits is hit without reading.

    Position and distance are those that are best in other sentences.
    """
    rng = Random(0)
    places, distances = Counter(), Counter()
    for _, each in asked_in([sentence(rng, none=0) for _ in range(N_SEEN)]):
        places[each.gold] += 1
        distances[each.asks - each.gold] += 1
    (place, _), (distance, _) = places.most_common(1)[0], distances.most_common(1)[0]
    hits = [
        {
            "a random word": 1 / len(sentences[b]),
            "the best distance": each.asks - each.gold == distance,
            "the best position": place == each.gold,
            "the first noun": nouns_of(sentences[b])[0] == each.gold,
            "the last noun": nouns_of(sentences[b])[-1] == each.gold,
        }
        for b, each in asked_in(sentences)
        if each.gold is not None
    ]
    return {name: float(np.mean([hit[name] for hit in hits])) for name in hits[0]}


def says_most_nouns(sentences: Sequence[Sequence[str]]) -> float:
    """How often it is right to say, at every adjective, the word of most of the nouns.

    That is "-" where the nouns of a sentence have three different words.
    """
    right = []
    for b, each in asked_in(sentences):
        words = [GERMAN[sentences[b][place]] for place in nouns_of(sentences[b])]
        most = max(words, key=words.count)
        right.append(each.answer == (most if words.count(most) > 1 else "-"))
    return float(np.mean(right))


def with_program(
    model: PronounModel, program: Callable[..., tuple[Tensor, Tensor]]
) -> PronounModel:
    """Give a copy of a model, with the same weights, another way to look."""
    trial = copy(model)
    trial.with_attention = lambda source, visible: program(trial, source, visible)
    return trial


def row_of(
    words: Sequence[str], word: str
) -> Callable[[PronounModel], Float[np.ndarray, "N_X"]]:
    """For `training.Snapshots`: where a word looks in a sentence."""
    batch, place = collate([words]), words.index(word)

    def row(model: PronounModel) -> Float[np.ndarray, "N_X"]:
        _, A = model.with_attention(batch.source, batch.source_visible[:, None])
        return A[0, place].detach().numpy()

    return row
