"""Codes: which value each key has, drawn anew for each sequence.

    fox 7 bird 2 king 9 bird 2 fox 7 ...

A value can only be known from the pairs that stand before it.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Generator, Tensor

from attention_book.data import Vocabulary
from attention_book.shapes import check_count

KEYS = (
    *("fox", "bird", "king", "cat", "dog", "cow", "pig", "hen"),
    *("fish", "frog", "bear", "wolf", "lion", "goat", "duck", "bee"),
    *("queen", "boy", "girl", "tree", "rose", "moon", "sun", "star"),
    *("ship", "bell", "book", "cup", "hat", "box", "ring", "lamp"),
)
VALUES = tuple(map(str, range(16)))
WORDS = Vocabulary([*KEYS, *VALUES])
FIRST_KEY, FIRST_VALUE = WORDS.encode([KEYS[0], VALUES[0]])
N_KEYS, N_PAIRS = 8, 16  # of a sequence


def draw(
    rng: Generator, B: int, N_keys: int = N_KEYS, N_pairs: int = N_PAIRS
) -> Int[Tensor, "B N"]:
    """Draw sequences of pairs, N = 2 N_pairs ids, each with a code for N_keys keys.

    Two keys may have the same value.
    """
    check_count("N_keys", N_keys, 1, len(KEYS))
    keys = torch.rand(B, len(KEYS), generator=rng).argsort(dim=1)[:, :N_keys]
    values = torch.randint(len(VALUES), (B, N_keys), generator=rng)
    which = torch.randint(N_keys, (B, N_pairs), generator=rng)
    both = keys.gather(1, which) + FIRST_KEY, values.gather(1, which) + FIRST_VALUE
    return torch.stack(both, dim=2).flatten(1)


def split(
    ids: Int[Tensor, "B N"],
) -> tuple[Int[Tensor, "B N_pairs"], Int[Tensor, "B N_pairs"]]:
    """Give the keys of sequences, and the values."""
    return ids[:, ::2], ids[:, 1::2]


def showings(ids: Int[Tensor, "B N"]) -> Int[Tensor, "B N_pairs"]:
    """Count how often the key of each pair was shown before."""
    keys, _ = split(ids)
    return (keys[:, :, None] == keys[:, None]).tril(-1).sum(dim=2)


def commonest(ids: Int[Tensor, "B N"]) -> Float[Tensor, "B N_pairs N_words"]:
    """Vote, at each key, for the value that was commonest so far, whatever its key.

    Where several are, each has its share; before the first pair all values are.
    """
    _, values = split(ids)
    shown = F.one_hot(values, len(WORDS)).cumsum(dim=1)
    before = F.pad(shown, (0, 0, 1, 0))[:, :-1]
    before = before.masked_fill(torch.arange(len(WORDS)) < FIRST_VALUE, -1)
    most = (before == before.amax(dim=2, keepdim=True)).double()
    return most / most.sum(dim=2, keepdim=True)
