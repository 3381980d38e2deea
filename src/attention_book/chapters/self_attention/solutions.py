"""Chapter 5, *Self-attention*: worked solutions."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book import layers
from attention_book.chapters.self_attention.sentences import (
    GERMAN,
    KIND,
    collate,
    vocabularies,
)
from attention_book.chapters.self_attention.tasks import Asked, asked_in, attend


def multiply_adds(N_X: int, D_X: int, D_Q: int, D_V: int) -> int:
    """Count the multiply-adds of a self-attention layer."""
    matrices = N_X * D_X * (D_Q + D_Q + D_V)  # X W_Q, X W_K, X W_V
    return matrices + N_X * N_X * D_Q + N_X * N_X * D_V  # Q K^T, A V


def counted_by_fit(asked: Asked, words: Sequence[str]) -> dict[str, Counter[str]]:
    """Count a word for each question: where a noun fits, and where none does."""
    counts = {"fits a noun": Counter(), "fits none": Counter()}
    for (_, each), word in zip(asked, words, strict=True):
        counts["fits none" if each.gold is None else "fits a noun"][word] += 1
    return counts


def attended_most(
    model: Any, sentences: Sequence[Sequence[str]]
) -> dict[str, Counter[str]]:
    """Count what adjectives look at most: where a noun fits, and where none does.

    All nouns are counted as one.
    """
    asked = asked_in(sentences)
    _, A = attend(model, sentences, asked)
    words = [sentences[b][row.argmax()] for (b, _), row in zip(asked, A, strict=True)]
    return counted_by_fit(
        asked, ["a noun" if word in GERMAN else word for word in words]
    )


@torch.no_grad()
def said_evenly(
    model: Any, sentences: Sequence[Sequence[str]]
) -> dict[str, Counter[str]]:
    """Count what is said if equal weights replace the trained ones: where a noun fits,
    and where none does.
    """
    batch = collate(sentences)
    V = model.places(model.words(batch.source)) @ model.attend.W_V
    visible = batch.source_visible[:, None].float()  # (B, 1, N_X)
    Y = visible / visible.sum(dim=-1, keepdim=True) @ V
    said = model.answer(Y[:, 0]).argmax(dim=-1)  # one answer a sentence
    answers, asked = vocabularies()["target"].words, asked_in(sentences)
    return counted_by_fit(asked, [answers[said[b]] for b, _ in asked])


@torch.no_grad()
def said_by_values(
    model: Any, sentences: Sequence[Sequence[str]]
) -> dict[str, Counter[str]]:
    """Count the answers that are read off the value of a single word.

    Nouns are counted by their German word, all other words as one.
    """
    batch = collate(sentences)
    X = model.places(model.words(batch.source))
    said = model.answer(X @ model.attend.W_V).argmax(dim=-1)
    answers, counts = vocabularies()["target"].words, defaultdict(Counter)
    for b, words in enumerate(sentences):
        for i, word in enumerate(words):
            kind = (
                f"a noun that is {GERMAN[word]}" if word in GERMAN else "another word"
            )
            counts[kind][answers[said[b, i]]] += 1
    return dict(counts)


@torch.no_grad()
def between_means(model: Any) -> dict[str, dict[str, float]]:
    """Share of the variance of all nouns' keys, and values, that lies between the means
    of the kinds, and between those of the genders. Both are made of the nouns' own
    vectors, without places.
    """
    nouns, rows = [*GERMAN], {}
    X = model.words(torch.tensor(vocabularies()["source"].encode(nouns)))
    for name, W in (("keys", model.attend.W_K), ("values", model.attend.W_V)):
        Z = X @ W - (X @ W).mean(dim=0)
        rows[name] = {}
        for trait, of in (("kind", KIND), ("gender", GERMAN)):
            groups = [[of[each] == of[noun] for each in nouns] for noun in nouns]
            means = torch.stack([Z[group].mean(dim=0) for group in groups])
            rows[name][trait] = (means.square().sum() / Z.square().sum()).item()
    return rows


def read(
    model: Any, source: Int[Tensor, "B N_X"], visible: Bool[Tensor, "B #N_X N_X"]
) -> tuple[Float[Tensor, "B N_X N_answers"], Float[Tensor, "B N_X N_X"]]:
    """Let a model read, with one product for queries, keys and values together."""
    X = model.places(model.words(source))
    layer = model.attend
    W = torch.cat([layer.W_Q, layer.W_K, layer.W_V], dim=1)  # (D, 3 D)
    # taken apart in the order in which they were put together
    Q, K, V = (X @ W).chunk(3, dim=-1)
    Y, A = layers.attention(Q, K, V, visible)
    return model.answer(Y), A
