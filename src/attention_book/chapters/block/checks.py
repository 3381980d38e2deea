"""`check_block` and `check_pre_norm_block`: attention, MLP, two norms, two residual
connections, in the right order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example, Law
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


def _attend(X):
    return softmax(X @ X.swapaxes(-1, -2) / np.sqrt(X.shape[-1])) @ X


def _mlp(X):  # neither a shift nor a scale goes through it unchanged
    return np.maximum(1 - 2 * np.roll(X, 1, axis=-1), 0)


def _norm(scale, shift):
    return lambda X: layer_norm(X, *np.full((2, X.shape[-1]), [[scale], [shift]]))


PARTS = {
    "attend": Part("softmax(X Xᵀ / √D) X", _attend),
    "mlp": Part(
        "for each number: max(0, 1 - 2 times the number before it in its row)", _mlp
    ),
    "norm_1": Part("layer norm of each row, times 2, plus 1", _norm(2.0, 1.0)),
    "norm_2": Part("layer norm of each row, times 0.5, minus 1", _norm(0.5, -1.0)),
}
NOTHING = Part("0", np.zeros_like)
X = table("0.4 -1.2 2.0 0.8; 1.5 0.2 -0.7 0.1; -1.0 0.6 0.3 2.5")
LONGER = table("1.2 -0.3 0.5; -0.8 0.9 1.4; 0.1 0.7 -1.6; 2.1 -1.1 0.4; -0.5 -0.9 1.0")
CASES = (
    Case("three vectors", X=X, **PARTS),
    Case("more vectors than features", X=LONGER, **PARTS),
    Case(
        "an attention and an MLP that find nothing",
        {"X": X, **PARTS, "attend": NOTHING, "mlp": NOTHING},
    ),
    Case("an MLP that finds nothing", {"X": X, **PARTS, "mlp": NOTHING}),
    Case("an attention that finds nothing", {"X": X, **PARTS, "attend": NOTHING}),
)
TASK = (
    "The four are given: callables on vectors of shape (N_X, D), which give vectors of "
    "that shape back. `attend` is the attention between the vectors, `mlp` works on "
    "each of them. X stays as it is. Return the vectors, (N_X, D)."
)


def where_nothing_is_found(**formulas: str) -> Law:
    """Say what Y is where a part finds nothing: `attend`, `mlp`, or both."""

    def law(example: Example) -> str | None:
        silent = [n for n in ("attend", "mlp") if example.inputs[n] == NOTHING]
        right = np.allclose(example.got["Y"], example.expected["Y"], atol=1e-3)
        if not silent or right:
            return None
        Y = formulas["both" if len(silent) == 2 else silent[0]]
        return f"with 0 from {' and '.join(silent)}, Y is {Y}. Yours is not."

    return law


def norm_2_comes_last(example: Example) -> str | None:
    """Rows that leave norm_2 have the mean and the spread it gives."""
    Y = np.asarray(example.got["Y"])
    if np.allclose([Y.mean(-1), 2 * Y.std(-1) - 2], -1, atol=1e-2):
        return None
    return (
        f"your first row has mean {Y[0].mean():.2f} and spread {Y[0].std():.2f}. What "
        "leaves norm_2 has mean -1 and spread 0.5 here, and norm_2 is the last thing "
        "a block does: nothing is added behind it."
    )


def X_is_not_normalised(example: Example) -> str | None:
    """X goes through both sums as it came, so that Y stays near it."""
    far = float((np.asarray(example.got["Y"]) - example.inputs["X"]).mean())
    due = float((example.expected["Y"] - example.inputs["X"]).mean())
    if abs(far - due) < 10:
        return None
    return (
        f"Y lies {abs(far):.0f} away from X on average, expected {abs(due):.0f}. X "
        "itself goes through both sums; only what `attend` and `mlp` are given is "
        "normalised."
    )


MISTAKES = read_mistakes(__file__)

check_block = Check(
    name="block",
    reference=block,
    gives={"Y": "N_X D"},
    task="Write `block(X, attend, mlp, norm_1, norm_2)`, the Transformer block of the "
    "lectures: attend, add that to X, apply norm_1; then the MLP, add that to what "
    f"came out of norm_1, apply norm_2. {TASK}",
    cases=CASES,
    mutants=(*MISTAKES["both"], *MISTAKES["block"]),
    laws=(
        where_nothing_is_found(
            both="norm_2(norm_1(X)): what was there gets past them through the sums",
            mlp="norm_2(norm_1(X + attend(X)))",
            attend="norm_2(Z + mlp(Z)), with Z = norm_1(X)",
        ),
        norm_2_comes_last,
    ),
)

check_pre_norm_block = Check(
    name="pre_norm_block",
    reference=pre_norm_block,
    gives={"Y": "N_X D"},
    task="Write `pre_norm_block(X, attend, mlp, norm_1, norm_2)`, the block of most "
    "newer models: normalise with norm_1, attend to that, add the result to X; "
    "normalise that sum with norm_2, apply the MLP, add the result to the sum. Nothing "
    f"is normalised after an addition. {TASK}",
    cases=(*CASES, Case("vectors far from 0", X=40 + 5 * X, **PARTS)),
    mutants=(*MISTAKES["both"], *MISTAKES["pre_norm_block"]),
    laws=(
        where_nothing_is_found(
            both="X itself: what was there gets past them through the two sums",
            mlp="X + attend(norm_1(X))",
            attend="X + mlp(norm_2(X))",
        ),
        X_is_not_normalised,
    ),
)
