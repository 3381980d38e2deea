"""`check_block` and `check_pre_norm_block`: attention, MLP, two norms, two residual connections, in the right order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attention_book.exercises.checking import Case, Check, Law, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import block, layer_norm, pre_norm_block, softmax


@dataclass(frozen=True)
class Part:
    """A part of a block, for arrays and tensors. Shown as its formula; two copies are equal."""

    formula: str
    function: Callable[[np.ndarray], np.ndarray]

    def __call__(self, X: Any) -> Any:
        """Apply it to vectors of any width."""
        if isinstance(X, torch.Tensor):
            return torch.as_tensor(self.function(X.detach().numpy())).to(X.dtype)
        return self.function(np.asarray(X, dtype=float))

    def __repr__(self) -> str:
        return self.formula


def _attend(X):
    return softmax(X @ X.swapaxes(-1, -2) / np.sqrt(X.shape[-1])) @ X


def _mlp(X):
    return np.maximum(
        1 - 2 * np.roll(X, 1, axis=-1), 0
    )  # neither a shift nor a scale goes through it unchanged


def _norm(scale, shift):
    return lambda X: layer_norm(
        X, np.full(X.shape[-1], scale), np.full(X.shape[-1], shift)
    )


PARTS = {
    "attend": Part("softmax(X Xᵀ / √D) X", _attend),
    "mlp": Part(
        "for each number: max(0, 1 - 2 times the number before it in its row)", _mlp
    ),
    "norm_1": Part("layer norm of each row, times 2, plus 1", _norm(2.0, 1.0)),
    "norm_2": Part("layer norm of each row, times 0.5, minus 1", _norm(0.5, -1.0)),
}
SILENT = {**PARTS, "attend": Part("0", np.zeros_like), "mlp": Part("0", np.zeros_like)}
X = np.array([[0.4, -1.2, 2.0, 0.8], [1.5, 0.2, -0.7, 0.1], [-1.0, 0.6, 0.3, 2.5]])
LONGER = np.array(
    [
        [1.2, -0.3, 0.5],
        [-0.8, 0.9, 1.4],
        [0.1, 0.7, -1.6],
        [2.1, -1.1, 0.4],
        [-0.5, -0.9, 1.0],
    ]
)
TASK = (
    "The four are given: callables on vectors of shape (N_X, D), which give vectors of "
    "that shape back. `attend` is the attention between the vectors, `mlp` works on "
    "each of them. X stays as it is. Return the vectors, (N_X, D)."
)


def X_passes(result: str) -> Law:
    """Where attention and MLP give 0, the sums pass on what they were given."""

    def law(example: Example) -> str | None:
        if example.inputs["attend"].formula != "0" or np.allclose(
            example.got["Y"], example.expected["Y"], atol=1e-3
        ):
            return None
        return (
            f"with an `attend` and an `mlp` that find nothing, Y is {result}: what was "
            "there must get past them through the two sums. Yours is something else."
        )

    return law


def norm_2_comes_last(example: Example) -> str | None:
    """Rows that leave norm_2 have the mean and the spread it gives."""
    Y = np.asarray(example.got["Y"])
    if np.allclose(Y.mean(-1), -1, atol=1e-2) and np.allclose(
        Y.std(-1), 0.5, atol=1e-2
    ):
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


FIRST, SECOND = (
    "Z = norm_1(residual(X, attend(X)))",
    "return norm_2(residual(Z, mlp(Z)))",
)
OVER_POSITIONS = "np.swapaxes(mlp(np.swapaxes(Z, -1, -2)), -1, -2)"
IN_PLACE = "X += attend(X)\n    "

check_block = Check(
    name="block",
    reference=block,
    gives={"Y": "N_X D"},
    task="Write `block(X, attend, mlp, norm_1, norm_2)`, the Transformer block of the lectures: attend, add that to X, "
    "apply norm_1; then the MLP, add that to what came out of norm_1, apply norm_2. "
    f"{TASK}",
    cases=(
        Case("three vectors", {"X": X, **PARTS}),
        Case("more vectors than features", {"X": LONGER, **PARTS}),
        Case("an attention and an MLP that find nothing", {"X": X, **SILENT}),
    ),
    mutants=(
        Mutant(
            "first residual forgotten",
            ((FIRST, "Z = norm_1(attend(X))"),),
            "X is not added to what attention found, so each vector forgets what it "
            "was itself: norm_1(X + attend(X)).",
        ),
        Mutant(
            "second residual forgotten",
            ((SECOND, "return norm_2(mlp(Z))"),),
            "What the MLP was given is not added to what it found. There are two "
            "sums, one around each part: the second is Z + mlp(Z), where Z comes from "
            "norm_1.",
        ),
        Mutant(
            "no residual at all",
            ((FIRST, "Z = norm_1(attend(X))"), (SECOND, "return norm_2(mlp(Z))")),
            "Nothing is added: everything has to go through attention and MLP. Add to "
            "each what it was given: X + attend(X), and then Z + mlp(Z).",
        ),
        Mutant(
            "residual concatenated",
            (
                (FIRST, "Z = norm_1(np.concatenate([X, attend(X)], axis=-1))"),
                (SECOND, "return norm_2(np.concatenate([Z, mlp(Z)], axis=-1))"),
            ),
            "You put X and attend(X) side by side, and the vectors grow. A residual "
            "connection adds: X + attend(X), of the same width as X.",
            seen="slides of a lecture",
        ),
        Mutant(
            "norms in front of the parts",
            (
                (FIRST, "Z = residual(X, attend(norm_1(X)))"),
                (SECOND, "return residual(Z, mlp(norm_2(Z)))"),
            ),
            "Yours is a pre-norm block: it normalises what goes into attention and "
            "MLP. The block of the lectures normalises behind each sum: norm_1(X + "
            "attend(X)).",
            seen="annotated-transformer 1, 13, 110; hkproj/pytorch-transformer 14",
        ),
        Mutant(
            "only the part is normalised",
            (
                (FIRST, "Z = residual(X, norm_1(attend(X)))"),
                (SECOND, "return residual(Z, norm_2(mlp(Z)))"),
            ),
            "You normalise what attention and MLP give and add it then. First the "
            "sum, then the norm around all of it: norm_1(X + attend(X)).",
            seen="annotated-transformer 110, proposed there as right",
        ),
        Mutant(
            "second sum with X",
            ((SECOND, "return norm_2(residual(X, mlp(Z)))"),),
            "You add X again behind the MLP. What attention found reaches the end "
            "only through the MLP then. Add what the MLP was given, which is what "
            "came out of norm_1.",
        ),
        Mutant(
            "the MLP is given X",
            ((SECOND, "return norm_2(residual(Z, mlp(X)))"),),
            "Your MLP works on the block's input, beside attention. It works on what "
            "came out of norm_1.",
        ),
        Mutant(
            "second sum with what was not normalised",
            (
                (FIRST, "summed = residual(X, attend(X))\n    Z = norm_1(summed)"),
                (SECOND, "return norm_2(residual(summed, mlp(Z)))"),
            ),
            "In your second sum stands the first sum, before norm_1. The MLP's "
            "residual connection starts behind norm_1: what is added is what the MLP "
            "was given.",
            seen="an option of some large models",
        ),
        Mutant(
            "norm_1 used twice",
            ((SECOND, SECOND.replace("norm_2", "norm_1")),),
            "You use norm_1 both times. The two norms have learned scales and shifts "
            "of their own: the second is norm_2.",
        ),
        Mutant(
            "norms exchanged",
            (
                (FIRST, FIRST.replace("norm_1", "norm_2")),
                (SECOND, SECOND.replace("norm_2", "norm_1")),
            ),
            "You use norm_2 behind attention and norm_1 behind the MLP. It is the "
            "other way round.",
        ),
        Mutant(
            "norm_1 forgotten",
            ((FIRST, "Z = residual(X, attend(X))"),),
            "The first sum is not normalised: norm_1 goes around X + attend(X).",
        ),
        Mutant(
            "norm_2 forgotten",
            ((SECOND, "return residual(Z, mlp(Z))"),),
            "The second sum is not normalised: norm_2 goes around all of it, and is "
            "the last thing in the block.",
        ),
        Mutant(
            "MLP before attention",
            (
                (FIRST, FIRST.replace("attend", "mlp")),
                (SECOND, SECOND.replace("mlp", "attend")),
            ),
            "Your MLP comes first. In the block of the lectures the vectors look at "
            "each other first, and the MLP works on what they found.",
        ),
        Mutant(
            "MLP beside attention",
            (
                (FIRST, "Z = norm_1(X + attend(X) + mlp(X))"),
                (SECOND, "return norm_2(Z)"),
            ),
            "Attention and MLP both work on X, and you add up both. That is a "
            "parallel block. Here the MLP comes after attention and norm_1.",
            seen="another block",
        ),
        Mutant(
            "MLP over the positions",
            ((SECOND, SECOND.replace("mlp(Z)", OVER_POSITIONS)),),
            "Your MLP is given the vectors transposed, and mixes positions. It works "
            "on each vector by itself; only attention lets them look at each other.",
        ),
        Mutant(
            "attention over the features",
            (
                (
                    FIRST,
                    FIRST.replace(
                        "attend(X)",
                        "np.swapaxes(attend(np.swapaxes(X, -1, -2)), -1, -2)",
                    ),
                ),
            ),
            "You hand X to attention transposed, so that features look at features. "
            "The vectors are the rows: attend(X).",
        ),
        Mutant(
            "attention twice",
            ((FIRST, "Z = norm_1(residual(X, attend(attend(X))))"),),
            "Attention is applied to its own result. Once is enough in one block: X + "
            "attend(X).",
        ),
        Mutant(
            "X overwritten",
            ((FIRST, f"{IN_PLACE}Z = norm_1(X)"),),
            "The result is right, but X += ... writes into the X that you were given. "
            "Whoever needs it afterwards finds something else: X = X + ... makes a "
            "new array.",
        ),
    ),
    laws=(X_passes("norm_2(norm_1(X))"), norm_2_comes_last),
)

PRE_FIRST, PRE_SECOND = (
    "Z = residual(X, attend(norm_1(X)))",
    "return residual(Z, mlp(norm_2(Z)))",
)

check_pre_norm_block = Check(
    name="pre_norm_block",
    reference=pre_norm_block,
    gives={"Y": "N_X D"},
    task="Write `pre_norm_block(X, attend, mlp, norm_1, norm_2)`, the block of most newer models: normalise with "
    "norm_1, attend to that, add the result to X; normalise that sum with norm_2, "
    "apply the MLP, add the result to the sum. Nothing is normalised after an "
    f"addition. {TASK}",
    cases=(
        Case("three vectors", {"X": X, **PARTS}),
        Case("more vectors than features", {"X": LONGER, **PARTS}),
        Case("an attention and an MLP that find nothing", {"X": X, **SILENT}),
        Case("vectors far from 0", {"X": 40 + 5 * X, **PARTS}),
    ),
    mutants=(
        Mutant(
            "norms behind the sums",
            (
                (PRE_FIRST, "Z = norm_1(residual(X, attend(X)))"),
                (PRE_SECOND, "return norm_2(residual(Z, mlp(Z)))"),
            ),
            "Yours is the block of the first Transformer, with a norm behind each "
            "sum. Pre-norm normalises what goes *into* attention and MLP: X + "
            "attend(norm_1(X)).",
            seen="annotated-transformer 13, the other way round",
        ),
        Mutant(
            "only the part is normalised",
            (
                (PRE_FIRST, "Z = residual(X, norm_1(attend(X)))"),
                (PRE_SECOND, "return residual(Z, norm_2(mlp(Z)))"),
            ),
            "You normalise what attention and MLP give. Normalise what they are "
            "given: attend(norm_1(X)), mlp(norm_2(Z)).",
            seen="annotated-transformer 110",
        ),
        Mutant(
            "first residual forgotten",
            ((PRE_FIRST, "Z = attend(norm_1(X))"),),
            "X is not added to what attention found: X + attend(norm_1(X)).",
        ),
        Mutant(
            "second residual forgotten",
            ((PRE_SECOND, "return mlp(norm_2(Z))"),),
            "The first sum is not added to what the MLP found: Z + mlp(norm_2(Z)), "
            "with Z the first sum.",
        ),
        Mutant(
            "no residual at all",
            (
                (PRE_FIRST, "Z = attend(norm_1(X))"),
                (PRE_SECOND, "return mlp(norm_2(Z))"),
            ),
            "Nothing is added. Each part only adds to what is there: Z = X + "
            "attend(norm_1(X)), and then Z + mlp(norm_2(Z)).",
        ),
        Mutant(
            "the normalised is added",
            (
                (PRE_FIRST, "N = norm_1(X)\n    Z = residual(N, attend(N))"),
                (PRE_SECOND, "N = norm_2(Z)\n    return residual(N, mlp(N))"),
            ),
            "You add what was normalised. X itself must go through the sum, or it is "
            "normalised at every block: X + attend(norm_1(X)). Do not store the "
            "norm's result under the name X.",
            seen="Compact-Transformers 25",
        ),
        Mutant(
            "the normalised is added to the first sum",
            ((PRE_FIRST, "N = norm_1(X)\n    Z = residual(N, attend(N))"),),
            "In your first sum stands norm_1(X). X itself goes through: X + "
            "attend(norm_1(X)).",
        ),
        Mutant(
            "the normalised is added to the second sum",
            ((PRE_SECOND, "N = norm_2(Z)\n    return residual(N, mlp(N))"),),
            "In your second sum stands what came out of norm_2. The first sum itself "
            "goes through: Z + mlp(norm_2(Z)).",
            seen="Compact-Transformers 25",
        ),
        Mutant(
            "second sum with X",
            ((PRE_SECOND, "return residual(X, mlp(norm_2(Z)))"),),
            "You add X again behind the MLP, and what attention found reaches the end "
            "only through the MLP. Add the first sum.",
        ),
        Mutant(
            "norm_1 used twice",
            ((PRE_SECOND, PRE_SECOND.replace("norm_2", "norm_1")),),
            "You use norm_1 both times. In front of the MLP stands norm_2, with a "
            "scale and a shift of its own.",
        ),
        Mutant(
            "norms exchanged",
            (
                (PRE_FIRST, PRE_FIRST.replace("norm_1", "norm_2")),
                (PRE_SECOND, PRE_SECOND.replace("norm_2", "norm_1")),
            ),
            "You use norm_2 in front of attention and norm_1 in front of the MLP. It "
            "is the other way round.",
        ),
        Mutant(
            "norm_1 forgotten",
            ((PRE_FIRST, "Z = residual(X, attend(X))"),),
            "Attention is given X as it is. Normalise with norm_1 what it is given.",
        ),
        Mutant(
            "norm_2 forgotten",
            ((PRE_SECOND, "return residual(Z, mlp(Z))"),),
            "The MLP is given the sum as it is. Normalise with norm_2 what it is "
            "given.",
        ),
        Mutant(
            "MLP before attention",
            (
                (PRE_FIRST, PRE_FIRST.replace("attend", "mlp")),
                (PRE_SECOND, PRE_SECOND.replace("mlp", "attend")),
            ),
            "Your MLP comes first. The vectors look at each other first, and the MLP "
            "works on what they found.",
        ),
        Mutant(
            "MLP over the positions",
            (
                (
                    PRE_SECOND,
                    PRE_SECOND.replace(
                        "mlp(norm_2(Z))", OVER_POSITIONS.replace("Z", "norm_2(Z)")
                    ),
                ),
            ),
            "Your MLP is given the vectors transposed, and mixes positions. It works "
            "on each vector by itself.",
        ),
        Mutant(
            "a norm behind the block",
            (
                (
                    PRE_SECOND,
                    f"Z = {PRE_SECOND.removeprefix('return ')}\n    return norm_2(Z)",
                ),
            ),
            "You normalise the result once more. A model of pre-norm blocks has one "
            "norm behind the last block; inside the block nothing is normalised after "
            "an addition.",
        ),
        Mutant(
            "X overwritten",
            ((PRE_FIRST, "X += attend(norm_1(X))\n    Z = X"),),
            "The result is right, but X += ... writes into the X that you were given. "
            "Whoever needs it afterwards finds something else: X = X + ... makes a "
            "new array.",
        ),
    ),
    laws=(X_passes("X itself"), X_is_not_normalised),
)
