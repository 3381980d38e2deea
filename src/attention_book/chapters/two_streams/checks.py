"""Chapter 17's checks: a box in five numbers, two streams that look at each other, and
how often the right caption comes first.
"""

from collections.abc import Iterable

import numpy as np

from attention_book.chapters.two_streams import solutions
from attention_book.exercises.arrays import drawn, numbers, table
from attention_book.exercises.checking import Case, Check, Example, Law
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import (
    filled,
    not_negative,
    rows_sum_to_one,
    scaled_by_the_root,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.exercises.results import same

MISTAKES = read_mistakes(__file__)
NUMBERS = ("left edge", "top edge", "right edge", "bottom edge", "area")


def five_numbers(example: Example) -> str | None:
    """Tell which of the five numbers are off."""
    boxes, height, width = example.inputs.values()
    got, due = example.got["numbers"], example.expected["numbers"]
    off = [name for k, name in enumerate(NUMBERS) if not same(got[:, k], due[:, k])]
    at = int(np.abs(got - due).max(axis=1).argmax())
    return (
        f"of the five numbers, these are off: {', '.join(off)}. For the box with top, "
        f"left, height and width [{text(boxes[at])}] in a picture {height} high and "
        f"{width} wide, [{text(due[at])}] is expected; you give [{text(got[at])}]."
    )


def text(row: Iterable[float]) -> str:
    """Write numbers with up to three digits."""
    return ", ".join(f"{x:.3g}" for x in row)


check_box_numbers = Check(
    name="box_numbers",
    reference=solutions.box_numbers,
    gives={"numbers": "N_R 5"},
    task="Write `box_numbers(boxes, height, width)`: a row of `boxes` (N_R, 4) has a "
    "box's top, left, height and width in pixels, and `height` and `width` are those "
    "of the picture. Return (N_R, 5): for each box its left, top, right and bottom "
    "edge, and its area. Left and right are shares of the picture's width, top and "
    "bottom of its height, and the area is a share of the picture's.",
    cases=(
        Case(
            "three boxes in a wide picture",
            boxes=table("2 4 8 10; 20 37 8 30; 11 22 17 9"),
            height=40,
            width=90,
        ),
        Case(
            "a box as large as a tall picture, and a small one",
            boxes=table("0 0 50 20; 30 6 5 2"),
            height=50,
            width=20,
        ),
        Case("one box", boxes=table("7 3 6 11")[None], height=32, width=32),
    ),
    mutants=MISTAKES["box_numbers"],
    laws=(filled("numbers"), five_numbers),
)


def not_the_other_one(example: Example) -> str | None:
    """No map is the other one, transposed."""
    got, due = example.got, example.expected
    for A, other, who in (
        ("A_regions", "A_words", "regions"),
        ("A_words", "A_regions", "words"),
    ):
        if same(got[other], due[other]) and same(got[A], due[other].T):
            return (
                f"{A} is {other}, transposed. The {who} ask with queries of their own: "
                "return the map with which they look."
            )
    return None


def is_softmax_of_scores(A: str, own: str, other: str, W: str) -> Law:
    """Make a law: a map is the softmax of its own scaled scores."""

    def law(example: Example) -> str | None:
        if same(example.got[A], example.expected[A]):
            return None
        return (
            f"{A} is not the softmax of Q K^T / sqrt(D_Q), with Q = {own} W_Q and K = "
            f"{other} W_K, both of {W}, and with the {own} and {other} as they came in."
        )

    return law


def adds_what_it_finds(result: str, own: str, other: str, A: str, W: str) -> Law:
    """Make a law: new vectors are the old ones and what is taken from the others."""

    def law(example: Example) -> str | None:
        inputs, got = example.inputs, example.got
        found = got[A] @ inputs[other] @ inputs[W][2]
        if np.allclose(got[result], inputs[own] + found, rtol=1e-3, atol=1e-4):
            return None
        if np.allclose(got[result], found, rtol=1e-3, atol=1e-4):
            return f"{result} is what the {own} have found. Add it to the {own}."
        return (
            f"{result} is not {own} + {A} ({other} W_V), with the W_V of {W}, what you "
            f"return as {A}, and the {own} and {other} as they came in."
        )

    return law


check_co_attention = Check(
    name="co_attention",
    reference=solutions.co_attention,
    gives={
        "new_words": "N_T D_T",
        "new_regions": "N_R D_R",
        "A_words": "N_T N_R",
        "A_regions": "N_R N_T",
    },
    task="Write `co_attention(words, regions, W_words, W_regions)`: words (N_T, D_T) "
    "and regions (N_R, D_R) look at each other by scaled dot-product attention, with "
    "one head, and each adds what it finds to its own vectors. `W_words` are the "
    "matrices W_Q (D_T, D_Q), W_K (D_R, D_Q) and W_V (D_R, D_T) with which the words "
    "look at the regions, `W_regions` those with which the regions look at the words. "
    "Both look at what was there at the start. Return the new words, the new regions, "
    "the words' map (N_T, N_R) and the regions' map (N_R, N_T).",
    # in the first, all is of one size: whoever takes one for another gets numbers, and
    # is told so; then nothing is as wide as another
    cases=(
        Case(
            "as many words as regions, of one width",
            drawn(1700, 0.9, words=(4, 3), regions=(4, 3)),
            W_words=tuple(drawn(1702, Q=(3, 3), K=(3, 3), V=(3, 3)).values()),
            W_regions=tuple(drawn(1705, Q=(3, 3), K=(3, 3), V=(3, 3)).values()),
        ),
        Case(
            "six words, four regions",
            drawn(1708, 0.9, words=(6, 5), regions=(4, 2)),
            W_words=tuple(drawn(1710, Q=(5, 3), K=(2, 3), V=(2, 5)).values()),
            W_regions=tuple(drawn(1713, Q=(2, 3), K=(5, 3), V=(5, 2)).values()),
        ),
        Case(
            "five words, two regions",
            drawn(1716, 0.9, words=(5, 3), regions=(2, 4)),
            W_words=tuple(drawn(1718, Q=(3, 6), K=(4, 6), V=(4, 3)).values()),
            W_regions=tuple(drawn(1721, Q=(4, 6), K=(3, 6), V=(3, 4)).values()),
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *MISTAKES["co_attention"],
    ),
    laws=(
        not_negative("A_words"),
        not_negative("A_regions"),
        not_the_other_one,
        rows_sum_to_one("A_words", over="the regions", instead="the words"),
        rows_sum_to_one("A_regions", over="the words", instead="the regions"),
        scaled_by_the_root("A_words"),
        scaled_by_the_root("A_regions"),
        adds_what_it_finds("new_words", "words", "regions", "A_words", "W_words"),
        adds_what_it_finds("new_regions", "regions", "words", "A_regions", "W_regions"),
        is_softmax_of_scores("A_words", "words", "regions", "W_words"),
        is_softmax_of_scores("A_regions", "regions", "words", "W_regions"),
    ),
)


def counts_pictures(example: Example) -> str | None:
    """Tell for how many pictures the own caption is first, and what a tie is."""
    fits, right = example.inputs.values()
    got, due = float(example.got["recall"]), example.expected["recall"]
    if not 0 <= got <= 1:
        return (
            f"your recall is {got:.4g}. A share lies between 0 and 1: do you divide by "
            "the number of pictures?"
        )
    N = len(fits)
    own = fits[np.arange(N), right]
    alone = np.sum(fits >= own[:, None], axis=1) == 1
    ties = int(np.sum(own == fits.max(axis=1)) - alone.sum())
    which = ", ".join(map(str, np.flatnonzero(alone)))
    says = (
        f"your recall is {got:.4g}, and {due:.4g} is expected: for {alone.sum()} of "
        f"{N} pictures ({which}, counted from 0) the own caption fits better than all "
        "others."
    )
    if not ties:
        return says
    return f"{says} For {ties} more it fits best together with another, which is wrong."


check_recall_at_1 = Check(
    name="recall_at_1",
    reference=solutions.recall_at_1,
    gives={"recall": ""},
    task="Write `recall_at_1(fits, right)`: `fits` (N, N_captions) says how well each "
    "caption fits each of N pictures, and `right` (N,) which of the captions, counted "
    "from 0, is the picture's own. Return the share of pictures whose own caption fits "
    "better than all others. If another one fits just as well, that is wrong.",
    # in the first, as many captions as pictures: whoever takes one for the other gets
    # a number, three best logits lie on the diagonal, and another between -1 and 0; in
    # the last, the first caption alone beats an own one, and the last another, and all
    # logits are too low for a stand-in or an exp
    cases=(
        Case(
            "as many captions as pictures",
            fits=np.roll(numbers(7547, 7, 7), 4, axis=0) - 1,
            right=np.array([6, 6, 4, 2, 4, 5, 5]),
        ),
        Case(
            "negative logits, some of them equal",
            fits=numbers(1784, 11, 4, scale=2).round() - 6,
            right=np.array([0, 3, 2, 2, 1, 1, 1, 0, 0, 3, 0]),
        ),
        Case(
            "nine pictures, eight captions, logits far below zero",
            fits=numbers(1733, 9, 8, scale=2) - 30_000,
            right=np.array([3, 0, 7, 3, 0, 6, 0, 3, 7]),
        ),
    ),
    mutants=MISTAKES["recall_at_1"],
    laws=(counts_pictures,),
)
