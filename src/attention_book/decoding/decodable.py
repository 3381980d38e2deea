"""What a model must be able to do, to be decoded: read once, then write word by word.

    memory = encode(source)      s_0 = initial_state(memory)
    logits_t, s_t, a_t = step(y_{t-1}, memory, s_{t-1})

Greedy and beam search, forced decoding and interventions need no more of a model than
this, so they serve a recurrent network and a transformer alike. A model that has a
faster way to write offers it as its `lean_writer`.
"""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn


@runtime_checkable
class Writer(Protocol):
    """Something that writes: `encode` once, `initial_state` once, then `step`."""

    def encode(self, source: Any, source_visible: Any) -> Any:
        """Read a batch of sources (B, ...), and keep what `step` needs: the memory.

        `source_visible` (B, N_X) is True where there is an input, or None: everywhere.
        """

    def initial_state(self, memory: Any) -> Any:
        """The state to pass to the first `step`: B rows of it."""

    def step(self, token: Any, memory: Any, state: Any) -> tuple[Any, Any, Any]:
        """Write one word.

        From y_{t-1} (B,) and s_{t-1} to the logits (B, N_words) of y_t, s_t, and where
        it looked, a_t (B, N_X); None from a model that does not look.
        """


@runtime_checkable
class Decodable(Writer, Protocol):
    """A module that writes."""

    def step(
        self, token: Any, memory: Any, state: Any
    ) -> tuple[Tensor, Any, Tensor | None]:
        """Write one word; logits and attention are tensors."""

    def eval(self) -> Any:
        """As every torch module has it."""

    def modules(self) -> Iterator[nn.Module]:
        """As every torch module has it."""

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]:
        """As every torch module has it."""

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """As every torch module has it."""


@runtime_checkable
class Rows(Protocol):
    """A memory or a state that beam search does not have to look into."""

    def take_rows(self, rows: Tensor) -> Any:
        """Return the rows (B,) that hypotheses go on from."""


def lean(model: Decodable) -> Writer:
    """Return the `lean_writer` of a model that has one, else the model itself.

    It writes the same words in less time. Its logits and attention may be arrays, its
    model is to be in evaluation mode, and each of its states can be used once only.
    """
    writer = getattr(model, "lean_writer", None)
    return writer() if callable(writer) else model


def stacked(steps: list[Any]) -> Tensor:
    """Join the tensors, or arrays, of all steps along a new axis 1."""
    if isinstance(steps[0], Tensor):
        return torch.stack(steps, dim=1)
    joined = np.concatenate(steps).reshape(len(steps), *steps[0].shape)
    return torch.from_numpy(joined.swapaxes(0, 1))  # in less time than np.stack
