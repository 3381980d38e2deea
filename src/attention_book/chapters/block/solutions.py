"""Chapter 11, *The block and the encoder*: worked solutions."""

from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.chapters.block.model import MaskedWords
from attention_book.chapters.block.sentences import MASK, SENSES, TOPICS, WORDS


def block_weights(D: int, D_hidden: int) -> dict[str, int]:
    """Count the weights of a block, by part."""
    return {
        "attention": 4 * D * D,  # W_Q, W_K, W_V, W_O
        "mlp": 2 * D * D_hidden + D_hidden + D,  # W_1, W_2; b_1, b_2
        "norms": 2 * (D + D),  # two norms, gamma and beta each
    }


def nearest_sense(
    new: Float[np.ndarray, "N_new D"], known: Float[np.ndarray, "N_senses N_known D"]
) -> Int[np.ndarray, "N_new"]:
    """Give each new vector the sense whose mean vector is nearest."""
    centroids = known.mean(axis=1)  # (N_senses, D)
    away = new[:, None] - centroids  # (N_new, N_senses, D)
    return (away**2).sum(axis=-1).argmin(axis=-1)


def encode(
    X: Float[Tensor, "B N D"],
    visible: Bool[Tensor, "B 1 N"],
    blocks: Iterable[nn.Module],
) -> list[Float[Tensor, "B N D"]]:
    """Send vectors through a stack of blocks, and keep them after each."""
    vectors = [X]
    for block in blocks:
        X, _ = block(X, visible)
        vectors.append(X)
    return vectors


@torch.no_grad()
def with_exchanged(
    model: MaskedWords,
    source: Int[Tensor, "B N"],
    other: Int[Tensor, "B N"],
    place: int,
    layer: int,
) -> Float[Tensor, "B N N_words"]:
    """Give the logits of a sentence that has one vector of another, from a layer on."""
    visible = source > 0
    X = model.states(source, visible)[layer].clone()
    X[:, place] = model.states(other, visible)[layer][:, place]
    for block in model.encoder.blocks[layer:]:
        X, _ = block(X, visible[:, None])
    return model.read(X)


def followed(model: MaskedWords) -> dict[str, list[float]]:
    """How far the guess of a place follows a vector that was exchanged, by layer.

    Returns
    -------
    dict
        By what was exchanged: at the entrance and after each block, the probability of
        the places that fit the other sentence. Mean over words, senses and verbs.
    """
    source, other, fits = pairs_of_sentences()
    places = {"two-sense word": 4, "verb": 2, "[MASK]": 7}
    shares: dict[str, list[float]] = {name: [] for name in places}
    for name, place in places.items():
        for layer in range(len(model.encoder.blocks) + 1):
            logits = with_exchanged(model, source, other, place, layer)
            P = logits[:, -1].softmax(dim=-1).gather(1, fits)  # (B, 3)
            shares[name].append(P.sum(dim=1).mean().item())
    return shares


def pairs_of_sentences() -> tuple[Int[Tensor, "B 8"], Int[Tensor, "B 8"], Tensor]:
    """Give sentences, the same in the word's other sense, and places fit for that."""
    rows = []
    for word, senses in SENSES.items():
        for own, other in (senses, senses[::-1]):
            places = TOPICS[other][2]
            for verbs in zip(
                *(TOPICS[t][0].split() for t in (own, other)), strict=True
            ):
                texts = [f"the man {verb} the {word} in the {MASK}" for verb in verbs]
                rows.append([WORDS.encode(text.split()) for text in (*texts, places)])
    return tuple(torch.tensor(each) for each in zip(*rows, strict=True))
