"""Chapter 11's checks: a block's parts in right order, its weights, and senses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attention_book.chapters.block import solutions
from attention_book.exercises.arrays import numbers, table
from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.families.residuals import residuals
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import block, layer_norm, pre_norm_block, softmax


@dataclass(frozen=True)
class Part:
    """A part of a block, shown as its formula; two copies are equal."""

    formula: str
    function: Callable[[np.ndarray], np.ndarray]

    def __call__(self, X: Any, *more: Any) -> Any:
        """Apply it to vectors of any width, an array or a tensor."""
        if more or isinstance(X, Part):
            raise TypeError(
                "attend takes the vectors alone: attend(X). So do mlp and the norms."
            )
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
OTHER_NORMS = {  # no layer norms: these undo no scale and no shift
    "norm_1": Part("half of each number, plus 1", lambda X: X / 2 + 1),
    "norm_2": Part("a third of each number, minus 1", lambda X: X / 3 - 1),
}
X = table("0.4 -1.2 2.0 0.8; 1.5 0.2 -0.7 0.1; -1.0 0.6 0.3 2.5")
CASES = (
    Case("three vectors", X=X, **PARTS),
    Case("an MLP that finds nothing", {"X": X, **PARTS, "mlp": NOTHING}),
    Case("an attention that finds nothing", {"X": X, **PARTS, "attend": NOTHING}),
    Case("other norms", {"X": X, **PARTS, **OTHER_NORMS}),
)
HALVES = {
    "mlp": "look at the first half, and at what you add and normalise after the MLP",
    "attend": "look at the second half, and at what you add and normalise after "
    "attention",
}


def where_silent(**formulas: str) -> Law:
    """Say what Y is where `attend` or `mlp` finds nothing."""

    def law(example: Example) -> str | None:
        if np.allclose(example.got["Y"], example.expected["Y"], atol=1e-3):
            return None
        for part, Y in formulas.items():
            if example.inputs[part] == NOTHING:
                return (
                    f"with 0 from {part}, Y is {Y}; yours is not. ({part} gives 0 "
                    f"here: {HALVES[part]}.)"
                )
        return None

    return law


def right_in_halves(example: Example) -> str | None:
    """Speak where Y is right as long as one part finds nothing, and else is not."""
    silent = [
        np.allclose(it.got["Y"], it.expected["Y"], atol=1e-3)
        for it in example.among
        if NOTHING in (it.inputs["attend"], it.inputs["mlp"])
    ]
    if len(silent) < 2 or not all(silent):
        return None
    return (
        "where attend or mlp gives 0, Y is right; here, where both give something, it "
        "is not. Does the MLP read what the first half gave, attention's part included?"
    )


def right_with_layer_norms(example: Example) -> str | None:
    """Speak where only norms that are no layer norms tell a result from the due one."""
    if not all(
        np.allclose(it.got["Y"], it.expected["Y"], atol=1e-3)
        for it in example.among
        if it.inputs["norm_1"] == PARTS["norm_1"]
    ):
        return None
    return (
        "with layer norms your block is right, but norm_1 and norm_2 may be any norms. "
        "Is something scaled, shifted or normalised once more than asked? A layer norm "
        "undoes that."
    )


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
        right_with_layer_norms,
        right_in_halves,
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
    laws=(
        where_silent(mlp="X + attend(norm_1(X))", attend="X + mlp(norm_2(X))"),
        right_with_layer_norms,
        right_in_halves,
    ),
)


def attention(D, D_hidden):
    """Four matrices, and what people count instead."""
    others = {
        "three matrices. There is a fourth, W_O, behind the heads.": 3 * D * D,
        "one matrix. There are W_Q, W_K, W_V, W_O.": D * D,
        "D numbers a matrix. It has D * D.": 4 * D,
        "biases. Ours has none.": 4 * D * D + 4 * D,
        "matrices D_hidden wide. That is the width inside the MLP; attention's "
        "matrices are D by D.": 4 * D * D_hidden,
    }
    return [(4 * D * D, {f"In attention you count {o}": n for o, n in others.items()})]


def mlp(D, D_hidden):
    """Two matrices and two biases."""
    shapes = "W_1 is D by D_hidden, W_2 is D_hidden by D."
    matrices = {
        "count one matrix. There are W_1 and W_2.": D * D_hidden,
        f"count a matrix of D_hidden by D_hidden. {shapes}": D_hidden * D_hidden,
        f"count matrices of D by D. {shapes}": 2 * D * D,
    }
    biases = {
        "leave out the biases b_1 and b_2.": 0,
        "count b_1 as D wide. It is D_hidden wide.": 2 * D,
        "count b_2 as D_hidden wide. It is D wide.": 2 * D_hidden,
        "leave out the bias b_2.": D_hidden,
        "leave out the bias b_1.": D,
    }
    return [
        (right, {f"In the MLP you {other}": n for other, n in others.items()})
        for right, others in ((2 * D * D_hidden, matrices), (D_hidden + D, biases))
    ]


def norms(D, D_hidden):
    """Two scales and two shifts."""
    two = "There are two norms, with gamma and beta each."
    others = {
        f"You count one norm, or one vector a norm. {two}": 2 * D,
        "In the norms you count one number for gamma and one for beta. Each has D.": 4,
        f"You count a single vector for the norms. {two}": D,
        "You count nothing for the norms. They learn gamma and beta.": 0,
        "You count three norms. A block has two.": 6 * D,
    }
    return [(4 * D, others)]


HINTS = {
    attention: "It has W_Q, W_K, W_V and W_O, each D by D, and no biases.",
    mlp: "It has W_1 of D by D_hidden, W_2 of D_hidden by D, and a bias behind each.",
    norms: "Two norms learn gamma and beta, D numbers each.",
}

check_block_weights = Check(
    name="block_weights",
    reference=solutions.block_weights,
    gives={"weights": ""},
    task="Write `block_weights(D, D_hidden)`: a dictionary with the keys "
    '"attention", "mlp", "norms", how many numbers each learns in one block of width '
    "D with D_hidden inside its MLP. Attention has no biases, the MLP has two.",
    cases=(
        Case("sizes of the book", D=64, D_hidden=256),
        Case("a narrow MLP", D=7, D_hidden=5),
        Case("other sizes", D=6, D_hidden=31),
    ),
    laws=[
        Counted(part.__name__, part, hint, part=part.__name__)
        for part, hint in HINTS.items()
    ],
)


def nearer_to_another(example: Example) -> str | None:
    """Point at a sense that is none, or at the vector given a mean farthest off."""
    got, new, known = example.got["senses"], *example.inputs.values()
    if got.dtype.kind == "b" and (got == example.expected["senses"]).all():
        return "you give True and False; expected are whole numbers, the senses' own."
    strange = got[~np.isin(got, range(len(known)))]
    if strange.size:
        return (
            f"you give a sense that does not exist: {strange[0]:.4g}. The senses are "
            f"the whole numbers from 0 to {len(known) - 1}; argmin over the senses "
            "gives them."
        )
    away = np.linalg.norm(new[:, None] - known.mean(axis=1), axis=-1)
    given = np.take_along_axis(away, got.astype(int)[:, None], axis=-1)
    i = (given[:, 0] - away.min(axis=-1)).argmax()
    if got[i] == example.expected["senses"][i]:
        return None
    return (
        f"you give new[{i}] the sense {int(got[i])}; its distances to the mean vectors "
        f"of the senses are {away[i].round(2).tolist()}."
    )


check_nearest_sense = Check(
    name="nearest_sense",
    reference=solutions.nearest_sense,
    gives={"senses": "N_new"},
    task="Write `nearest_sense(new, known)`: new (N_new, D), known (N_senses, N_known, "
    "D). Return N_new whole numbers: for each new vector the sense, from 0 on, whose "
    "mean vector has the smallest Euclidean distance to it.",
    cases=(
        Case("two senses", new=numbers(3, 9, 3), known=numbers(2, 2, 4, 3)),
        Case("three senses", new=numbers(3, 12, 2), known=numbers(4, 3, 5, 2)),
        Case(
            "one sense scattered, one far out",
            new=table("1 1; 3 0; 0 3; 4 4; 5.5 5.5; 2.2 2.2; 4 0; 0 4.2; 9 9"),
            known=table("-6 0; 7 0; 1 5; 0 -7 / 5 5; 5.5 4.5; 4.5 5.5; 5 5"),
        ),
        Case(  # medians and absolute differences lead to other senses each
            "three senses far apart",
            new=numbers(8, 8, 2, scale=2),
            known=numbers(9, 3, 5, 2, scale=2),
        ),
    ),
    mutants=MISTAKES["nearest_sense"],
    laws=(nearer_to_another,),
)
