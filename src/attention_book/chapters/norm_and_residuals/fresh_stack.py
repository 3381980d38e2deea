"""A freshly drawn stack as a page runs it: one word's vector on its way up, untrained.

A page is given one set of matrices. What a reader chooses (where the norms stand,
residuals, how large the initial weights are) are inputs. Of one seed, a shallower stack
has the same lowest blocks, so the first 4, 12 or 24 of these are those of the recorded
stacks before their first step. After a change of `FreshStack`, write its program again:
`python -m attention_book.chapters.norm_and_residuals.fresh_stack`.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from einops import rearrange
from torch import Tensor, nn

from attention_book.chapters.norm_and_residuals.model import DeepModel
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, NORMS, deep
from attention_book.chapters.norm_and_residuals.sentences import WORDS
from attention_book.layers.recurrent import tracing
from attention_book.networks import Network, examples, trace
from attention_book.shapes import check_choice
from attention_book.training import seeded

MATRICES = [f"attend.W_{name}" for name in "QKVO"] + ["mlp.W_1", "mlp.W_2"]
PROGRAM = Path(__file__).with_suffix(".json")
TINY = 1e-38  # what is smaller is 0 in float32, nearly


class FreshStack(nn.Module):
    """The blocks of a `DeepModel` before its first step, by one set of matrices.

    The model has small initial weights: all biases are 0, all gammas 1.
    """

    def __init__(self, model: DeepModel):
        super().__init__()
        self.words, self.places = model.words, model.places
        self.N_heads = model.config.N_heads
        for name in MATRICES:
            each = [block.get_parameter(name) for block in model.encoder.blocks]
            self.register_buffer(name[-3:], torch.stack(each).detach())

    def forward(
        self, ids: Tensor, norm: Tensor, residual: Tensor, start: Tensor
    ) -> dict[str, Tensor]:
        """Follow the last word of a sentence up the stack.

        Parameters
        ----------
        ids : (1, N_X)
        norm : (1, 2)
            1 and 0 for pre-norm, 0 and 1 for post-norm, 0 and 0 for none.
        residual, start : (1, 1)
            1 with residuals; how many times as large as drawn the matrices are.

        Returns
        -------
        dict
            Of the word's vector, and then of each block's output, (1, N_blocks + 1):
            "size", the root mean square; "kept", the cosine with the vector below the
            first block; "alike", the mean cosine with the other words at that height.
            "rows", (1,), is how many of "alike" there are, 0 for a single word, for
            which "several", (1, 1), is 0, and else 1.
        """
        N_X = ids.shape[1]
        pre, post = norm[:, :1, None] > 0, norm[:, 1:, None] > 0
        later = torch.ones(N_X, N_X).triu(1) > 0

        def normed(X: Tensor, wanted: Tensor) -> Tensor:
            return torch.where(wanted, F.layer_norm(X, X.shape[-1:]), X)

        def heads(X: Tensor) -> Tensor:
            return rearrange(X, "b n (h d) -> b h n d", h=self.N_heads)

        def attend(X: Tensor, drawn: Sequence[Tensor]) -> Tensor:
            W_Q, W_K, W_V, W_O = drawn
            D_head = X.shape[-1] / self.N_heads
            E = heads(X @ W_Q) @ heads(X @ W_K).mT / D_head**0.5
            E = E.masked_fill(later, -torch.inf)
            A = (E - E.amax(-1, keepdim=True)).exp()  # a softmax, but no tap
            Y = A / A.sum(-1, keepdim=True) @ heads(X @ W_V)
            return rearrange(Y, "b h n d -> b n (h d)") @ W_O

        def block(X: Tensor, drawn: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
            *attention, W_1, W_2 = (start * W for W in drawn)
            X = normed(residual * X + attend(normed(X, pre), attention), post)
            change = torch.relu(normed(X, pre) @ W_1) @ W_2
            X = normed(residual * X + change, post)
            return X.clone(), X.clone()

        first = self.places(self.words(ids))
        drawn = tuple(self.get_buffer(name[-3:]) for name in MATRICES)
        X = torch.cat([first[None], _in_turn(block, first, drawn)])
        X = X[:, 0]  # (N_blocks + 1, N_X, D)
        top = X.abs().amax(-1, keepdim=True).clamp(min=TINY)  # squares would vanish
        length = ((X / top) ** 2).mean(-1, keepdim=True).sqrt()
        U = X / top / length.clamp(min=TINY)
        last, others = U[:, -1:], torch.ones(N_X).sum() - 1
        summed = (last * U).mean(-1).sum(-1) - 1
        return {
            "size": (top * length)[None, :, -1, 0],
            "kept": (last * last[:1]).mean(-1)[None, :, 0],
            "alike": (summed / others.clamp(min=1))[None],
            "rows": torch.ones(len(X)).sum()[None] * others.clamp(max=1),
            "several": others.clamp(max=1)[None, None],
        }


def _in_turn(block: Any, X: Tensor, drawn: tuple[Tensor, ...]) -> Tensor:
    """What each block gives; traced, the loop is one operation for any depth."""
    if tracing():
        from torch._higher_order_ops.scan import scan

        return scan(block, X, drawn)[1]
    above = []
    for each in zip(*drawn, strict=True):
        X, _ = block(X, each)
        above.append(X)
    return torch.stack(above)


@lru_cache
def network() -> Network:
    """The first seed's deepest stack, for a page: eight bits for a weight."""
    task = deep("none", max(DEPTHS), "small")
    with seeded(0):
        model = task.model()
    choices = {"norm": torch.zeros(1, 2)}  # a tensor of its own each: one is one input
    choices |= {name: torch.ones(1, 1) for name in ("residual", "start")}
    given = examples(len(task.vocabularies["source"]), "ids")
    calls = {"climb": (_climb, [each | choices for each in given])}
    program = json.loads(PROGRAM.read_text("utf-8")) if PROGRAM.is_file() else None
    return Network("fresh-stack", FreshStack(model), calls, "int8", program)


def _climb(model: FreshStack, **given: Tensor) -> dict[str, Tensor]:
    return model(**given)


def as_asked(norm: str) -> list[float]:
    """A norm's place, "none", "post" or "pre", as `FreshStack` takes it."""
    check_choice("norm", norm, NORMS)
    return [float(norm == place) for place in ("pre", "post")]


def way_up(
    sentence: str, norm: str = "none", residual: bool = True, start: float = 1.0
) -> dict[str, np.ndarray]:
    """What `FreshStack` gives of a sentence's last word, by words of this chapter."""
    chosen = {"norm": [as_asked(norm)], "residual": [[residual]]}
    chosen |= {"ids": [WORDS.encode(sentence.split())], "start": [[start]]}
    found, _ = network().run("climb", chosen)
    return found


def traced() -> str:
    """The program as it is traced today; it is kept beside this module."""
    made = network()
    return json.dumps(trace(made.model, **made.calls), separators=(",", ":"))


if __name__ == "__main__":
    PROGRAM.write_text(traced(), "utf-8")
