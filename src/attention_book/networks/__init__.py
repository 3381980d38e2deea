"""Trained networks as small programs that a page can run.

`trace` writes a model's calls down, `pack` its weights; `Network` holds a model with
its program for a figure. The other half is `widgets/js/engine/`: the operations, the
loop that runs a program, and what may be done to attention weights on the way. Neither
half knows any model or chapter.
"""

from attention_book.networks.calls import examples, writing
from attention_book.networks.changes import CHANGES, change_of
from attention_book.networks.network import Network
from attention_book.networks.program import pack, trace

__all__ = [
    "CHANGES",
    "Network",
    "change_of",
    "examples",
    "pack",
    "trace",
    "writing",
]
