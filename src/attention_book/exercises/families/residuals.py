"""What is made wrong of a block with two parts, norms and sums, whatever its order."""

from itertools import cycle

import numpy as np

from attention_book.exercises.mutants import Function, Mutant, swap

SUMS = {  # what is made of X and of what a part found: the first sum, the second
    "found, X + found": "You do not add X to what attention found, so each vector "
    "forgets what it was itself. Two sums are due, one around each part.",
    "X + found, found": "What the MLP found takes the place of what was there. Two "
    "sums are due, one around each part: the second adds what the first half gave.",
    "found, found": "Nothing is added: everything has to go through attention and MLP. "
    "Add to what each of them finds what was there before.",
    "beside, beside": "You put what was there and what was found side by side, and the "
    "vectors grow. A residual connection adds the two: the width stays D.",
}
PARTS = {  # what is handed over instead of attend, mlp, norm_1, norm_2
    "attend, mlp, norm_2, norm_1": "You use norm_2 with attention and norm_1 with the "
    "MLP. It is the other way round.",
    "attend, mlp, norm_1, norm_1": "You use norm_1 both times. Each norm has a scale "
    "and a shift of its own: take norm_2.",
    "attend, mlp, lambda X: X, norm_2": "You do not use norm_1. It belongs to "
    "attention: in a pre-norm block in front of it, else around the first sum.",
    "attend, mlp, norm_1, lambda X: X": "You do not use norm_2. It belongs to the MLP: "
    "in a pre-norm block in front of it, else around the second sum.",
    "attend, mlp, norm_2, norm_2": "You use norm_2 both times. Each norm has a scale "
    "and a shift of its own: take norm_1 with attention.",
    "attend, mlp, lambda X: X, lambda X: X": "You use neither norm. norm_1 belongs to "
    "attention, norm_2 to the MLP.",
    "attend, lambda X: 0 * X, norm_1, norm_2": "You never call mlp, or do not use "
    "what it gives.",
    "lambda X: 0 * X, mlp, norm_1, norm_2": "You never call attend, or do not use "
    "what it gives.",
    "lambda X: attend(X)[0] + 0 * X, mlp, norm_1, norm_2": "You take the first vector "
    "that attend gives, as attend(X)[0] does, for all. attend gives vectors only, no "
    "weights: use all of them.",
    "mlp, attend, norm_1, norm_2": "Your MLP comes first. The vectors look at each "
    "other first, and the MLP works on what they found.",
    "attend, lambda X: mlp(X.T).T, norm_1, norm_2": "You transpose what the MLP is "
    "given, so it mixes positions. It works on each vector by itself; only attention "
    "lets them look at each other.",
    "lambda X: attend(X.T).T, mlp, norm_1, norm_2": "You transpose what attention is "
    "given, so that features look at features. The vectors are the rows.",
}
SEEN = {"attend, mlp, norm_1, norm_1": "bentrevett/pytorch-seq2seq 100; mlx 1636"}


ADDED = {
    "found": lambda X, found: found,
    "X + found": np.add,
    "beside": lambda *both: np.concatenate(both, axis=-1),
}
CHANGED = {  # what is handed over that is no part itself, made of attend and mlp
    "lambda X: X": lambda attend, mlp: lambda X: X,
    "lambda X: 0 * X": lambda attend, mlp: lambda X: 0 * X,
    "lambda X: attend(X)[0] + 0 * X": lambda attend, mlp: (
        lambda X: attend(X)[0] + 0 * X
    ),
    "lambda X: attend(X.T).T": lambda attend, mlp: lambda X: attend(X.T).T,
    "lambda X: mlp(X.T).T": lambda attend, mlp: lambda X: mlp(X.T).T,
}


def residuals() -> tuple[Mutant, ...]:
    """Give the mistakes in putting a block together."""
    twins = [(summed(sums), says, "common") for sums, says in SUMS.items()]
    twins += [(arranged(p), says, SEEN.get(p, "common")) for p, says in PARTS.items()]
    return tuple(Mutant(twin.shown, says, (), twin, seen) for twin, says, seen in twins)


def summed(sums: str) -> Function:
    """Make a twin that calls another `residual`, whose results take turns."""

    def twin(order):
        turns = cycle(ADDED[each] for each in sums.split(", "))

        def residual(X, found):
            return next(turns)(X, found)

        return swap(residual=residual)(order)

    twin.shown = f"the sums: {sums}"
    return twin


def arranged(parts: str) -> Function:
    """Make a twin that hands over other parts."""

    def twin(order):
        def block(X, attend, mlp, norm_1, norm_2):
            own = {"attend": attend, "mlp": mlp, "norm_1": norm_1, "norm_2": norm_2}
            changed = {name: make(attend, mlp) for name, make in CHANGED.items()}
            return order(X, *((own | changed)[name] for name in parts.split(", ")))

        return block

    twin.shown = f"a block of: {parts}"
    return twin
