"""`check_block` and `check_pre_norm_block`: parts, norms and sums in right order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.families.residuals import residuals
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import block, layer_norm, pre_norm_block, softmax


@dataclass(frozen=True)
class Part:
    """A part of a block, shown as its formula; two copies are equal."""

    formula: str
    function: Callable[[np.ndarray], np.ndarray]

    def __call__(self, X: Any) -> Any:
        """Apply it to vectors of any width, an array or a tensor."""
        if isinstance(X, torch.Tensor):
            return torch.as_tensor(self.function(X.detach().numpy())).to(X.dtype)
        return self.function(np.asarray(X, dtype=float))

    def __repr__(self) -> str:
        return self.formula


def _norm(scale, shift):
    return lambda X: layer_norm(X, *np.full((2, X.shape[-1]), [[scale], [shift]]))


PARTS = {
    "attend": Part(
        "softmax(X Xᵀ / √D) X", lambda X: softmax(X @ X.T / np.sqrt(X.shape[-1])) @ X
    ),
    "mlp": Part(  # neither a shift nor a scale goes through it unchanged
        "for each number: max(0, 1 - 2 times the number before it in its row)",
        lambda X: np.maximum(1 - 2 * np.roll(X, 1, axis=-1), 0),
    ),
    "norm_1": Part("layer norm of each row, times 0.8, plus 1", _norm(0.8, 1.0)),
    "norm_2": Part("layer norm of each row, times 0.5, minus 1", _norm(0.5, -1.0)),
}
MISTAKES = read_mistakes(__file__)
NOTHING = Part("0", np.zeros_like)
X = table("0.4 -1.2 2.0 0.8; 1.5 0.2 -0.7 0.1; -1.0 0.6 0.3 2.5")
CASES = (
    Case("three vectors", X=X, **PARTS),
    Case("an MLP that finds nothing", {"X": X, **PARTS, "mlp": NOTHING}),
    Case("an attention that finds nothing", {"X": X, **PARTS, "attend": NOTHING}),
)


def where_silent(**formulas: str) -> Law:
    """Say what Y is where `attend` or `mlp` finds nothing."""

    def law(example: Example) -> str | None:
        if np.allclose(example.got["Y"], example.expected["Y"], atol=1e-3):
            return None
        for part, Y in formulas.items():
            if example.inputs[part] == NOTHING:
                return (
                    f"with 0 from {part}, Y is {Y}; yours is not. (What was there "
                    f"gets past {part} through its residual connection, the sum.)"
                )
        return None

    return law


check_block = Check(
    name="block",
    reference=block,
    gives={"Y": "N_X D"},
    task="Write `block(X, attend, mlp, norm_1, norm_2)`, of X (N_X, D) and four "
    "callables that keep its shape: attend, add that to X, apply norm_1; then the MLP, "
    "add that to what came out of norm_1, apply norm_2. X itself stays as it is.",
    cases=CASES,
    mutants=(*MISTAKES["block"], *residuals()),
    laws=(
        where_silent(
            mlp="norm_2(norm_1(X + attend(X)))",
            attend="norm_2(Z + mlp(Z)), with Z = norm_1(X)",
        ),
    ),
)

check_pre_norm_block = Check(
    name="pre_norm_block",
    reference=pre_norm_block,
    gives={"Y": "N_X D"},
    task="Write `pre_norm_block(X, attend, mlp, norm_1, norm_2)`, of what block gets: "
    "normalise with norm_1, attend to that, add the result to X; normalise that sum "
    "with norm_2, apply the MLP, add the result to the sum. X stays as it is.",
    cases=CASES,
    mutants=(*MISTAKES["pre_norm_block"], *residuals()),
    laws=(where_silent(mlp="X + attend(norm_1(X))", attend="X + mlp(norm_2(X))"),),
)
