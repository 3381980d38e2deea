"""Chapter 2's own step: `check_masked_softmax`, `check_attention_step`, `check_error_rate`, `check_work_per_word`."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    work_per_word,
)
from attention_book.exercises.checking import Case, Check, Law, Example
from attention_book.exercises.laws import (
    hidden_gets_nothing,
    not_negative,
    rows_sum_to_one,
)
from attention_book.exercises.mutants import Mutant

HIDE = "e = np.where(visible, e, -np.inf)"
GUARD = "if not visible.any(axis=-1).all():"
WEIGHTS = "return positive / positive.sum(axis=-1, keepdims=True)"
SHIFT = "positive = np.exp(e - largest)"
NOWHERE = "weights that sum to 1 must go somewhere, and nothing may be looked at"

MASKING = (
    Mutant(
        "mask applied after the softmax",
        ((HIDE, ""), (WEIGHTS, WEIGHTS + " * visible")),
        "What is hidden gets weight 0, but what is visible no longer sums to 1: the "
        "hidden inputs took their share of the softmax before you struck it out. Set "
        "their scores to -inf before the softmax.",
    ),
    Mutant(
        "mask multiplied into the scores",
        ((HIDE, "e = e * visible"),),
        "Your hidden inputs get a score of 0, or nearly (as with -1e-9 for -1e9), and "
        "exp(0) = 1 is a weight like any other. The score that means *never* is -inf: "
        "np.where(visible, e, -np.inf).",
    ),
    Mutant(
        "mask added to the scores",
        ((HIDE, "e = e + visible"),),
        "You add True and False to the scores, which are 1 and 0: what is visible "
        "gets a little more, and what is hidden keeps its weight. A mask that is "
        "added must hold 0 and -inf.",
    ),
    Mutant(
        "mask not used",
        ((HIDE, ""),),
        "Hidden inputs keep their weight. Is the mask used at all? np.where and "
        "masked_fill give back a new array: if you do not store the result, it is "
        "thrown away.",
    ),
    Mutant(
        "mask the wrong way round",
        ((HIDE, "e = np.where(visible, -np.inf, e)"),),
        "You hide what is visible and look at what is hidden. Here True means *may be "
        "looked at*; masked_fill wants the opposite, ~visible.",
    ),
    Mutant(
        "infinity times the mask",
        ((HIDE, "e = e + ~visible * -np.inf"),),
        "Your weights are NaN everywhere: 0 times infinity is NaN, so a visible score "
        "is spoilt, too. Choose with np.where(visible, e, -np.inf), and multiply by "
        "nothing infinite.",
    ),
    Mutant(
        "no largest score subtracted",
        ((SHIFT, "positive = np.exp(e)"),),
        "exp of a score near 1000 overflows, and infinity over infinity is NaN; with "
        "all scores near -1000 it is 0 / 0. Subtract the largest visible score first: "
        "it changes nothing else.",
    ),
    Mutant(
        "largest score taken from the hidden ones, too",
        (
            (HIDE, "hidden = np.where(visible, e, -np.inf)"),
            (SHIFT, "positive = np.exp(hidden - largest)"),
        ),
        "The largest score that you subtract may be a hidden one. If it is far above "
        "the visible scores, they all become exp(-2000) = 0, and 0 / 0 is NaN: hide "
        "first, and then take the largest.",
    ),
    Mutant(
        "not divided by the sum",
        ((WEIGHTS, "return positive"),),
        "Your numbers are positive but do not sum to 1. Divide by their sum over the "
        "inputs.",
    ),
    Mutant(
        "NaN where nothing is visible",
        ((GUARD, "if False:"),),
        "Where nothing is visible, you return NaN. It would spread from there through "
        "all that follows: raise a ValueError as soon as one row of the mask is False "
        "throughout (not only if the whole mask is).",
        seen="pytorch 41508",
    ),
    Mutant(
        "uniform weights where nothing is visible",
        ((GUARD, "if False:"), (HIDE, "e = np.where(visible, e, -1e9)")),
        "Where nothing is visible, all hidden inputs get the same weight, as all have "
        "the same large negative score. Nobody would notice that padding is read: "
        "raise a ValueError.",
        seen="annotated-transformer, `masked_fill(mask == 0, -1e9)`",
    ),
    Mutant(
        "zeros where nothing is visible",
        (
            (GUARD, "if False:"),
            (WEIGHTS, WEIGHTS.replace("return ", "return np.nan_to_num(") + ")"),
        ),
        "Where nothing is visible, you return zeros: no weights, as they do not sum "
        "to 1, and a context of zeros looks like any other. Raise a ValueError.",
    ),
)


def ratios_are_exp(name: str, scores: Callable[[Example], np.ndarray]) -> Law:
    """Two weights differ by the factor exp of the difference of their scores.

    Parameters
    ----------
    name : name of the weights
    scores : a function that makes the scores from what is seen
    """

    def law(example: Example) -> str | None:
        E, A, visible = (
            np.atleast_2d(x)
            for x in (scores(example), example.got[name], example.inputs["visible"])
        )
        for e, a, may_look in zip(E, A, visible, strict=True):
            sure = np.flatnonzero(may_look & (a > 1e-6))
            for i, j in pairwise(sure):
                if not np.isclose(a[i] / a[j], due := np.exp(e[i] - e[j]), rtol=1e-2):
                    return (
                        f"two visible inputs with the scores {e[i]:.3g} and {e[j]:.3g} "
                        f"get weights with the ratio {a[i] / a[j]:.3g}, expected "
                        f"{due:.3g}: exp of the difference of the scores."
                    )
        return None

    return law


check_masked_softmax = Check(
    name="masked_softmax",
    reference=masked_softmax,
    gives={"A": "N_Y N_X"},
    task="Write `masked_softmax(e, visible)`: scores `e` and a mask `visible` (True = may be looked at), both of "
    "shape (N_Y, N_X), in; weights of the same shape out. Each row is a softmax over "
    "its visible inputs, what is hidden gets 0. Scores of 1000 must do no harm. If a "
    "row has nothing visible, raise ValueError.",
    cases=(
        Case(
            "another mask for each row",
            {
                "e": np.array(
                    [
                        [0.5, -1.0, 1.5, 2.0, 0.2],
                        [-0.5, 0.3, 0.8, -1.2, 1.0],
                        [1.2, 0.4, -0.7, 0.9, 0.1],
                    ]
                ),
                "visible": np.array(
                    [[1, 1, 1, 0, 0], [1, 0, 1, 1, 0], [0, 1, 1, 0, 1]], dtype=bool
                ),
            },
        ),
        Case(
            "negative scores, with a gap in the middle",
            {
                "e": np.array([[-2.0, -1.0, -3.0, -1.5], [-1.2, -2.5, -0.8, -2.0]]),
                "visible": np.array([[1, 0, 1, 1], [1, 0, 1, 1]], dtype=bool),
            },
        ),
        Case(
            "rows that lie far apart",
            {
                "e": np.array(
                    [
                        [1000.0, 1001.0, 998.0, 1000.5],
                        [-1000.0, -1001.0, -999.0, -1000.5],
                    ]
                ),
                "visible": np.array([[1, 1, 0, 1], [1, 1, 1, 0]], dtype=bool),
            },
        ),
        Case(
            "a hidden score far above the visible ones",
            {
                "e": np.array([[0.5, 2000.0, -0.5, 1.0], [2000.0, 0.3, -0.2, 0.8]]),
                "visible": np.array([[1, 0, 1, 1], [0, 1, 1, 1]], dtype=bool),
            },
        ),
        Case(
            "rows with all and with one input visible",
            {
                "e": np.array([[0.5, -1.0, 0.7], [0.3, 1.4, -0.6]]),
                "visible": np.array([[1, 1, 1], [0, 1, 0]], dtype=bool),
            },
        ),
        Case(
            "a row that may look nowhere",
            {
                "e": np.array([[0.5, -1.0, 0.7], [0.3, 1.4, -0.6]]),
                "visible": np.array([[1, 1, 0], [0, 0, 0]], dtype=bool),
            },
            refuse=NOWHERE,
        ),
    ),
    mutants=(
        *MASKING,
        Mutant(
            "softmax over the query axis",
            (
                (
                    "largest = e.max(axis=-1, keepdims=True)",
                    "largest = e[visible].max()",
                ),
                (WEIGHTS, WEIGHTS.replace("-1", "0")),
            ),
            "Your softmax runs over the first axis, the queries: columns sum to 1. It "
            "runs over the inputs, the last axis: each query hands out one whole.",
        ),
        Mutant(
            "one softmax over everything",
            (
                ("largest = e.max(axis=-1, keepdims=True)", "largest = e.max()"),
                (WEIGHTS, "return positive / positive.sum()"),
            ),
            "All your weights together sum to 1. Each row needs a sum of its own: "
            "over the last axis only, and keep that axis (keepdims=True) so that the "
            "division knows which row is which.",
        ),
        Mutant(
            "largest score of the whole array subtracted",
            (("largest = e.max(axis=-1, keepdims=True)", "largest = e.max()"),),
            "You subtract the largest of all scores. A row that lies far below it "
            "becomes 0 / 0: subtract each row's own.",
        ),
        Mutant(
            "the first row's mask for all rows",
            ((HIDE, HIDE.replace("visible", "visible[:1]")),),
            "You hide in every row what is hidden in the first. Each row has a mask "
            "of its own, the same row of `visible`.",
        ),
        Mutant(
            "scores overwritten",
            ((HIDE, "e[~visible] = -np.inf"),),
            "The weights are right, but -inf is written into the scores e that you "
            "were given: whoever uses them again finds it there. Work on a new array, "
            "as np.where gives one.",
            seen="d2l, `masked_softmax`",
        ),
    ),
    laws=(
        not_negative("A"),
        rows_sum_to_one("A", over="the inputs", instead="the queries"),
        hidden_gets_nothing("A"),
        ratios_are_exp("A", lambda example: example.inputs["e"]),
    ),
)


def context_is_the_average(example: Example) -> str | None:
    """The context is made with the weights that are returned."""
    h, a_t, c_t = (
        example.inputs["h"],
        np.asarray(example.got["a_t"]),
        np.asarray(example.got["c_t"]),
    )
    if np.allclose(a_t @ h, c_t, rtol=1e-3, atol=1e-3):
        return None
    return "c_t is not the average of the h_i with the weights that you return. It is a_t @ h, after mask and softmax."


def same_input_same_weight(example: Example) -> str | None:
    """Two inputs with the same state get the same weight: attention does not know where they stand."""
    h, visible, a_t = (
        example.inputs["h"],
        example.inputs["visible"],
        np.asarray(example.got["a_t"]),
    )
    where = np.flatnonzero(visible)
    for k, i in enumerate(where):
        for j in where[k + 1 :]:
            if (h[i] == h[j]).all() and abs(a_t[i] - a_t[j]) > 1e-3:
                return (
                    f"inputs {i} and {j} have the same state and get the weights "
                    f"{a_t[i]:.3f} and {a_t[j]:.3f}. The score of an input depends on "
                    "its state and on s, and not on where it stands: e_i = s · h_i."
                )
    return None


S = np.array([1.0, -0.5, 0.5, 1.5])
H = np.array(
    [
        [0.4, 0.6, -0.2, 0.3],
        [-0.6, 0.2, 0.8, 0.1],
        [0.9, -0.4, 0.2, 0.7],
        [0.1, -0.8, 0.5, -0.3],
        [0.7, 0.3, -0.9, 0.9],
    ]
)
TWICE, ORDER = np.array([1, 0, 1, 2, 4]), np.array([3, 0, 4, 2, 1])
E_T = "e_t = h @ s"
MIX = "return a_t @ h, a_t"

check_attention_step = Check(
    name="attention_step",
    reference=attention_step,
    gives={"c_t": "D_S", "a_t": "N_X"},
    task="Write `attention_step(s, h, visible)`: a state `s` of shape (D_S,), the inputs' states `h` of shape (N_X, "
    "D_S) and a mask `visible` of shape (N_X,), True = may be looked at. Score with "
    "the dot product (not scaled), take a softmax over the visible inputs and mix the "
    "h_i. Return the context (D_S,), then the weights (N_X,). Scores of 1000 must do "
    "no harm; if nothing is visible, raise ValueError.",
    cases=(
        Case(
            "padding at the end, and two inputs with the same state",
            {"s": S, "h": H[TWICE], "visible": np.array([1, 1, 1, 1, 0], dtype=bool)},
        ),
        Case(
            "the same inputs in another order",
            {
                "s": S,
                "h": H[TWICE][ORDER],
                "visible": np.array([1, 1, 0, 1, 1], dtype=bool),
            },
        ),
        Case(
            "gaps in the mask",
            {"s": -S, "h": H, "visible": np.array([1, 0, 1, 0, 1], dtype=bool)},
        ),
        Case(
            "three inputs, all visible",
            {"s": S, "h": H[:3], "visible": np.ones(3, dtype=bool)},
        ),
        Case(
            "scores near 1000",
            {
                "s": np.array([20.0, -10.0, 30.0]),
                "h": np.array(
                    [
                        [20.0, -30.0, 10.0],
                        [25.0, -20.0, 10.0],
                        [10.0, 20.0, 30.0],
                        [40.0, 20.0, 20.0],
                    ]
                ),
                "visible": np.array([1, 1, 0, 1], dtype=bool),
            },
        ),
        Case(
            "a hidden score far above the visible ones",
            {
                "s": np.array([2.0, -1.0]),
                "h": np.array([[0.5, 0.2], [800.0, -400.0], [0.3, -0.4], [-0.1, 0.6]]),
                "visible": np.array([1, 0, 1, 1], dtype=bool),
            },
        ),
        Case(
            "nothing visible",
            {"s": S, "h": H, "visible": np.zeros(5, dtype=bool)},
            refuse=NOWHERE,
        ),
    ),
    mutants=(
        *MASKING,
        Mutant(
            "scores divided by the root of the width",
            ((E_T, "e_t = h @ s / np.sqrt(len(s))"),),
            "You divide the scores by the root of the width, as Transformers do. The "
            "dot score of this chapter is plain: s · h_i.",
        ),
        Mutant(
            "scores that do not look at the inputs",
            ((E_T, "e_t = np.resize(s, len(h))"),),
            "Your scores are made from s alone, one entry for each place: a place "
            "gets its weight whatever stands there, and a sentence in another order "
            "gets the old weights. Compare s with each h_i: e_i = s · h_i.",
            seen="practical-pytorch 84, pytorch/tutorials 130",
        ),
        Mutant(
            "scores that do not look at the state",
            ((E_T, "e_t = h.sum(axis=1)"),),
            "Your scores are made from the inputs alone: every step would look at the "
            "same place. Compare each h_i with s: e_i = s · h_i.",
        ),
        Mutant(
            "equal weights",
            ((E_T, "e_t = np.zeros(len(h))"),),
            "All visible inputs get the same weight: your context is their plain "
            "mean. Do the scores s · h_i arrive at the softmax?",
        ),
        Mutant(
            "states of hidden inputs set to 0",
            (
                (E_T, "h = np.where(visible[:, None], h, 0)\n    e_t = h @ s"),
                (HIDE, ""),
            ),
            "You set the states of the hidden inputs to 0. Their score is then 0, and "
            "exp(0) = 1 is weight, which goes to a vector of zeros. Hide the score, "
            "with -inf, and leave h alone.",
        ),
        Mutant(
            "context mixed before the mask",
            ((MIX, "return masked_softmax(e_t, np.ones_like(visible)) @ h, a_t"),),
            "Your weights leave out what is hidden, but your context was mixed from "
            "weights that do not: hidden states are in it. Mask first, and mix with "
            "the weights that you return.",
        ),
        Mutant(
            "context mixed with the scores",
            ((MIX, "return np.where(visible, e_t, 0) @ h, a_t"),),
            "Your context is mixed with the scores, not with the weights that you "
            "return. Softmax comes first: c_t = a_t @ h.",
        ),
        Mutant(
            "context averaged over the states' entries",
            ((MIX, "return (a_t[:, None] * h).sum(axis=1), a_t"),),
            "You sum over the wrong axis: one number for each input comes out. The "
            "context sums over the inputs, the first axis of h, and is as wide as one "
            "state.",
        ),
        Mutant(
            "context divided by the number of inputs",
            ((MIX, "return a_t @ h / len(h), a_t"),),
            "You divide the context by the number of inputs. The weights sum to 1, so "
            "their sum is an average already: `sum`, not `mean`.",
        ),
        Mutant(
            "all the weight on the strongest",
            ((MIX, "a_t = 1.0 * (np.arange(len(h)) == a_t.argmax())\n    " + MIX),),
            "You give everything to the strongest input. Softmax leaves every visible "
            "input its share, and that is what makes the step trainable.",
        ),
    ),
    laws=(
        not_negative("a_t"),
        rows_sum_to_one("a_t", over="the inputs"),
        hidden_gets_nothing("a_t"),
        same_input_same_weight,
        ratios_are_exp("a_t", lambda example: example.inputs["h"] @ example.inputs["s"]),
        context_is_the_average,
    ),
)


def between_0_and_1(example: Example) -> str | None:
    """A rate."""
    rate = float(example.got["rate"])
    if -1e-6 <= rate <= 1 + 1e-6:
        return None
    return f"your rate is {rate:.3f}. It lies between 0 (the same links) and 1 (none in common)."


def ends_of_the_scale(example: Example) -> str | None:
    """The same links give 0, none in common 1; with some in common it is neither."""
    A, gold, length, rate = *example.inputs.values(), float(example.got["rate"])
    links = {(int(i), j) for j, i in enumerate(np.argmax(A, axis=1)) if i < length}
    if links == gold and abs(rate) > 1e-6:
        return f"your rate is {rate:.3f}, though the strongest inputs are just the gold links: 0 is due."
    if not links & gold and abs(rate - 1) > 1e-6:
        return f"your rate is {rate:.3f}, though no strongest input is a gold link: 1 is due. Links are {sorted(links)}."
    if links & gold and abs(rate - 1) < 1e-6:
        return f"your rate is 1, as if no link were right. These are: {sorted(links & gold)}."
    if links != gold and abs(rate) < 1e-6:
        return f"your rate is 0, as if all were right. In one of the two sets only: {sorted(links ^ gold)}."
    return None


LINKS = "links = {(int(i), j) for j, i in enumerate(strongest) if i < length}"
STRONGEST = "strongest = A.argmax(axis=1)"
RATE = "return 1 - 2 * len(links & set(gold)) / (len(links) + len(gold))"
NO_LINKS = 'raise ValueError("neither A nor gold links any words: there is nothing to measure")'
FOUR_WORDS = np.array(
    [
        [0.45, 0.30, 0.10, 0.05, 0.06, 0.04],
        [0.08, 0.12, 0.55, 0.15, 0.06, 0.04],
        [0.05, 0.10, 0.28, 0.40, 0.12, 0.05],
        [0.05, 0.26, 0.10, 0.10, 0.08, 0.41],
    ]
)

check_error_rate = Check(
    name="error_rate",
    reference=error_rate,
    gives={"rate": ""},
    task="Write `error_rate(A, gold, length)`: weights `A` of shape (N_Y, N_X), a set `gold` of links (i, j) (input "
    "i and target word j, both from 0), and the number of source words. Link each "
    "target word j to its strongest input i, but not at all if that is no word (i >= "
    "length). Return 1 - 2 |links ∩ gold| / (|links| + |gold|), one number; if both "
    "sets are empty, raise ValueError.",
    cases=(
        Case(
            "a look at [STOP]",
            {
                "A": FOUR_WORDS,
                "gold": {(0, 0), (1, 0), (2, 1), (4, 2), (1, 3)},
                "length": 5,
            },
        ),
        Case(
            "a look at padding after [STOP]",
            {
                "A": np.array(
                    [
                        [0.10, 0.45, 0.20, 0.15, 0.05, 0.05],
                        [0.10, 0.15, 0.05, 0.40, 0.27, 0.03],
                        [0.30, 0.08, 0.12, 0.10, 0.05, 0.35],
                    ]
                ),
                "gold": {(1, 0), (2, 0), (0, 2)},
                "length": 3,
            },
        ),
        Case(
            "more target words than inputs",
            {
                "A": np.array(
                    [
                        [0.6, 0.3, 0.1],
                        [0.2, 0.7, 0.1],
                        [0.5, 0.15, 0.35],
                        [0.4, 0.25, 0.35],
                        [0.24, 0.56, 0.2],
                    ]
                ),
                "gold": {(0, 0), (1, 1), (0, 2), (1, 4)},
                "length": 2,
            },
        ),
        Case(
            "links that are all right",
            {"A": FOUR_WORDS, "gold": {(0, 0), (2, 1), (3, 2)}, "length": 5},
        ),
        Case(
            "a look, and no gold link", {"A": FOUR_WORDS, "gold": set(), "length": 5}
        ),
        Case(
            "looks at [STOP] only",
            {
                "A": np.array([[0.2, 0.3, 0.5], [0.1, 0.3, 0.6]]),
                "gold": {(0, 0), (1, 1)},
                "length": 2,
            },
        ),
        Case(
            "no link in common",
            {"A": FOUR_WORDS, "gold": {(1, 0), (0, 1), (0, 2), (3, 3)}, "length": 5},
        ),
        Case(
            "no link at all",
            {
                "A": np.array([[0.2, 0.3, 0.5], [0.1, 0.3, 0.6]]),
                "gold": set(),
                "length": 2,
            },
            refuse="0 / 0 is no rate",
        ),
    ),
    mutants=(
        Mutant(
            "strongest over the wrong axis",
            ((STRONGEST, "strongest = A.argmax(axis=0)"),),
            "Your argmax runs down the columns: it finds the strongest target word of "
            "each input. Take the strongest input of each row, over the last axis.",
        ),
        Mutant(
            "each input linked to its strongest word",
            (
                (STRONGEST, "strongest = A.argmax(axis=0)"),
                (
                    LINKS,
                    "links = {(i, int(j)) for i, j in enumerate(strongest) if i < "
                    "length}",
                ),
            ),
            "You link each input to the word that looks at it most. The rows are the "
            "questions: link each target word to the input that it looks at most, so "
            "that each j has at most one link.",
        ),
        Mutant(
            "links written (j, i)",
            ((LINKS, LINKS.replace("(int(i), j)", "(j, int(i))")),),
            "Your links are (target word, input). The gold ones are (i, j): the input "
            "first.",
        ),
        Mutant(
            "a look at [STOP] counted as a link",
            ((LINKS, LINKS.replace(" if i < length", "")),),
            "You count a look at [STOP] (column length) or at padding as a link. It "
            "is no word: a target word that looks there has no link.",
        ),
        Mutant(
            "[STOP] taken for the last word",
            ((LINKS, LINKS.replace("i < length", "i <= length")),),
            "Columns 0 to length - 1 are words; column length is [STOP]. You let it "
            "pass: ask i < length.",
        ),
        Mutant(
            "[STOP] cut off before the strongest is found",
            ((STRONGEST, "strongest = A[:, :length].argmax(axis=1)"),),
            "You cut [STOP] off and then look for the strongest input, so a word that "
            "looked at [STOP] gets a link to something weaker. Find the strongest of "
            "all columns first; if it is no word, there is no link.",
        ),
        Mutant(
            "precision instead of F",
            ((RATE, "return 1 - len(links & set(gold)) / len(links)"),),
            "You divide by the number of your own links: 1 minus the precision. Gold "
            "links that you miss cost nothing then. Twice the common ones over "
            "|links| + |gold|.",
        ),
        Mutant(
            "recall instead of F",
            ((RATE, "return 1 - len(links & set(gold)) / len(gold)"),),
            "You divide by the number of gold links: 1 minus the recall. Links too "
            "many cost nothing then. Twice the common ones over |links| + |gold|.",
        ),
        Mutant(
            "share of target words",
            ((RATE, "return 1 - len(links & set(gold)) / len(A)"),),
            "You divide by the number of target words. A word may have two gold links "
            "or none: count links, twice the common ones over |links| + |gold|.",
        ),
        Mutant(
            "common over united",
            ((RATE, "return 1 - len(links & set(gold)) / len(links | set(gold))"),),
            "You divide by the links that are in either set. The error rate is 1 "
            "minus the F measure: twice the common ones, over the two counts added.",
        ),
        Mutant(
            "1 minus missing",
            ((RATE, RATE.replace("1 - ", "")),),
            "You return the F measure, which is 1 for the same links. The error rate "
            "is 1 minus that.",
        ),
        Mutant(
            "2 missing",
            ((RATE, RATE.replace("2 * ", "")),),
            "With the same links your rate is 1/2. The common links count twice, as "
            "they are in both sets.",
        ),
        Mutant(
            "sizes multiplied",
            ((RATE, RATE.replace("len(links) + len(gold)", "len(links) * len(gold)")),),
            "You multiply the sizes of the two sets. They are added: |links| + |gold|.",
        ),
        Mutant(
            "one gold link for each word",
            ((RATE, RATE.replace("len(gold))", "len({j for _, j in gold}))")),),
            "You count the target words that have a gold link. A word may have two, "
            "and both count: |gold| is the size of the set.",
        ),
        Mutant(
            "every weight above a quarter is a link",
            (
                (
                    LINKS,
                    "links = {(int(i), int(j)) for j, i in np.argwhere(A > 0.25) if i "
                    "< length}",
                ),
            ),
            "You link a word to every input with more than a quarter of its weight. "
            "Here only the strongest counts: at most one link for each target word.",
        ),
        Mutant(
            "no link ever found",
            ((LINKS, LINKS.replace("(int(i), j)", "(Tensor([i]), j)")),),
            "None of your links is ever found among the gold ones. Are they of "
            "another kind, such as tensors or floats from a text? Two tensors are "
            "never one element of a set: int(i) makes a number of it.",
        ),
        Mutant(
            "no link at all counted as no error",
            ((NO_LINKS, "return 0.0"),),
            "Without any link, on either side, you return 0, a perfect score for a "
            "sentence in which nothing was measured. 0 / 0 is no rate: raise a "
            "ValueError.",
        ),
        Mutant(
            "no link at all counted as all wrong",
            ((NO_LINKS, "return 1.0"),),
            "Without any link, on either side, you return 1, as if everything were "
            "wrong where nothing was measured. 0 / 0 is no rate: raise a ValueError.",
        ),
    ),
    laws=(between_0_and_1, ends_of_the_scale),
)


def three_counts(example: Example) -> str | None:
    """A whole number for each of the three."""
    work = example.got["work"]
    if {*work} != {"dot", "bilinear", "mlp"}:
        return f'your dictionary has the keys {[*work]}, expected "dot", "bilinear" and "mlp".'
    for name, count in work.items():
        if not isinstance(count, int | float) or count != int(count) or count < 1:
            return f"{name} is {count!r}, expected a whole number of multiplications."
    return None


def the_count_that_is_off(example: Example) -> str | None:
    """Name the first count that is not right, apart from the inputs' number if it is a multiple of it."""
    N_X = example.inputs["N_X"]
    for name, due in example.expected["work"].items():
        if (count := example.got["work"][name]) != due:
            each = f", {count // N_X} for each input" if count % N_X == 0 else ""
            return (
                f"{name} is off: you count {int(count)}{each}. Ask of every product "
                "whether s is in it (if not, it is done before), and whether it is "
                "made once or for each input."
            )
    return None


DOT, BILINEAR, MLP = (
    '"dot": N_X * D_H',
    '"bilinear": N_X * D_S',
    '"mlp": D_S * D_A + N_X * D_A',
)

check_work_per_word = Check(
    name="work_per_word",
    reference=work_per_word,
    gives={"work": ""},
    task='Write `work_per_word(N_X, D_S, D_H, D_A)`: a dictionary with the keys "dot", "bilinear" and "mlp", '
    "each the number of multiplications that the N_X scores need for one more output "
    "word. The bilinear score is s · (W h_i), W of shape (D_S, D_H), the MLP's v · "
    "tanh(W s + U h_i), hidden width D_A. All W h_i and U h_i were computed before: "
    "do not count them. W s is needed once for the word. The dot product's widths "
    "agree: count it with D_H. Count multiplications only, neither additions nor "
    "tanh, softmax and the average.",
    cases=(
        Case("widths that all differ", {"N_X": 4, "D_S": 3, "D_H": 5, "D_A": 2}),
        Case(
            "the widths of the chapter", {"N_X": 20, "D_S": 128, "D_H": 128, "D_A": 128}
        ),
        Case("a single input", {"N_X": 1, "D_S": 3, "D_H": 5, "D_A": 7}),
        Case("a wide hidden layer", {"N_X": 6, "D_S": 2, "D_H": 3, "D_A": 11}),
    ),
    mutants=(
        Mutant(
            "W s counted for every input",
            ((MLP, '"mlp": N_X * D_S * D_A + N_X * D_A'),),
            "In the MLP you count W s for every input. s is the same for all of them, "
            "so W s is made once: D_S * D_A.",
        ),
        Mutant(
            "W s forgotten",
            ((MLP, '"mlp": N_X * D_A'),),
            "In the MLP you leave out W s. It has s in it, so it cannot be prepared: "
            "D_S * D_A, once for each output word.",
        ),
        Mutant(
            "the MLP's second layer forgotten",
            ((MLP, '"mlp": D_S * D_A'),),
            "In the MLP you leave out v. Its product with the hidden layer needs D_A "
            "multiplications for each input.",
        ),
        Mutant(
            "the MLP's second layer counted once",
            ((MLP, '"mlp": D_S * D_A + D_A'),),
            "In the MLP you count v · tanh(...) once. Each input has a hidden layer "
            "of its own: N_X * D_A.",
        ),
        Mutant(
            "U h counted again",
            ((MLP, MLP + " + N_X * D_H * D_A"),),
            "In the MLP you count U h_i. There is no s in it: it is made once for the "
            "sentence, before the first word.",
        ),
        Mutant(
            "W h counted again",
            ((BILINEAR, BILINEAR + " + N_X * D_S * D_H"),),
            "In the bilinear score you count W h_i. There is no s in it: it is made "
            "once for the sentence, before the first word. What is left is a dot "
            "product for each input.",
        ),
        Mutant(
            "nothing prepared",
            (
                (BILINEAR, BILINEAR + " + N_X * D_S * D_H"),
                (MLP, MLP + " + N_X * D_H * D_A"),
            ),
            "You count W h_i and U h_i for every output word. There is no s in them: "
            "they are made once for the sentence, before the first word.",
        ),
        Mutant(
            "nothing prepared, and W s for every input",
            (
                (BILINEAR, BILINEAR + " + N_X * D_S * D_H"),
                (MLP, '"mlp": N_X * (D_S * D_A + D_H * D_A + D_A)'),
            ),
            "You count every product for every pair of s and h_i. W h_i and U h_i "
            "have no s in them and are made before the first word; W s has no h_i in "
            "it and is made once a word.",
        ),
        Mutant(
            "s W made first in the bilinear score",
            ((BILINEAR, '"bilinear": D_S * D_H + N_X * D_H'),),
            "In the bilinear score you multiply s by W first, for every word. "
            "Multiply W with the h_i instead: that can be done before, and leaves one "
            "dot product of width D_S for each input.",
        ),
        Mutant(
            "D_S and D_H swapped",
            ((DOT, '"dot": N_X * D_S'), (BILINEAR, '"bilinear": N_X * D_H')),
            "You have taken D_S for D_H, and the other way round: W h_i is as wide as "
            "s, so the bilinear score has D_S multiplications for each input. (In the "
            "dot product both are equal; it is counted with D_H.)",
        ),
        Mutant(
            "bilinear counted with the encoder's width",
            ((BILINEAR, '"bilinear": N_X * D_H'),),
            "In the bilinear score you count D_H multiplications for each input. W "
            "h_i is prepared, and as wide as s: D_S.",
        ),
        Mutant(
            "the dot product counted with D_S",
            ((DOT, '"dot": N_X * D_S'),),
            "Nearly: in the dot product s and h_i have one width, so your count is no "
            "error of thought. The exercise asks you to write it with D_H.",
        ),
        Mutant(
            "one input only",
            (
                (DOT, '"dot": D_H'),
                (BILINEAR, '"bilinear": D_S'),
                (MLP, '"mlp": D_S * D_A + D_A'),
            ),
            "You count the work for one input. Each output word scores all N_X of "
            "them.",
        ),
        Mutant(
            "additions counted as well",
            (
                (DOT, '"dot": 2 * N_X * D_H'),
                (BILINEAR, '"bilinear": 2 * N_X * D_S'),
                (MLP, '"mlp": 2 * (D_S + N_X) * D_A'),
            ),
            "All your counts are twice too large: additions are in them. Here "
            "multiplications are counted, one for each pair of numbers.",
        ),
        Mutant(
            "the average counted as well",
            (
                (DOT, DOT + " + N_X * D_H"),
                (BILINEAR, BILINEAR + " + N_X * D_H"),
                (MLP, MLP + " + N_X * D_H"),
            ),
            "You count N_X * D_H for the context in each. That is the same for all "
            "three: here only the scores count.",
        ),
    ),
    laws=(three_counts, the_count_that_is_off),
)
