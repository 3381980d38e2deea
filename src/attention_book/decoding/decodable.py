"""What a model must be able to do, to be decoded: read once, then write word by word.

    memory = encode(source)      s_0 = initial_state(memory)
    logits_t, s_t, a_t = step(y_{t-1}, memory, s_{t-1})

Greedy and beam search, forced decoding and interventions know no more of a model than
this, so they serve a recurrent network and a transformer alike.
"""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

from torch import Tensor, nn


@runtime_checkable
class Decodable(Protocol):
    """A module that writes: `encode` once, `initial_state` once, then `step`."""

    def encode(self, source: Any, source_visible: Any) -> Any:
        """Read a batch of sources (B, ...), and keep what `step` needs: the memory.

        `source_visible` (B, N_X) is True where there is an input, or None: everywhere.
        """

    def initial_state(self, memory: Any) -> Any:
        """The state to pass to the first `step`: B rows of it."""

    def step(
        self, token: Any, memory: Any, state: Any
    ) -> tuple[Tensor, Any, Tensor | None]:
        """Write one word.

        From y_{t-1} (B,) and s_{t-1} to the logits (B, N_words) of y_t, s_t, and where
        it looked, a_t (B, N_X); None from a model that does not look.
        """

    def eval(self) -> Any:
        """As every torch module has it."""

    def modules(self) -> Iterator[nn.Module]:
        """As every torch module has it."""

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]:
        """As every torch module has it."""

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """As every torch module has it."""
