"""Attention weights while a model computes: each softmax, by the module that asks."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

Changes = Mapping[str, Callable[[Tensor, int], Tensor]]


class Taps(TorchFunctionMode):
    """Reads every softmax of a model, and replaces those that it is told to.

    Parameters
    ----------
    model : nn.Module
        Its readable form: fast layers ask for no softmax.
    change : mapping
        By tap, a function of the weights A and the step that gives those to use.
    step : int
        Of writing; 0 where nothing is written.

    Attributes
    ----------
    paths : list of str or None
        For each softmax, in order, the path of the nearest module that asks for it,
        whether in `forward` or in another method ("attention" of the model itself). One
        that a module asks for again is called `path#2`; one that no module asks for is
        no tap, and None.
    seen : dict
        By tap, the weights that were used.
    """

    def __init__(self, model: nn.Module, change: Changes | None = None, step: int = 0):
        super().__init__()
        self.names = {id(module): path for path, module in model.named_modules()}
        self.change, self.step = change or {}, step
        self.paths: list[str | None] = []
        self.seen: dict[str, Tensor] = {}

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **kwargs or {})
        if getattr(function, "__name__", "") != "softmax":
            return result
        path = self._path(sys._getframe())
        again = sum(each.split("#")[0] == path for each in self.paths if each)
        path = f"{path}#{again + 1}" if again else path
        self.paths.append(path)
        if path is None:
            return result
        change = self.change.get(path)
        self.seen[path] = change(result, self.step) if change else result
        return self.seen[path]

    def _path(self, frame: Any) -> str | None:
        while frame:
            owner = id(frame.f_locals.get("self"))
            if owner in self.names:
                return self.names[owner] or "attention"
            frame = frame.f_back
        return None
