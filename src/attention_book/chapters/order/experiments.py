"""Chapter 6's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import runs
from attention_book.chapters.order import sentences
from attention_book.chapters.order.model import Reader, ReaderConfig
from attention_book.data import PAD
from attention_book.training import seeded

N_SENTENCES = 400  # sentences for each amount of padding


@cache
def recorded(question: str, kind: str) -> runs.RecordedRun:
    """Read the recorded runs of a question and a kind of positions."""
    return runs.load(f"order-{question}-{kind}")


def share_right(question: str, kind: str, length: int) -> Float[np.ndarray, "N_seeds"]:
    """Share of right answers of each recorded seed.

    Lengths are 0, as in training; 1, 24 words; 2, 32 words.
    """
    return recorded(question, kind).table("test", "right")[:, length]


@torch.no_grad()
def apart(f: Callable[[Tensor], Tensor], X: Tensor, s: Int[Tensor, "N"]) -> float:
    """How far f(s(X)) lies from s(f(X)), relative to the length of f(X)."""
    Y = f(X)
    return (torch.linalg.norm(f(X[s]) - Y[s]) / torch.linalg.norm(Y)).item()


def shuffled(
    kind: str, N_layers: int = 2, last: bool = False, N_draws: int = 20
) -> Float[np.ndarray, "N_draws"]:
    """Shuffle the words of an untrained reader, in 64-bit numbers: `apart`, many times.

    With `last` it looks at the last vector only; the last word stays where it is.
    """
    draws = []
    for seed in range(N_draws):
        with seeded(seed):
            config = ReaderConfig(len(sentences.WORDS), kind, N_layers)
            reader = Reader(config).double().eval()
            if "relative" in kind:  # zeros at first, as if there were no positions
                for block in reader.blocks:
                    nn.init.normal_(block.attend.b)
            s = torch.randperm(12)
        pair = sentences.sentence("who", 11, Random(seed))
        words = torch.tensor(sentences.WORDS.encode(pair.source))
        if last:
            s = torch.tensor([*s[s < 11], 11])
        draws.append(apart(_states_of(reader, last), words, s))
    return np.array(draws)


def _states_of(reader: Reader, last: bool) -> Callable[[Tensor], Tensor]:
    """A sentence's vectors; with `last` each is the last one, which no s moves."""

    def states(words):
        Y = reader.states(words[None])[0]
        return Y[-1:].expand_as(Y) if last else Y

    return states


@torch.no_grad()
def right_when_filled(
    model: Reader,
    place: Callable[..., Float[Tensor, "B N D"]],
    P: Float[Tensor, "N_max D"],
    filled: Sequence[int],
) -> list[float]:
    """Share of *third?* answered right, with so many places filled on the left of each.

    The model's own positions are not used: `place` adds them, of X (B, N, D), visible
    (B, N) and P.
    """
    shares = []
    for N_padding in filled:
        rng = Random(N_padding)
        pairs = [sentences.sentence("third", 8, rng) for _ in range(N_SENTENCES)]
        batch = sentences.collate(pairs)
        padding = torch.full((N_SENTENCES, N_padding), PAD)
        words = torch.cat([padding, batch.source], dim=1)
        visible = words != PAD
        X = place(model.words(words), visible, P)
        for block in model.blocks:
            X = block(X, visible[:, None])
        said = model.read(X[:, -1]).argmax(-1)
        shares.append((said == batch.target_out[:, 0]).double().mean().item())
    return shares
