"""What goes into a reader's function and comes out of it: arrays or tensors, one example or a batch of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


def torch_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Turn arrays into tensors, numbers with a fraction into torch's usual float32."""

    def turn(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return torch.tensor(
            value, dtype=torch.float32 if value.dtype.kind == "f" else None
        )

    return {name: turn(value) for name, value in inputs.items()}


def unstack(value: Any, B: int) -> list[Any]:
    """Take a batched result apart into those of its examples; what has no such axis stays whole."""
    parts = (
        tuple(map(stacked, value)) if isinstance(value, tuple) else (stacked(value),)
    )
    if not all(
        isinstance(part, np.ndarray) and part.ndim and len(part) == B for part in parts
    ):
        return [value]
    return [
        tuple(part[b] for part in parts) if isinstance(value, tuple) else parts[0][b]
        for b in range(B)
    ]


def fit(value: Any, wanted: Any) -> Any:
    """Turn lists of numbers into arrays where an array is expected."""
    if (
        isinstance(wanted, tuple)
        and isinstance(value, tuple | list)
        and len(value) == len(wanted)
    ):
        return tuple(map(fit, value, wanted))
    return stacked(value) if isinstance(wanted, np.ndarray) else value


def stacked(value: Any) -> Any:
    """Turn lists of lists of numbers into an array; what has rows of different lengths stays what it is."""
    if not isinstance(value, list | tuple):
        return value
    try:
        return np.asarray(value)
    except ValueError:
        return value
