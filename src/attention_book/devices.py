"""Where the numbers are: a batch goes to the model, wherever the model stands."""

from dataclasses import fields, is_dataclass, replace
from itertools import chain
from typing import Any

import torch
from torch import Tensor


def device_of(model: Any) -> torch.device:
    """The device of a model's weights; the CPU for a model that has none.

    Parameters
    ----------
    model : torch.nn.Module
        All its weights are on one device.
    """
    numbers = next(chain(model.parameters(), model.buffers()), None)
    return torch.device("cpu") if numbers is None else numbers.device


def moved(thing: Any, device: torch.device) -> Any:
    """Copy to a device what is not there: a tensor, or the tensors of a batch.

    Parameters
    ----------
    thing : Tensor, dataclass, tuple, NamedTuple, list, dict or anything else
        Tensors inside are moved; what else is inside stays as it is.
    device : torch.device
        Where to.
    """
    if isinstance(thing, Tensor):
        return thing.to(device)
    if is_dataclass(thing) and not isinstance(thing, type):
        new = {
            each.name: moved(getattr(thing, each.name), device)
            for each in fields(thing)
        }
        return replace(thing, **new)
    if isinstance(thing, (tuple, list)):
        # a NamedTuple is not built from one iterable, as the others are
        build = getattr(type(thing), "_make", type(thing))
        return build(moved(each, device) for each in thing)
    if type(thing) is dict:
        return {name: moved(each, device) for name, each in thing.items()}
    return thing
