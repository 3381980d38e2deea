"""How many bits a character of documentation strings takes: to a GPT, to counts of
pieces and to programs that compress.
"""

import gzip
import lzma
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import log2
from typing import Any

from attention_book.chapters.generation.docstring_pieces import (
    N_PIECES,
    N_characters,
    ids,
)
from attention_book.data import START
from attention_book.data.docstrings import splits
from attention_book.runs import gpt_bits

Run = tuple[int, ...]

ORDERS = {"unigram": 1, "bigram": 2, "trigram": 3}


class Counts:
    """Runs of up to three pieces, counted; a rare run's probability leans on that of
    the run without its first piece, by Witten and Bell's rule [witten1991zero].
    """

    def __init__(self, text: Sequence[int]):
        runs = (
            zip(*(text[k:] for k in range(n)), strict=False) for n in ORDERS.values()
        )
        self.counts = Counter(chain.from_iterable(runs))
        self.after: Counter[Run] = Counter()  # how often something follows a run
        self.kinds: Counter[Run] = Counter()  # and how many different pieces
        for run, count in self.counts.items():
            self.after[run[:-1]] += count
            self.kinds[run[:-1]] += 1

    def probability(self, run: Run) -> float:
        """Give that of a run's last piece after the others."""
        if not run:
            return 1 / N_PIECES
        shorter, before = self.probability(run[1:]), run[:-1]
        if before not in self.after:
            return shorter
        count, kinds = self.after[before], self.kinds[before]
        return (self.counts[run] + kinds * shorter) / (count + kinds)

    def bits(self, text: Sequence[int], order: int) -> float:
        """How surprising a text is, in bits, where runs are of `order` pieces."""
        runs = (tuple(text[max(0, k - order) : k]) for k in range(1, len(text) + 1))
        return -sum(log2(self.probability(run)) for run in runs)


@cache
def counts() -> Counts:
    """Count the text that is trained on."""
    return Counts(_asked("train"))


def _asked(split: str) -> list[int]:
    return ids(split)[ids(split) != START].tolist()


def compressed_bits(program: Any, text: bytes, known: bytes = b"") -> int:
    """What a text adds to what is known when both are compressed, in bits."""
    without = len(program.compress(known)) if known else 0
    return 8 * (len(program.compress(known + text)) - without)


@cache
def without_a_network(split: str) -> dict[str, float]:
    """Bits per character to counts of pieces, and to programs that compress: these
    begin with nothing, but for "lzma, primed", which has compressed the training text.
    """
    asked = _asked(split)
    text, known = ("\0".join(splits()[name]).encode() for name in (split, "train"))
    found = {
        **{name: counts().bits(asked, order) for name, order in ORDERS.items()},
        "gzip": compressed_bits(gzip, text),
        "lzma": compressed_bits(lzma, text),
        "lzma, primed": compressed_bits(lzma, text, known),
    }
    N = N_characters(splits()[split])
    return {name: bits / N for name, bits in found.items()}


def compared(model: Any, split: str) -> dict[str, float]:
    """Bits per character of a split that is held out: of a GPT, and without one."""
    own = gpt_bits(model, ids(split)) / N_characters(splits()[split])
    return {**without_a_network(split), "GPT": own}
