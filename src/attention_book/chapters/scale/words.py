"""Python's documentation strings in words, of which the commonest are known.

[START] return the sum . [STOP] [START] read a [UNK] ...
"""

from functools import cache
from itertools import chain
from zlib import crc32

import torch
from jaxtyping import Int
from torch import Tensor

from attention_book.data import Vocabulary, tokenize
from attention_book.data.docstrings import splits
from attention_book.data.vocabulary import SPECIALS

N_WORDS = 1000


def mixed(split: str) -> list[str]:
    """Mix the strings of a split, so that any first part of them is a sample of all."""
    return sorted(splits()[split], key=lambda string: crc32(string.encode()))


@cache
def strings(split: str) -> tuple[tuple[str, ...], ...]:
    """Give the strings of a split in words."""
    return tuple(map(tokenize, mixed(split)))


@cache
def words() -> Vocabulary:
    """Count the commonest words of the text to train on, all of it, with "[UNK]"."""
    counted = Vocabulary.count(strings("train")).to_list()
    return Vocabulary(counted[: N_WORDS - len(SPECIALS)])


@cache
def ids(split: str) -> Int[Tensor, " N"]:
    """Give the ids of a split, each string from [START] to [STOP]; nobody should write
    into them.
    """
    encoded = (words().encode(each, start=True, stop=True) for each in strings(split))
    return torch.tensor(list(chain.from_iterable(encoded)))
