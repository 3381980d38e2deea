"""Checks of a step of attention, of where it looks and of how much work it is."""

import numpy as np

from attention_book.chapters.attention import solutions
from attention_book.exercises import laws
from attention_book.exercises.arrays import mask, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.weights import masking, masking_of_one_row
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import instead, swap

MISTAKES = read_mistakes(__file__)
NOWHERE = "weights that sum to 1 must go somewhere, and nothing may be looked at"


def _masked(name: str, visible: str, refuse: str = "", **tables: str) -> Case:
    inputs = {name: table(text) for name, text in tables.items()}
    return Case(name, inputs, visible=mask(visible), refuse=refuse)


LOW = "-3e35 -2e35 -6e35 -4e35"

check_masked_softmax = Check(
    name="masked_softmax",
    reference=solutions.masked_softmax,
    gives={"A": "N_Y N_X"},
    weights=("A",),
    task="Write `masked_softmax(e, visible)`: a softmax of each row of the scores "
    "`e` (N_Y, N_X) over its visible inputs, with 0 for what is hidden. `visible`, of "
    "the same shape, is True where one may look. ValueError if a row is all hidden.",
    cases=(
        _masked("as many words as inputs", "110 011 101", e=".5 -1 2; -2 -1 1; 1 2 .3"),
        _masked("three masks", "1110 1011 0100", e=".5 0 2 1; -2 -1 -3 -2; 1 2 3 4"),
        _masked("rows far apart", "101 110", e="1000 1001 998; -1000 -1001 -999"),
        _masked("a large hidden score", "101 011 110", e="1 2000 2; 2000 1 3; 3 2 1"),
        # below -1e9 and -1e30, the usual stand-ins for -inf
        _masked("visible scores far below the hidden", "1010 0110", e=f"{LOW}; {LOW}"),
        _masked("a row of nothing", "110 000 011", NOWHERE, e="1 -1 .7; .3 2 0; 0 1 2"),
    ),
    mutants=(*masking(instead), *MISTAKES["masked_softmax"]),
    laws=(
        *laws.laws_of_weights("A"),
        laws.ratios_are_exp("A", lambda it: it.inputs["e"]),
    ),
)


STATES = {"s": "1 -.5 .5", "h": ".4 .6 -.4; -.6 .2 .8; .4 .6 -.4; .9 -.4 .2; .7 .3 -.9"}

check_attention_step = Check(
    name="attention_step",
    reference=solutions.attention_step,
    gives={"c_t": "D_S", "a_t": "N_X"},
    weights=("a_t",),
    task="Write `attention_step(s, h, visible)`: the weights of the visible inputs, a "
    "softmax of the dot scores of `s` (D_S,) and each h_i of `h` (N_X, D_S), and with "
    "them the context. Return context, weights. ValueError if nothing is visible.",
    cases=(
        _masked("two inputs with the same state", "10110", **STATES),
        _masked("scores near 1000", "101", s="20 -10", h="20 -60; 25 -50; 40 -20"),
        _masked("a large hidden score", "101", s="2 -1", h=".5 .2; 800 -400; .3 -.4"),
        _masked("one visible input", "010", s="2 -1", h=".5 .2; .1 .2; 1 .1"),
        _masked("scores far below 0", "011", s="1e5 0", h="0 2; -4e30 1; -3e30 -2"),
        _masked("nothing visible", "00000", NOWHERE, **STATES),
    ),
    mutants=(
        *masking_of_one_row(lambda weigh: swap(masked_softmax=weigh)),
        *MISTAKES["attention_step"],
    ),
    laws=(
        *laws.laws_of_weights("a_t"),
        laws.ratios_are_exp("a_t", lambda it: it.inputs["h"] @ it.inputs["s"]),
        laws.mixes_the_values("h", Y="c_t", A="a_t"),
    ),
)


def rates(L, G, C, W, N_Y, **_):
    """The rate by numbers of links, L, G and C; and what people take for it."""
    taken = {
        "None of your links is found among the gold ones. Do you count both from 0? "
        "Are they tensors? Two tensors are never one element of a set: int(i).": 1,
        "You count the common links once, and what you divide by counts them twice, "
        "once on each side: 2 * |links ∩ gold|.": 1 - C / (L + G),
        "You divide by the number of target words. A word may have two gold links or "
        "none: count links.": 1 - C / N_Y,
        "You count the words that have a gold link. A word may have two, and both "
        "count: |gold| is the size of the set.": 1 - 2 * C / (L + W),
        "You divide by the links that are in either set. Divide twice the common ones "
        "by the two counts added, |links| + |gold|.": 1 - C / (L + G - C),
        "You divide with //, which drops what stands after the point: use /.": 1.0
        - 2 * C // (L + G),
        "You return the F measure, which is 1 for the same links. The error rate is 1 "
        "minus that.": 2 * C / (L + G),
    }
    return [(1 - 2 * C / (L + G), taken)]


def links_and_their_numbers(example: Example) -> dict[str, object]:
    """Give what formulas of the rate are made of."""
    A, gold, length = example.inputs.values()
    links = sorted((int(i), j) for j, i in enumerate(A.argmax(axis=1)) if i < length)
    L, G, C = np.array([len(links), len(gold), len(gold.intersection(links))])
    W = len({j for _, j in gold})
    return {"links": links, "L": L, "G": G, "C": C, "W": W, "N_Y": len(A)}


# The second word has no link: it looks behind the words.
WEIGHTS = table("1 2 6 8 2 1; 1 5 2 2 2 8; 9 6 2 1 1 1; 2 2 11 3 1 1") / 20
ON_STOP = table(".2 .3 .5; .1 .3 .6")
ONE_FOR_TWO = table(".7 .2 .1; .8 .1 .1; .1 .7 .2")


def _weights_case(
    name: str, A: np.ndarray, gold: str, length: int, **refuse: str
) -> Case:
    """Gold links are written "01 32": input 0 and word 1, input 3 and word 2."""
    pairs = {(int(i), int(j)) for i, j in gold.split()}
    return Case(name, A=A, gold=pairs, length=length, **refuse)


check_error_rate = Check(
    name="error_rate",
    reference=solutions.error_rate,
    gives={"rate": ""},
    task="Write `error_rate(A, gold, length)`: link every word j to the strongest "
    "input i in A[j], unless i >= length; `gold` is a set of links (i, j). Return "
    "1 - 2 |links ∩ gold| / (|links| + |gold|); ValueError if both sets are empty.",
    cases=(
        _weights_case("a look at [STOP]", WEIGHTS, "30 12 23 11 01 42", 5),
        _weights_case("a look at padding after [STOP]", WEIGHTS, "02 13 20 00", 3),
        _weights_case("a look, and no gold link", WEIGHTS, "", 5),
        _weights_case("looks at [STOP] only", ON_STOP, "00 11", 2),
        _weights_case("two words that look at one input", ONE_FOR_TWO, "00 01 02", 2),
        _weights_case("every link a gold one", ONE_FOR_TWO, "00 01 12", 2),
        _weights_case("no link at all", ON_STOP, "", 2, refuse="0 / 0 is no rate"),
    ),
    mutants=MISTAKES["error_rate"],
    laws=(
        laws.Counted(
            "the rate",
            rates,
            names=links_and_their_numbers,
            hint="The strongest input of each row, if it is a word, gives the links "
            "{links}, {C} of them gold: 1 - 2 * {C} / ({L} + {G}).",
        ),
    ),
)


ONE_INPUT = "You count the work for one input. Each word scores all N_X of them."


def bilinear(N_X, D_S, D_H, D_A):
    """What one more word needs, and what people count instead."""
    once = {
        "In the bilinear score you count D_H for each input. W h_i is prepared, and as "
        "wide as s: D_S.": N_X * D_H,
        "In the bilinear score you multiply s by W for every word. Multiply W with the "
        "h_i before the first, and D_S is left.": D_S * D_H + N_X * D_H,
        "In the bilinear score you count a product for each entry of W, for every "
        "input. W h_i is prepared, and as wide as s: D_S.": N_X * D_S * D_H,
        ONE_INPUT: D_S,
    }
    prepared = {
        "In the bilinear score you count W h_i. It has no s in it, and is made before "
        "the first word.": N_X * D_S * D_H,
    }
    return [(N_X * D_S, once), (0, prepared)]


def dot(N_X, D_S, D_H, D_A):
    """A dot product for each input."""
    agree = "In the dot product D_S and D_H agree: count it with D_H."
    return [(N_X * D_H, {agree: N_X * D_S, ONE_INPUT: D_H})]


def mlp(N_X, D_S, D_H, D_A):
    """W s once, v for each input."""
    of_s = {
        "In the MLP you count W s for every input. s is the same for all of them, so "
        "W s is made once: D_S * D_A.": N_X * D_S * D_A,
        "In the MLP you leave out W s. It has s in it, so it cannot be prepared: "
        "D_S * D_A, once for each word.": 0,
    }
    of_v = {
        "In the MLP you leave out v: D_A multiplications for each input.": 0,
        "In the MLP you count v · tanh(...) once: D_A for each input.": D_A,
    }
    prepared = {
        "In the MLP you count U h_i. It has no s in it, and is made before the first "
        "word.": N_X * D_H * D_A,
    }
    return [(D_S * D_A, of_s), (N_X * D_A, of_v), (0, prepared)]


HINT = (
    "Ask of every product whether s is in it (if not, it is done before), and whether "
    "it is made once or for each input. Additions, tanh, the softmax and the context "
    "are not counted."
)

check_work_per_word = Check(
    name="work_per_word",
    reference=solutions.work_per_word,
    gives={"work": ""},
    task='Write `work_per_word(N_X, D_S, D_H, D_A)`: a dictionary with the keys "dot", '
    '"bilinear", "mlp", the multiplications that N_X scores need for one more word; '
    "all W h_i and U h_i are there already. The dot product is counted with D_H.",
    cases=(
        Case("widths that all differ", N_X=7, D_S=3, D_H=5, D_A=11),
        Case("a single input", N_X=1, D_S=4, D_H=6, D_A=7),
    ),
    laws=[
        laws.Counted(score.__name__, score, HINT, part=score.__name__)
        for score in (bilinear, dot, mlp)
    ],
)
