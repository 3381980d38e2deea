"""What every model asks of its sizes and of the ids it is given."""

from collections.abc import Collection
from typing import Any

import torch
from torch import Tensor

PAD = 0  # the id that fills up short sentences, in every vocabulary of the book


def check_sizes(config: Any, *names: str) -> None:
    """Raise ValueError unless each named attribute is a whole number of at least 1."""
    for name in names:
        value = getattr(config, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError(
                f"{name} is {value!r}, expected a whole number of at least 1"
            )


def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raise ValueError unless `value` is one of those known."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")


def check_ids(name: str, ids: Tensor, N_words: int, rank: int) -> None:
    """Raise ValueError unless `ids` are int64, of that rank, not empty, and inside the vocabulary."""
    if ids.dim() != rank or ids.dtype != torch.long or ids.numel() == 0:
        raise ValueError(
            f"{name} is {ids.dtype} of shape {tuple(ids.shape)}, expected torch.int64 "
            f"of rank {rank}, not empty"
        )
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= N_words:
        raise ValueError(
            f"{name} holds ids from {low} to {high}, expected 0 to {N_words - 1} (the "
            "vocabulary)"
        )
