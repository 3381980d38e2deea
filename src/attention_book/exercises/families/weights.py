"""From scores to weights: how a mask is misapplied, and a softmax unfinished."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_book.exercises.families import Mistake, family
from attention_book.exercises.mutants import Function, Mutant, swap

NOWHERE = (
    "no weights can sum to 1 over nothing. Raise a ValueError as soon as one row of "
    "the mask is False throughout (not only if the whole mask is)."
)


def softmax(E):
    """Without a look at rows that are -inf throughout."""
    positive = np.exp(E - E.max(axis=-1, keepdims=True))
    return positive / positive.sum(axis=-1, keepdims=True)


def hidden(E, visible):
    """Scores, with -inf where nothing may be looked at."""
    return np.where(visible, E, -np.inf)


def after_the_softmax(E, visible):
    return softmax(E) * visible


def multiplied(E, visible):
    return softmax(E * visible)


def added(E, visible):
    return softmax(E + visible)


def not_used(E, visible):
    return softmax(E)


def wrong_way_round(E, visible):
    return softmax(hidden(E, ~visible))


def infinity_times_the_mask(E, visible):
    return softmax(E + ~visible * -np.inf)


def nothing_subtracted(E, visible):
    positive = np.exp(hidden(E, visible))
    return positive / positive.sum(axis=-1, keepdims=True)


def a_hidden_one_subtracted(E, visible):
    positive = np.exp(hidden(E, visible) - E.max(axis=-1, keepdims=True))
    return positive / positive.sum(axis=-1, keepdims=True)


def not_divided(E, visible):
    E = hidden(E, visible)
    return np.exp(E - E.max(axis=-1, keepdims=True))


def nan_for_nothing(E, visible):
    return softmax(hidden(E, visible))


def uniform_for_nothing(E, visible):
    return softmax(np.where(visible, E, -1e9))


def zeros_for_nothing(E, visible):
    return np.nan_to_num(softmax(hidden(E, visible)))


MASKING = (
    Mistake(
        "mask after the softmax",
        after_the_softmax,
        "You set weights to 0 after the softmax. What is left no longer sums to 1: the "
        "hidden inputs took their share before you struck it out. Hide the scores "
        "instead: -inf where visible is False, and then the softmax.",
    ),
    Mistake(
        "hidden scores are 0",
        multiplied,
        "Your hidden inputs get a score of 0, or nearly (multiplied by the mask, or "
        "filled with -1e-9 for -1e9), and exp(0) = 1 is a weight like any other. The "
        "score that means *never* is -inf: np.where(visible, E, -np.inf).",
    ),
    Mistake(
        "mask added to the scores",
        added,
        "You add True and False to the scores, which are 1 and 0: what is visible gets "
        "a little more, and what is hidden keeps its weight. A mask that is added must "
        "hold 0 and -inf.",
    ),
    Mistake(
        "mask not used",
        not_used,
        "Your result does not depend on the mask. Is it used at all, or handed on? "
        "np.where and masked_fill give a new array and leave the old one as it is: if "
        "you do not store the result, it is thrown away.",
        seen="mead-baseline 679",
    ),
    Mistake(
        "mask the wrong way round",
        wrong_way_round,
        "You hide what is visible and look at what is hidden. Here True means: may "
        "look. (In torch, masked_fill fills where its mask is True, and so does the "
        "mask of nn.MultiheadAttention: they want ~visible.)",
        seen="nn.MultiheadAttention beside scaled_dot_product_attention",
    ),
    Mistake(
        "infinity times the mask",
        infinity_times_the_mask,
        "Your weights are NaN everywhere: 0 times infinity is NaN, so a visible score "
        "is spoilt, too. Choose with np.where(visible, E, -np.inf), and multiply by "
        "nothing infinite.",
    ),
    Mistake(
        "no largest score subtracted",
        nothing_subtracted,
        "exp of a score near 1000 overflows, and infinity over infinity is NaN; with "
        "all scores near -1000 it is 0 / 0. Subtract each row's largest visible score "
        "first: it changes nothing else.",
    ),
    Mistake(
        "largest score taken from the hidden ones, too",
        a_hidden_one_subtracted,
        "The largest score that you subtract may be a hidden one. If it is far above "
        "the visible scores, they all become exp(-2000) = 0, and 0 / 0 is NaN: hide "
        "first, and then take the largest.",
    ),
    Mistake(
        "not divided by the sum",
        not_divided,
        "Your numbers are positive but do not sum to 1. Divide each row by its sum "
        "over {over}.",
    ),
    Mistake(
        "NaN where nothing is visible",
        nan_for_nothing,
        "Where nothing is visible, you return NaN, which spreads from there through "
        f"everything that follows: {NOWHERE}",
        seen="pytorch 41508; LLMs-from-scratch",
    ),
    Mistake(
        "uniform weights where nothing is visible",
        uniform_for_nothing,
        "Where nothing is visible, all hidden inputs get the same weight, as all have "
        "the same large negative score, and nobody notices that padding is read: "
        f"{NOWHERE}",
        seen="annotated-transformer, `masked_fill(mask == 0, -1e9)`; d2l",
    ),
    Mistake(
        "zeros where nothing is visible",
        zeros_for_nothing,
        "Where nothing is visible, you return zeros. That is a convention (torch's own "
        "attention does so), but not the one asked for, and it hides the mistake in "
        f"the mask: {NOWHERE}",
        seen="torch's scaled_dot_product_attention",
    ),
)


def masking(twin: Any, **options: Any) -> tuple[Mutant, ...]:
    """Give the mistakes with a mask, in a function of scores (..., N_X) and a mask.

    Parameters
    ----------
    twin : callable
        Of the wrong `weigh(E, visible)`; see `family`.
    **options : `only`, see there; `over`: what the inputs are called
    """
    return family(MASKING, twin, **{"over": "the inputs"} | options)


def attention_that_weighs(weigh: Function) -> Function:
    """Make an attention of the wrong `weigh(E, visible)`."""

    def attention(Q, K, V, visible=True):
        E = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
        A = weigh(E, np.broadcast_to(visible, E.shape))
        return A @ V, A

    return attention


def calls_attention(weigh: Function) -> Callable[[Function], Function]:
    """Make a twin of a function that calls `attention`."""
    return swap(attention=attention_that_weighs(weigh))


IN_A_LAYER = (
    "mask after the softmax",
    "hidden scores are 0",
    "mask not used",
    "mask the wrong way round",
)
"""What can be made where every query may look at something and scores are small."""
