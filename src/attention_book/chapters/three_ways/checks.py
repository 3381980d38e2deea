"""Chapter 8's checks: what a layer costs, and what is seen through several of them."""

import numpy as np

from attention_book.chapters.three_ways import solutions
from attention_book.exercises.arrays import mask
from attention_book.exercises.cases import Example
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.laws import Counted, true_or_false
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)

TWICE = "count products twice. Are half of them additions? These do not count."


def said(where, others):
    """Begin each sentence with where one counts."""
    return {f"In {where} you {text}": count for text, count in others.items()}


def gru(n, d, k):
    """Two sets of three matrices a step; and what people count instead."""
    one = n * d * d
    others = {
        "count three matrices a step. There are three for x_t and three for h_{t-1}: "
        "for r, z and n each.": 3 * one,
        "count a matrix for x_t and one for h_{t-1}. There are three of each, for r, z "
        "and n.": 2 * one,
        "count one matrix a step. There are six: for r, z and n, each for x_t and for "
        "h_{t-1}.": one,
        "count four matrices a step, perhaps for r and z. The proposal n has two of "
        "its own.": 4 * one,
        "count one step. There are n of them.": 6 * d * d,
        "count n - 1 steps. The first word takes a step, too.": 6 * (one - d * d),
        TWICE: 12 * one,
    }
    gates = "count the gates' products, entry by entry. Only matrices count here."
    return [
        (6 * one, said("the GRU", others)),
        (0, said("the GRU", {gates: 3 * n * d})),
    ]


def convolution(n, d, k):
    """A matrix for each input of an output."""
    inside = sum(max(n - abs(j), 0) for j in range(-(k // 2), k // 2 + 1))
    others = {
        "count one input for an output. It reads k of them, each with a matrix of its "
        "own.": n * d * d,
        "count one output. There are n.": k * d * d,
        "multiply a vector by d numbers. W_j is a matrix: d * d products for a "
        "vector.": n * k * d,
        "count the outputs whose k inputs are all there. Zeros at the ends are "
        "multiplied, too: n outputs.": (n - k + 1) * k * d * d,
        "leave out the products with the zeros at the ends. They are multiplied, "
        "too.": d * d * inside,
        TWICE: 2 * n * k * d * d,
    }
    return [(n * k * d * d, said("the convolution", others))]


def attention(n, d, k):
    """Three projections, scores and mixtures."""
    one, mixed = n * d * d, n * n * d
    projections = {
        "count one of W_Q, W_K and W_V.": one,
        "count two of W_Q, W_K and W_V.": 2 * one,
        "count a fourth matrix. There is no W_O with a single head here.": 4 * one,
        "leave out X W_Q, X W_K and X W_V.": 0,
        TWICE: 6 * one,
    }
    scores = {
        "count one product of n * n * d. Q K^T is one, A V is another.": mixed,
        "count a number for each score. A score is a dot product of d products, and a "
        "weight multiplies d numbers.": n * n,
        "count Q K^T or A V without the width d.": n * n + mixed,
        "count one query. There are n.": 2 * n * d,
        "count the lower half of the scores only. Nothing is masked here.": mixed
        + n * d,
        TWICE: 4 * mixed,
        "leave out Q K^T and A V.": 0,
    }
    return [
        (3 * one, said("self-attention", projections)),
        (2 * mixed, said("self-attention", scores)),
    ]


HINTS = {
    gru: "Each of n steps multiplies x_t by three matrices, and the state before it "
    "by three more, d * d products a matrix. Additions, biases and gates do not count.",
    convolution: "Each of n outputs reads k inputs, each with a matrix of d * d "
    "numbers. Additions and biases do not count.",
    attention: "Add up the matrix products: (n, d) times (d, d) is n * d * d, and n "
    "scores for each of n queries are n * n * d. Additions and softmax do not count.",
}

check_work = Check(
    name="work",
    reference=solutions.work,
    gives={"work": ""},
    task='Write `work(n, d, k)`: a dictionary with the keys "gru", "convolution", '
    '"attention", the multiplications in the matrix products of one layer for n '
    "inputs, all widths d. The convolution reads k inputs for each of n outputs.",
    cases=(
        Case("sizes that all differ", n=7, d=5, k=3),
        Case("more width than words", n=4, d=11, k=5),
        Case("a single word", n=1, d=6, k=3),
    ),
    laws=[
        Counted(way.__name__, way, hint, part=way.__name__)
        for way, hint in HINTS.items()
    ],
)


def through_someone(example: Example) -> str | None:
    """Name an output and an input, and through whom the one sees the other."""
    got, want = example.got["seen"].astype(bool), example.expected["seen"]
    visible, N_layers = example.inputs["visible"], example.inputs["N_layers"]
    wrong = np.argwhere(got != want)
    if not wrong.size:
        return None
    i, j = wrong[0]
    if N_layers == 0:
        return (
            "without a layer each output is its own input: the identity matrix. Start "
            "from it, and loop N_layers times."
        )
    if got[i, j]:
        return (
            f"you say that output {i} sees input {j}, but no chain of {N_layers} looks "
            "leads there: from i to somebody that i looks at, and on, layer by layer."
        )
    below = solutions.sees(visible, N_layers - 1)
    by = np.flatnonzero(visible[i] & below[:, j])[0]
    return (
        f"you say that output {i} does not see input {j}. It looks at place {by} of "
        f"the layer below, and that has seen input {j}."
    )


WINDOW = "11000 11100 01110 00111 00011"
BACK = "10000 11000 01100 00110 00011"
ALL = " ".join(8 * ["11111111"])  # 8 ** 3 ways from one to another
UNEVEN = "0100 0010 1001 0001"  # not everyone looks at itself, or back

check_sees = Check(
    name="sees",
    reference=solutions.sees,
    gives={"seen": "N N"},
    task="Write `sees(visible, N_layers)`: a mask (N, N), True where place i of a "
    "layer looks at place j of the layer below, the same for all layers. Return a "
    "boolean (N, N), True where output i sees input j. N_layers 0: each sees itself.",
    cases=(
        Case("one step back, two layers", visible=mask(BACK), N_layers=2),
        Case("one step back, three layers", visible=mask(BACK), N_layers=3),
        Case("a window of 2, two layers", visible=mask(WINDOW), N_layers=2),
        Case("not everyone looks at itself", visible=mask(UNEVEN), N_layers=3),
        Case("everyone looks at everyone", visible=mask(ALL), N_layers=4),
        Case("one layer", visible=mask(UNEVEN), N_layers=1),
        Case("no layer", visible=mask(BACK), N_layers=0),
    ),
    mutants=MISTAKES["sees"],
    laws=(through_someone, true_or_false("seen")),
)
