"""Silence heads of a stack of blocks, each named, from 1, by its block and its number
there, such as "2.1".
"""

from collections.abc import Collection
from copy import deepcopy
from typing import Any

from attention_book.shapes import check_choice

# what of a head is set to 0: it looks alike at all that it sees, or finds nothing
WAYS = {
    "equal": (("W_Q", 1), ("b_Q", 0)),
    "zero": (("W_O", 0),),
}


def heads(model: Any) -> list[str]:
    """Name all heads, block by block."""
    of_block = range(model.config.N_heads)
    return [f"{b + 1}.{h + 1}" for b in range(model.config.N_blocks) for h in of_block]


def silenced(model: Any, silent: Collection[str], way: str = "zero") -> Any:
    """Copy a model; in the copy some heads find nothing, or look at all they see alike.

    Without scores ("equal") a softmax shares its weight evenly; what a head finds is
    lost ("zero") where nothing of it enters the block's sum.
    """
    check_choice("way", way, WAYS)
    quiet = deepcopy(model)
    for name in silent:
        check_choice("a silent head", name, heads(model))
        block, head = (int(part) - 1 for part in name.split("."))
        attend = quiet.encoder.blocks[block].attend
        for weight, axis in WAYS[way]:
            by_head = getattr(attend, weight).data.unflatten(axis, (attend.N_heads, -1))
            by_head.select(axis, head).zero_()
    return quiet
