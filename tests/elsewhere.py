"""A device that any machine has: tensors that must not meet those of the CPU.

A tensor here holds its numbers in a CPU tensor, but says it is on `DEVICE`, and every
operation that mixes it with a CPU tensor (of more than one number) fails, as on a GPU.
Factories that are told `DEVICE`, and `.to(DEVICE)`, give such tensors while the mode
is on; `.cpu()` gives plain ones; `.numpy()` is refused.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

DEVICE = torch.device("meta")


class There(torch.Tensor):
    """A tensor that is elsewhere; `here` has its numbers."""

    @staticmethod
    def __new__(cls, here):
        return torch.Tensor._make_wrapper_subclass(
            cls, here.shape, here.stride(), dtype=here.dtype, device=DEVICE
        )

    def __init__(self, here):
        self.here = here

    def __repr__(self, **_):
        return f"There({self.here})"

    def tolist(self):
        return self.here.tolist()  # a GPU's tensors have it too

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        with Elsewhere():
            return function(*args, **kwargs or {})


def here(thing):
    return thing.here if isinstance(thing, There) else thing


class Elsewhere(TorchDispatchMode):
    """While it is on, there is another device."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        tensors = [
            x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)
        ]
        there = any(isinstance(x, There) for x in tensors)
        moves = function in (
            torch.ops.aten._to_copy.default,
            torch.ops.aten.copy_.default,
        )
        if there and not moves:
            strangers = [x for x in tensors if not isinstance(x, There) and x.dim()]
            if strangers:
                raise RuntimeError(f"{function} mixes {DEVICE} with the CPU")
        device = kwargs.get("device")
        if device is not None:
            there = torch.device(device) == DEVICE
            kwargs["device"] = torch.device("cpu")
        elif function is torch.ops.aten.copy_.default:
            there = isinstance(args[0], There)
        found = function(*tree_map(here, args), **tree_map(here, kwargs))
        if not there:
            return found
        known = {id(x.here): x for x in tensors if isinstance(x, There)}
        return tree_map(lambda x: _wrapped(x, known), found)


def _wrapped(found, known):
    """What an operation in place gives is the tensor that it was given."""
    if not isinstance(found, torch.Tensor):
        return found
    return known.get(id(found)) if id(found) in known else There(found)


def move(model):
    """Put a module's weights elsewhere, as `model.to(DEVICE)` would."""
    for part in model.modules():
        for name, weight in part._parameters.items():
            if weight is not None:
                part._parameters[name] = torch.nn.Parameter(There(weight.detach()))
        for name, buffer in part._buffers.items():
            if buffer is not None:
                part._buffers[name] = There(buffer)
    return model
