"""Worked solutions of chapter 14's exercises."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.chapters.pretraining.sentences import TOPIC_OF, WORDS, encode
from attention_book.data.translation.lexicon import Noun


def hide_words(
    ids: Int[np.ndarray, "B N"],
    chosen: Bool[np.ndarray, "B N"],
    kind: Int[np.ndarray, "B N"],
    others: Int[np.ndarray, "B N"],
    mask_id: int,
) -> Int[np.ndarray, "B N"]:
    """Hide, replace or leave the words that BERT has to predict, by their `kind`."""
    read = np.where(chosen & (kind < 90), others, ids)
    read = np.where(chosen & (kind < 80), mask_id, read)
    return read


@torch.no_grad()
def surprises(
    model: Any, ids: Int[Tensor, " N"], mask_id: int
) -> Float[Tensor, " N_minus_2"]:
    """Hide each word between [CLS] and [SEP] in turn: its surprise, in nats."""
    log_P = []
    for n in range(1, len(ids) - 1):
        hidden = ids.clone()
        hidden[n] = mask_id
        logits = model.words(model(hidden[None]))[0, n]
        log_P.append(logits.log_softmax(-1)[ids[n]])
    return -torch.stack(log_P)


def verb_fits(
    model: Any, nouns: Iterable[Noun] = TOPIC_OF
) -> dict[str, dict[str, float]]:
    """How often *was* or *were* is the likelier one, as the noun asks, by the words
    before a singular and a plural.
    """
    with_plural = [noun.en for noun in nouns if len(noun.en) == 2]
    found: dict[str, dict[str, float]] = {}
    for first in (("the", "the"), ("this", "these"), ("these", "this")):
        shares = {}
        for number, name in enumerate(("singular", "plural")):
            right = []
            for forms in with_plural:
                words = [first[number], forms[number], "[MASK]", "seen", "today", "."]
                log_P = hidden_word(model, words, place=2)
                was, were = (log_P[each] for each in WORDS.encode(["was", "were"]))
                right.append(bool(were > was) == bool(number))
            shares[name] = sum(right) / len(right)
        found[" / ".join(dict.fromkeys(first))] = shares
    return found


@torch.no_grad()
def hidden_word(model: Any, words: list[str], place: int) -> Float[Tensor, " N_words"]:
    """The log-probability of each word at a position."""
    ids, _ = encode([(tuple(words),)])
    return model.words(model(ids))[0, place + 1].log_softmax(-1)
