"""Take the attention weights out of the model's hands: what does the output owe them?

`Intervened(model, change)` has the face of the model it wraps, so everything that
decodes takes it. A change is called as `change(a_t, visible, t)` with the model's own
weights (B, N_X), the mask (B, N_X) or None, and the number of the step, and gives the
weights to use. A Transformer calls it at every step for each head of each block, with
that head's own. So does a GPT, whose N_X inputs are the words up to the one that the
step reads: at first the last of the prompt, read again.
"""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.shapes import check_shape

ROUNDING = 1e-3  # half precision is allowed
Change = Callable[[Tensor, Tensor | None, int], Tensor]
Intervention = Callable[[Tensor, Tensor | None], Tensor]  # a change, at one step


def intervened(
    intervene: Intervention,
    a_t: Float[Tensor, "B N_X"],
    visible: Bool[Tensor, "B N_X"] | None,
) -> Float[Tensor, "B N_X"]:
    """Ask for the weights to use instead of a_t.

    Raises ValueError unless they are (B, N_X), and 0 at padding. Their rows need not
    sum to 1.
    """
    B, N_X = a_t.shape
    changed = intervene(a_t, visible)
    check_shape("intervene(...)", changed, "B N_X", B=B, N_X=N_X)
    if visible is not None and (changed[~visible] != 0).any():
        raise ValueError(
            "intervene gave weight to padding: where visible is False, weights must be "
            "0"
        )
    return changed


def for_each_head(
    intervene: Intervention | None, visible: Bool[Tensor, "B N_X"] | None = None
) -> Callable[[Tensor], Tensor] | None:
    """Let what changes the weights of one head change all of a block's, one by one."""
    if intervene is None:
        return None

    def changed(A: Tensor) -> Tensor:  # (B, N_heads, 1, N_X)
        heads = A[:, :, 0].unbind(dim=1)
        changed_heads = [intervened(intervene, a_t, visible) for a_t in heads]
        return torch.stack(changed_heads, dim=1)[:, :, None]

    return changed


class Wrapped(nn.Module):
    """A model that reads as another does; a subclass writes its own `step`.

    The model that it wraps is not changed.
    """

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model: Any = model

    def encode(
        self, source: Tensor, source_visible: Bool[Tensor, "B N_X"] | None
    ) -> Any:
        """As the model does."""
        return self.model.encode(source, source_visible)

    def initial_state(self, memory: Any) -> Any:
        """As the model does."""
        return self.model.initial_state(memory)


class Intervened(Wrapped):
    """A model with attention whose weights are changed at every step.

    For `change(a_t, visible, t)` see above.
    """

    def __init__(self, model: nn.Module, change: Change):
        super().__init__(model)
        self.change = change

    def initial_state(self, memory: Any) -> tuple[Any, int]:
        """The model's first state, and that no step has been made."""
        return self.model.initial_state(memory), 0

    def step(
        self, token: Int[Tensor, "B"], memory: Any, state: tuple[Any, int]
    ) -> tuple[
        Float[Tensor, "B N_words"], tuple[Any, int], Float[Tensor, "B N_X"] | None
    ]:
        """The model's step with changed weights; the steps are counted in the state."""
        inner, t = state
        logits, inner, a_t = self.model.step(
            token,
            memory,
            inner,
            intervene=lambda a_t, visible: self.change(a_t, visible, t),
        )
        return logits, (inner, t + 1), a_t


def uniform(
    a_t: Float[Tensor, "B N_X"], visible: Bool[Tensor, "B N_X"] | None, t: int
) -> Float[Tensor, "B N_X"]:
    """Look at everything alike: the context is the mean of the inputs."""
    seen = torch.ones_like(a_t) if visible is None else visible.to(a_t.dtype)
    return seen / seen.sum(dim=-1, keepdim=True)


def strongest(
    a_t: Float[Tensor, "B N_X"], visible: Bool[Tensor, "B N_X"] | None, t: int
) -> Float[Tensor, "B N_X"]:
    """Look at the input with the largest weight and at nothing else."""
    return nn.functional.one_hot(a_t.argmax(dim=-1), a_t.shape[-1]).to(a_t.dtype)


def shuffled(seed: int) -> Change:
    """Hand the weights to the visible inputs in a random order, each time a new one."""
    generator = torch.Generator().manual_seed(seed)

    def change(a_t: Tensor, visible: Tensor | None, t: int) -> Tensor:
        seen = torch.ones_like(a_t, dtype=torch.bool) if visible is None else visible
        drawn = torch.rand(a_t.shape, generator=generator).to(a_t.device)
        order = drawn.masked_fill(~seen, 2.0).argsort(dim=-1)  # hidden inputs come last
        # visible inputs first, in their own order
        places = (~seen).to(torch.int8).argsort(dim=-1, stable=True)
        return torch.zeros_like(a_t).scatter(-1, places, a_t.gather(-1, order))

    return change


def forced(A: Float[Tensor, "B N_Y N_X"]) -> Change:
    """Use the rows of A, one a step, and the last again beyond them."""
    if A.dim() != 3 or A.numel() == 0 or not (A >= 0).all():  # NaN is not >= 0
        raise ValueError(
            f"A has shape {tuple(A.shape)}: expected weights (B, N_Y, N_X), none of "
            "them negative"
        )
    off = (A.sum(-1) - 1).abs()
    if off.max() > ROUNDING:
        b, t = divmod(int(off.argmax()), A.shape[1])
        raise ValueError(
            f"row {t} of A[{b}] sums to {A[b, t].sum():.3f}: expected rows that sum to "
            "1"
        )

    def change(a_t: Tensor, visible: Tensor | None, t: int) -> Tensor:
        row = A[:, min(t, A.shape[1] - 1)]
        check_shape("A[:, t]", row, "B N_X", B=a_t.shape[0], N_X=a_t.shape[1])
        return row.to(a_t)

    return change


def hiding(hidden: Bool[Tensor, "B N_Y N_X"]) -> Change:
    """Take the weight off inputs, others at each step; the weights left grow to sum to
    1, as if these inputs had been masked.

    `hidden` is True where step t may not look; later steps may look everywhere. A step
    that may look at nothing takes nothing: its weights are 0.
    """

    def change(a_t: Tensor, visible: Tensor | None, t: int) -> Tensor:
        if t >= hidden.shape[1]:
            return a_t
        B, N_X = a_t.shape
        check_shape("hidden[:, t]", hidden[:, t], "B N_X", B=B, N_X=N_X)
        left = a_t.masked_fill(hidden[:, t].to(a_t.device), 0.0)
        total = left.sum(dim=-1, keepdim=True)
        return left / total.where(total > 0, 1)

    return change
