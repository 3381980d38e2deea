"""Data with gold answers, made from a seed: nothing is downloaded."""

from importlib import import_module

from .pairs import Pair
from .sequences import sequences, symbol_vocabulary
from .tokens import detokenize, tokenize
from .translation import Corpus, Triple, classic, corpus, sentence
from .vocabulary import PAD, START, STOP, Vocabulary

__all__ = [
    "PAD",
    "START",
    "STOP",
    "Batch",
    "Corpus",
    "Pair",
    "Triple",
    "Vocabulary",
    "batches",
    "classic",
    "collate",
    "corpus",
    "detokenize",
    "encode_sources",
    "sentence",
    "sequences",
    "symbol_vocabulary",
    "tokenize",
]

# Only who asks for batches waits for torch.
_WITH_TORCH = ("Batch", "batches", "collate", "encode_sources")


def __getattr__(name: str) -> object:
    if name in _WITH_TORCH:
        return getattr(import_module(".batching", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
