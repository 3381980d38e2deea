"""`check_block`: attention, residual, norm, MLP, residual, norm."""

from dataclasses import dataclass

import numpy as np
import torch

from attention_book.exercises.checking import Case, Check
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.subjects.attention import numbers
from attention_book.reference import block

Z = 'Z = norm_1(_added(X, attend(X), "attend"))'
Y = 'return norm_2(_added(Z, mlp(Z), "mlp"))'


@dataclass(frozen=True)
class Layer:
    """A simple layer to run a block with: each mixes in a way of its own, so that none can be taken for another."""

    name: str

    def __call__(self, X):
        if self.name == "attend":
            return 0.5 * (X[..., ::-1, :] if isinstance(X, np.ndarray) else X.flip(-2))
        if self.name == "mlp":
            return X * X / 2
        scale = 2 if self.name == "norm_1" else 3
        top = X.max(-1, keepdims=True) if isinstance(X, np.ndarray) else torch.amax(X, -1, keepdim=True)
        return scale * X - top

    def __repr__(self) -> str:
        return f"<a layer, shape (N, D) in and out: {self.name}>"


LAYERS = {name: Layer(name) for name in ("attend", "mlp", "norm_1", "norm_2")}

check_block = Check(
    name="block",
    reference=block,
    gives={"Y": "N D"},
    task="Write `block(X, attend, mlp, norm_1, norm_2)`, the encoder block of the original transformer, for X of "
    "shape (N, D); a batch axis may stand in front. The four are functions that take and give such an array. First Z: "
    "X plus what attend makes of X, through norm_1. Then the result: Z plus what mlp makes of Z, through norm_2.",
    cases=(
        Case("three vectors", {"X": numbers(0, 2, 3, 4), **LAYERS}),
        Case("a single one", {"X": numbers(1, 2, 1, 4), **LAYERS}),
    ),
    mutants=(
        Mutant(
            "first residual forgotten",
            ((Z, "Z = norm_1(attend(X))"),),
            "What came in is not added to what attention gives: X + attend(X). Without it every block rewrites "
            "everything.",
        ),
        Mutant(
            "second residual forgotten",
            ((Y, "return norm_2(mlp(Z))"),),
            "What came in to the MLP is not added to what it gives: Z + mlp(Z).",
        ),
        Mutant(
            "both residuals forgotten",
            ((Z, "Z = norm_1(attend(X))"), (Y, "return norm_2(mlp(Z))")),
            "Nothing is added: your block is a chain of layers. Each of the two adds to what came in, X + attend(X) "
            "and then Z + mlp(Z).",
        ),
        Mutant(
            "residual appended",
            ((Z, "Z = norm_1(np.concatenate([X, attend(X)], axis=-1))"),),
            "You put X and attend(X) side by side, which doubles the width. A residual connection adds.",
        ),
        Mutant(
            "second residual from the block's input",
            ((Y, 'return norm_2(_added(X, mlp(Z), "mlp"))'),),
            "Your second sum adds X, from before the attention. It adds what the MLP was given, Z, or what attention "
            "did is lost.",
        ),
        Mutant(
            "norm in front",
            ((Z, "Z = X + attend(norm_1(X))"), (Y, "return Z + mlp(norm_2(Z))")),
            "Your norms stand in front of attend and mlp. Many models do that, and train more easily; here, as in the "
            "original, they stand behind the sums: norm_1(X + attend(X)).",
            seen="annotated-transformer 122",
        ),
        Mutant(
            "norm before the sum",
            ((Z, "Z = X + norm_1(attend(X))"), (Y, "return Z + norm_2(mlp(Z))")),
            "You norm what is added, and then add. The norm stands behind the sum: norm_1(X + attend(X)).",
        ),
        Mutant(
            "one norm for both",
            ((Y, 'return norm_1(_added(Z, mlp(Z), "mlp"))'),),
            "You use norm_1 twice. Each place has a norm of its own, with its own scale and shift.",
        ),
        Mutant(
            "no second norm",
            ((Y, "return Z + mlp(Z)"),),
            "The last norm is missing: norm_2(Z + mlp(Z)).",
        ),
        Mutant(
            "MLP first",
            ((Z, "Z = norm_1(X + mlp(X))"), (Y, "return norm_2(Z + attend(Z))")),
            "Your MLP comes before the attention. First the vectors meet, then each is worked on alone.",
        ),
    ),
    batch=("X",),
    forms=("single", "batched"),
)
