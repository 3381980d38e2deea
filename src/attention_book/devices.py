"""Where the numbers are, and how many threads compute with them: a batch goes to the
model, wherever the model stands.
"""

from dataclasses import fields, is_dataclass, replace
from itertools import chain
from typing import Any

import torch
from threadpoolctl import threadpool_limits
from torch import Tensor


def device_of(model: Any) -> torch.device:
    """The one device of a model's weights; the CPU for a model that has none."""
    numbers = next(chain(model.parameters(), model.buffers()), None)
    return torch.device("cpu") if numbers is None else numbers.device


def one_thread() -> None:
    """Let PyTorch and NumPy compute with one thread from now on."""
    torch.set_num_threads(1)
    threadpool_limits(1)


def moved(thing: Any, device: torch.device) -> Any:
    """Copy to a device the tensors that are not there: one alone, or those inside a
    dataclass, tuple, list or dict. What else is inside stays as it is.
    """
    if isinstance(thing, Tensor):
        return thing.to(device)
    if is_dataclass(thing) and not isinstance(thing, type):
        names = (each.name for each in fields(thing))
        return replace(thing, **{n: moved(getattr(thing, n), device) for n in names})
    if isinstance(thing, (tuple, list)):
        # a NamedTuple is not built from one iterable, as the others are
        build = getattr(type(thing), "_make", type(thing))
        return build(moved(each, device) for each in thing)
    if type(thing) is dict:
        return {name: moved(each, device) for name, each in thing.items()}
    return thing
