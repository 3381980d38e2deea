"""`check_causal_mask`, `check_padding_mask`, `check_causal_padding_mask`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import Function, Mutant, source
from attention_book.reference import causal_mask, causal_padding_mask, padding_mask

MISTAKES = read_mistakes(__file__)


def in_another_convention(name: str, mask: Callable[..., Any], says: str) -> Mutant:
    """Make the mistake of a mask that is right, but for how it is written."""

    def twin(original: Function) -> Function:
        return lambda *inputs: mask(original(*inputs))

    twin.shown = source(mask)
    return Mutant(name, says, twin=twin)


CONVENTIONS = (
    in_another_convention(
        "True where hidden",
        lambda visible: ~visible,
        "Your mask is True where a query may not look. Both conventions exist "
        "(nn.MultiheadAttention of torch has this one); here True means: may look.",
    ),
    in_another_convention(
        "numbers to be added",
        lambda visible: np.where(visible, 0.0, -np.inf),
        "You return numbers to be added to the scores, 0 and -inf. That works in a "
        "model, but it is another convention: here a mask is boolean, True where a "
        "query may look. Return the condition itself.",
    ),
    in_another_convention(
        "0 times infinity",
        lambda visible: (1.0 - visible) * -np.inf,
        "0 times -inf is NaN, so your mask is NaN where one may look. Choose with "
        "`where` instead of multiplying. And here a mask is boolean, True where a "
        "query may look: return the condition itself.",
    ),
)


def yes_or_no(example: Example) -> str | None:
    """A mask holds True and False, or 1 and 0."""
    M = np.asarray(example.got["visible"], dtype=float)
    if M.min() <= -100 and M.max() == 0:
        return (
            f"your mask holds 0 and {M.min():.3g}: numbers to be added to scores. That "
            "is a convention too; here a mask is boolean, True where a query may look."
        )
    odd = M[(M != 0) & (M != 1)]
    return (
        f"a mask holds True and False; yours holds {odd[0]:.3g}." if len(odd) else None
    )


def first_difference(axes: str, shown: str, hidden: str) -> Law:
    """Point at the first entry that is wrong.

    Parameters
    ----------
    axes : a letter for each axis of the mask, for the placeholders of the sentences
    shown : what to say of an entry that is True and must not be
    hidden : the same for one that is False
    """

    def law(example: Example) -> str | None:
        got, due = np.asarray(example.got["visible"]), example.expected["visible"]
        place = next((tuple(at) for at in np.argwhere(got != due).tolist()), None)
        if place is None:
            return None
        named = dict(zip(axes, place, strict=True))
        says = (hidden if due[place] else shown).format(**named)
        return f"visible[{str(place)[1:-1]}] is {not due[place]}: {says}"

    return law


check_causal_mask = Check(
    name="causal_mask",
    reference=causal_mask,
    gives={"visible": "N N"},
    task="Write `causal_mask(N)`: a boolean array (N, N), visible[i, j] True where "
    "position i may look at position j: at itself and at everything before it, at "
    "nothing that comes later.",
    cases=(
        Case("five positions", N=5),
        Case("two positions", N=2),
        Case("a single position", N=1),
    ),
    mutants=(*MISTAKES["causal_mask"], *CONVENTIONS),
    laws=(
        yes_or_no,
        first_difference(
            "ij",
            shown="position {i} looks at {j}, which comes later.",
            hidden="position {i} may look at {j}, which comes before it or is itself.",
        ),
    ),
)

check_padding_mask = Check(
    name="padding_mask",
    reference=padding_mask,
    gives={"visible": "B N_X"},
    task="Write `padding_mask(lengths, N_X)`: lengths (B,) says how many inputs of "
    "each item are real; all are padded at their end to N_X. Return a boolean array "
    "(B, N_X), True where an input is real.",
    cases=(
        Case("three items", lengths=np.array([2, 4, 3]), N_X=5),
        Case("an item that fills the length", lengths=np.array([4, 1]), N_X=4),
    ),
    mutants=(*MISTAKES["padding_mask"], *CONVENTIONS),
    laws=(
        yes_or_no,
        first_difference(
            "bj",
            shown="input {j} of item {b} is padding. Each item has a length of its "
            "own, lengths[{b}].",
            hidden="input {j} of item {b} is a real one.",
        ),
    ),
)

check_causal_padding_mask = Check(
    name="causal_padding_mask",
    reference=causal_padding_mask,
    gives={"visible": "B N_X N_X"},
    task="Write `causal_padding_mask(lengths, N_X)`: lengths (B,) says how many inputs "
    "of each item are real, the rest is padding at the end. Return a boolean array (B, "
    "N_X, N_X), visible[b, i, j] True where input i of item b may look at input j: not "
    "at what comes later, and not at padding. Rows of padding are treated like any "
    "other row.",
    cases=(
        Case("three items", lengths=np.array([2, 4, 3]), N_X=4),
        Case("short items", lengths=np.array([1, 3]), N_X=5),
    ),
    mutants=(
        *MISTAKES["causal_padding_mask"],
        *MISTAKES["causal_mask"],
        *MISTAKES["padding_mask"],
        *CONVENTIONS,
    ),
    laws=(
        yes_or_no,
        first_difference(
            "bij",
            shown="in item {b}, input {j} is padding, or comes later than {i}.",
            hidden="in item {b}, input {j} is real and comes no later than {i}.",
        ),
    ),
)
