"""Chapter 7's checks: attention in parts of the width, three masks, and attention in a
batch that has padding.
"""

from functools import partial

import numpy as np

from attention_book import reference
from attention_book.exercises.arrays import drawn, mask, numbers
from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.families import Mistake, family, weights
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import (
    laws_of_weights,
    scaled_by_the_root,
    true_or_false,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap

MISTAKES = read_mistakes(__file__)
small = partial(drawn, scale=0.7)


def heads_hold_their_entries(example: Example) -> str | None:
    """Point at the first vector of a head that is not cut from its own place."""
    got, due = example.got["heads"], example.expected["heads"]
    for k, n in np.argwhere(~np.isclose(got, due).all(axis=-1)).tolist():
        first, last = k * due.shape[-1], (k + 1) * due.shape[-1] - 1
        return (
            f"head {k} at position {n} must hold entries {first} to {last} of X[{n}]; "
            f"yours holds {got[k, n].astype(float).round(3).tolist()}."
        )
    return None


def heads_are_apart_and_joined(example: Example) -> str | None:
    """Point at the first head whose weights are not its own, or else at Y."""
    for k, pair in enumerate(zip(example.got["A"], example.expected["A"], strict=True)):
        if not np.allclose(*pair, atol=1e-4):
            if k:
                return (
                    f"A[0] is right, A[{k}] is not: does each head take its own block "
                    "of W_Q and W_K?"
                )
            return (
                "A[0] is off. Head 0 compares its block of neighbouring columns "
                "of X W_Q with its block of X W_K, position by position (a reshape "
                "without swapping axes mixes them), divided by sqrt(D_head)."
            )
    if np.allclose(example.got["Y"], example.expected["Y"], rtol=1e-3, atol=1e-4):
        return None
    return (
        "A is right, Y is not. Each head mixes its own part of the values by its A "
        "(under the same mask, if Y is computed apart); the results stand side by "
        "side, head 0 first, and are multiplied by W_O. Nothing comes after that."
    )


check_split_heads = Check(
    name="split_heads",
    reference=reference.split_heads,
    gives={"heads": "N_heads N D_head"},
    task="Write `split_heads(X, N_heads)`: X (B, N, D) in, (B, N_heads, N, D_head) "
    "out, or both without B. Head k holds entries k * D_head to (k + 1) * D_head - 1 "
    "of every vector, D_head = D / N_heads.",
    cases=(
        Case("three heads", X=np.arange(48.0).reshape(2, 4, 6), N_heads=3),
        Case("two heads", X=numbers(0, 3, 5, 8), N_heads=2),
    ),
    mutants=MISTAKES["split_heads"],
    laws=(heads_hold_their_entries,),
    batch=("X",),
    forms=("batched", "single"),
)

check_multi_head = Check(
    name="multi_head",
    reference=reference.multi_head,
    gives={"Y": "N_X D_Y", "A": "N_heads N_X N_X"},
    weights=("A",),
    task="Write `multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)`: head k attends "
    "with the k-th block of columns of W_Q, W_K, W_V (D_X, ...), all under one mask "
    "(N_X, N_X); W_O meets what they find. Return Y and all weights, as for one head.",
    cases=(
        Case(
            "three heads",
            small(0, X=(2, 4, 5), W_Q=(5, 6), W_K=(5, 6), W_V=(5, 9), W_O=(9, 9)),
            N_heads=3,
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "two heads",
            small(5, X=(3, 3, 6), W_Q=(6, 8), W_K=(6, 8), W_V=(6, 6), W_O=(6, 5)),
            N_heads=2,
            visible=mask("110 011 111 / 101 110 011 / 010 110 100"),  # padding in one
        ),
    ),
    mutants=(
        *(m for m in MISTAKES["split_heads"] if m.name != "heads behind the positions"),
        *MISTAKES["multi_head"],
        *scaling(lambda attention: swap(attention=attention), width="D_head"),
        *weights.masking(weights.calls_attention, only=weights.IN_A_LAYER),
    ),
    laws=(
        *laws_of_weights(),
        scaled_by_the_root(width="D_head"),
        heads_are_apart_and_joined,
    ),
    batch=("X", "visible"),
    forms=("batched", "single"),
)


CONVENTIONS = family(
    (
        Mistake(
            "True where hidden",
            lambda visible: ~visible,
            "Your mask is True where a query may not look, as nn.MultiheadAttention of "
            "torch wants it. Here True means: may look.",
        ),
        Mistake(
            "numbers to be added",
            lambda visible: np.where(visible, 0.0, -np.inf),
            "You return numbers to be added to the scores, 0 and -inf: another "
            "convention. Here a mask is boolean, True where a query may look.",
        ),
        Mistake(
            "0 times infinity",
            lambda visible: (1.0 - visible) * -np.inf,
            "0 times -inf is NaN, so your mask is NaN where one may look. Here a mask "
            "is boolean, True where a query may look: return the condition itself.",
        ),
    ),
    lambda convention: lambda mask: lambda *inputs: convention(mask(*inputs)),
)
LENGTHS = (
    Case("three items", lengths=np.array([2, 4, 3]), N_X=5),
    Case("an item without padding", lengths=np.array([4, 1]), N_X=4),
)


def first_difference(axes: str, rule: str) -> Law:
    """Point at the first wrong entry; the rule may name its place by the `axes`."""
    boolean = true_or_false("visible")

    def law(example: Example) -> str | None:
        got, due = example.got["visible"], example.expected["visible"]
        if len(odd := got[(got != 0) & (got != 1)]):
            turned = got.dtype.kind == "i" and {*odd.tolist()} <= {-1, -2}
            why = " (~ of a number is not *not*.)" * turned
            return f"a mask holds True and False; yours holds {odd[0]:.3g}.{why}"
        for place in np.argwhere(got != due).tolist():
            rules = rule.format(**dict(zip(axes, place, strict=True)))
            return f"visible{place} is {not due[tuple(place)]}. {rules}"
        return boolean(example)

    return law


check_causal_mask = Check(
    name="causal_mask",
    reference=reference.causal_mask,
    gives={"visible": "N N"},
    task="Write `causal_mask(N)`: a boolean array (N, N), visible[i, j] True where "
    "position i may look at position j: at itself and at everything before it.",
    cases=(Case("five positions", N=5), Case("a single position", N=1)),
    mutants=(*MISTAKES["causal_mask"], *CONVENTIONS),
    laws=(
        first_difference("ij", "Row {i} may look at column {j} only if {j} <= {i}."),
    ),
)

check_padding_mask = Check(
    name="padding_mask",
    reference=reference.padding_mask,
    gives={"visible": "B N_X"},
    task="Write `padding_mask(lengths, N_X)`: a boolean array (B, N_X), True where an "
    "input is real: of item b the first lengths[b] are, the rest is padding.",
    cases=LENGTHS,
    mutants=(*MISTAKES["padding_mask"], *CONVENTIONS),
    laws=(first_difference("bj", "Input {j} is real only if {j} < lengths[{b}]."),),
)

check_causal_padding_mask = Check(
    name="causal_padding_mask",
    reference=reference.causal_padding_mask,
    gives={"visible": "B N_X N_X"},
    task="Write `causal_padding_mask(lengths, N_X)`: a boolean array (B, N_X, N_X), "
    "visible[b, i, j] True where input i of item b may look at input j: not at what "
    "comes later, not at padding, from lengths[b] on. (Rows of padding look, too.)",
    cases=LENGTHS,
    mutants=(*MISTAKES["causal_padding_mask"], *MISTAKES["padding_mask"], *CONVENTIONS),
    laws=(
        first_difference(
            "bij", "Both masks must allow it (&): {j} <= {i} and {j} < lengths[{b}]."
        ),
    ),
)


def words_and_only_words(example: Example) -> str | None:
    """Padding gets no weight, and every word gets some."""
    a, right = example.got["a"], example.expected["a"]
    for b, length in enumerate(example.inputs["lengths"]):
        said = f"sentence {b} has {length} words, numbers 0 to {length - 1}, and a[{b}]"
        if length < a.shape[1] and np.abs(a[b, :length]).max() < 1e-6:
            return f"{said} looks at padding only: turn your condition round."
        if np.abs(a[b, length:]).max(initial=0) > 1e-6:
            return f"{said} gives weight to padding: its score must be -inf, not 0."
        if missed := np.flatnonzero((right[b] > 1e-3) & (a[b] < 1e-6)).tolist():
            return f"{said} gives no weight to number {missed[0]}."
        if abs(a[b].sum() - 1) > 1e-3:
            return f"a[{b}] sums to {a[b].sum():.3f}, not 1: hide scores, not weights."
    return None


def _batch(name, lengths, N_X, times_s=1, times_h=1) -> Case:
    """States of width 4; those of a sentence, or of a place, some times larger."""
    s, h = numbers(0, len(lengths), 4), numbers(1, len(lengths), N_X, 4)
    return Case(name, s=s * np.c_[times_s], h=h * np.c_[times_h], lengths=lengths)


check_contexts = Check(
    name="contexts",
    reference=reference.contexts,
    gives={"c": "B D_S", "a": "B N_X"},
    weights=("a",),
    task="Write `contexts(s, h, lengths)`: attention with dot scores from states s (B, "
    "D_S) to the first lengths[b] rows of each h[b] (N_X, D_S); the rest is padding. "
    "`lengths` is a list of B numbers. Return the contexts (B, D_S) and the weights "
    "(B, N_X), 0 on padding.",
    cases=(
        _batch("three sentences", [3, 5, 1], N_X=5),
        _batch("padding of zeros", [2, 1], N_X=4, times_h=[1, 1, 0, 0]),
        _batch("one sentence with large scores", [3, 2], N_X=3, times_s=[1, 400]),
        _batch("large padding", [2, 2], N_X=4, times_h=[1, 1, 1e10, -3e10]),
        Case(
            "scores far below 0",  # and below -1e9, which often stands for -inf
            s=np.full((2, 4), -1e10),
            h=1 + abs(numbers(3, 2, 3, 4)),
            lengths=[2, 1],
        ),
    ),
    mutants=MISTAKES["contexts"],
    laws=(words_and_only_words,),
)
