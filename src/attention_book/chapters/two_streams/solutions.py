"""Worked solutions of chapter 17's exercises."""

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from sklearn.linear_model import LogisticRegression
from torch import Generator, Tensor

from attention_book.chapters.two_streams import experiments, scenes
from attention_book.reference import attention

Matrices = tuple[np.ndarray, np.ndarray, np.ndarray]


def box_numbers(
    boxes: Float[np.ndarray, "N_R 4"], height: int, width: int
) -> Float[np.ndarray, "N_R 5"]:
    """Describe each box by its four edges and its area, as shares of the picture."""
    top, left, box_height, box_width = boxes.T
    right, bottom = left + box_width, top + box_height
    edges = [left / width, top / height, right / width, bottom / height]
    share = box_height * box_width / (height * width)
    return np.stack([*edges, share], axis=1)


def co_attention(
    words: Float[np.ndarray, "N_T D_T"],
    regions: Float[np.ndarray, "N_R D_R"],
    W_words: Matrices,
    W_regions: Matrices,
) -> tuple[
    Float[np.ndarray, "N_T D_T"],
    Float[np.ndarray, "N_R D_R"],
    Float[np.ndarray, "N_T N_R"],
    Float[np.ndarray, "N_R N_T"],
]:
    """Let the words look at the regions, and the regions at the words."""
    W_Q, W_K, W_V = W_words
    found_T, A_words = attention(words @ W_Q, regions @ W_K, regions @ W_V)
    W_Q, W_K, W_V = W_regions
    found_R, A_regions = attention(regions @ W_Q, words @ W_K, words @ W_V)
    return words + found_T, regions + found_R, A_words, A_regions


def recall_at_1(
    fits: Float[np.ndarray, "N N_captions"], right: Int[np.ndarray, " N"]
) -> float:
    """Give the share of pictures whose own caption fits better than all others."""
    at = np.arange(len(fits)), right
    others = fits.copy()
    others[at] = -np.inf
    return float(np.mean(fits[at] > others.max(axis=1)))


def by_look(model: Any, shown: scenes.Scenes) -> dict[str, dict[str, float]]:
    """Let some words or regions look everywhere equally, in one block at a time, and
    give the share of hidden relations that are guessed right.
    """
    looks = {
        "regions": ("regions", range(1, 4)),
        "digit words": ("words", experiments.NAMED),
        "relation word": ("words", [scenes.BETWEEN]),
    }
    captions = scenes.true_captions(shown)
    right = captions[:, scenes.BETWEEN]

    def without(stream: str, rows: Any, block: int) -> float:
        tap = f"blocks.{block - 1}.co.{stream}"
        change = {tap: lambda A, step: experiments.equal(A, rows)}
        guess = experiments.guess(model, shown, captions, scenes.BETWEEN, change)
        return experiments.share(guess == right)

    return {
        who: {f"block {block}": without(*look, block) for block in (1, 2)}
        for who, look in looks.items()
    }


def training_captions(
    rng: Generator, shown: scenes.Scenes
) -> tuple[Int[Tensor, "N 6"], Int[Tensor, "N 6"], Bool[Tensor, " N"]]:
    """Make a true and a false caption of each scene and hide some words."""
    false = scenes.false_captions(rng, shown)
    captions = torch.cat([scenes.true_captions(shown), false])
    fits = torch.arange(len(captions)) < len(shown)
    words = captions != scenes.CLS
    hidden = words & (torch.rand(captions.shape, generator=rng) < 0.15)
    asked = captions.where(hidden & fits[:, None], -100)
    return captions.masked_fill(hidden, scenes.MASK), asked, fits


def right_without_a_picture(
    source: Int[Tensor, "N 6"], fits: Bool[Tensor, " N"]
) -> float:
    """Give the share of captions that a linear classifier of their words judges
    correctly; it learns from every other one and is asked about the rest.
    """
    counts = F.one_hot(source).sum(dim=1)
    reader = LogisticRegression().fit(counts[::2], fits[::2])
    return float(reader.score(counts[1::2], fits[1::2]))
