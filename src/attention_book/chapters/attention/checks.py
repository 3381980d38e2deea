"""A step of attention, read and counted.

`check_masked_softmax`, `check_attention_step`, `check_error_rate`,
`check_work_per_word`
"""

import numpy as np

from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    work_per_word,
)
from attention_book.exercises.arrays import mask, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.weights import masking
from attention_book.exercises.laws import (
    counted,
    hidden_gets_nothing,
    laws_of_weights,
    not_negative,
    ratios_are_exp,
    rows_sum_to_one,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import instead, swap

MISTAKES = read_mistakes(__file__)
NOWHERE = "weights that sum to 1 must go somewhere, and nothing may be looked at"

check_masked_softmax = Check(
    name="masked_softmax",
    reference=masked_softmax,
    gives={"A": "N_Y N_X"},
    task="Write `masked_softmax(e, visible)`: scores `e` and a mask `visible` (True = "
    "may be looked at), both of shape (N_Y, N_X), in; weights of the same shape out. "
    "Each row is a softmax over its visible inputs, what is hidden gets 0. Scores of "
    "1000 must do no harm. If a row has nothing visible, raise ValueError.",
    cases=(
        Case(
            "another mask for each row",
            e=table(".5 -1 1.5 2 .2; -.5 .3 .8 -1.2 1; 1.2 .4 -.7 .9 .1"),
            visible=mask("11100 10110 01101"),
        ),
        Case(
            "negative scores, with a gap in the middle",
            e=table("-2 -1 -3 -1.5; -1.2 -2.5 -.8 -2"),
            visible=mask("1011 1011"),
        ),
        Case(
            "rows that lie far apart",
            e=table("1000 1001 998 1000.5; -1000 -1001 -999 -1000.5"),
            visible=mask("1101 1110"),
        ),
        Case(
            "a hidden score far above the visible ones",
            e=table(".5 2000 -.5 1; 2000 .3 -.2 .8"),
            visible=mask("1011 0111"),
        ),
        Case(
            "rows with all and with one input visible",
            e=table(".5 -1 .7; .3 1.4 -.6"),
            visible=mask("111 010"),
        ),
        Case(
            "a row that may look nowhere",
            e=table(".5 -1 .7; .3 1.4 -.6"),
            visible=mask("110 000"),
            refuse=NOWHERE,
        ),
    ),
    mutants=(*masking(instead), *MISTAKES["masked_softmax"]),
    laws=(*laws_of_weights("A"), ratios_are_exp("A", lambda it: it.inputs["e"])),
)


def context_is_the_average(example: Example) -> str | None:
    """The context is made with the weights that are returned."""
    average = example.got["a_t"] @ example.inputs["h"]
    if np.allclose(average, example.got["c_t"], rtol=1e-3, atol=1e-3):
        return None
    return (
        "c_t is not the average of the h_i with the weights that you return. It is "
        "a_t @ h, after mask and softmax."
    )


def same_input_same_weight(example: Example) -> str | None:
    """Attention does not know where inputs stand: one state, one weight."""
    h, a_t = example.inputs["h"], example.got["a_t"]
    same = (h[:, None] == h).all(axis=2) & np.outer(*[example.inputs["visible"]] * 2)
    for i, j in np.argwhere(same & (abs(a_t[:, None] - a_t) > 1e-3)):
        return (
            f"inputs {i} and {j} have the same state and get the weights {a_t[i]:.3f} "
            f"and {a_t[j]:.3f}. The score of an input depends on its state and on s, "
            "and not on where it stands: e_i = s · h_i."
        )
    return None


S = table("1 -.5 .5 1.5")
H = table(".4 .6 -.2 .3; -.6 .2 .8 .1; .9 -.4 .2 .7; .1 -.8 .5 -.3; .7 .3 -.9 .9")
TWICE, ORDER = [1, 0, 1, 2, 4], [3, 0, 4, 2, 1]

check_attention_step = Check(
    name="attention_step",
    reference=attention_step,
    gives={"c_t": "D_S", "a_t": "N_X"},
    task="Write `attention_step(s, h, visible)`: a state `s` of shape (D_S,), the "
    "inputs' states `h` of shape (N_X, D_S) and a mask `visible` of shape (N_X,), True "
    "= may be looked at. Score with the dot product (not scaled), take a softmax over "
    "the visible inputs and mix the h_i. Return the context (D_S,), then the weights "
    "(N_X,). Scores of 1000 must do no harm; if nothing is visible, raise ValueError.",
    cases=(
        Case(
            "padding at the end, and two inputs with the same state",
            s=S,
            h=H[TWICE],
            visible=mask("11110"),
        ),
        Case(
            "the same inputs in another order",
            s=S,
            h=H[TWICE][ORDER],
            visible=mask("11011"),
        ),
        Case("gaps in the mask", s=-S, h=H, visible=mask("10101")),
        Case("three inputs, all visible", s=S, h=H[:3], visible=mask("111")),
        Case(
            "scores near 1000",
            s=table("20 -10 30"),
            h=table("20 -30 10; 25 -20 10; 10 20 30; 40 20 20"),
            visible=mask("1101"),
        ),
        Case(
            "a hidden score far above the visible ones",
            s=table("2 -1"),
            h=table(".5 .2; 800 -400; .3 -.4; -.1 .6"),
            visible=mask("1011"),
        ),
        Case("nothing visible", s=S, h=H, visible=mask("00000"), refuse=NOWHERE),
    ),
    mutants=(
        *masking(lambda weigh: swap(masked_softmax=weigh)),
        *MISTAKES["attention_step"],
    ),
    laws=(
        not_negative("a_t"),
        rows_sum_to_one("a_t", over="the inputs"),
        hidden_gets_nothing("a_t"),
        same_input_same_weight,
        ratios_are_exp("a_t", lambda it: it.inputs["h"] @ it.inputs["s"]),
        context_is_the_average,
    ),
)


def counted_out(example: Example) -> str | None:
    """Count with the right links."""
    A, gold, length = example.inputs.values()
    rate, due = (float(side["rate"]) for side in (example.got, example.expected))
    if np.isclose(rate, due):
        return None
    links = {(int(i), j) for j, i in enumerate(A.argmax(axis=1)) if i < length}
    return (
        f"your rate is {rate:.3f}. The strongest inputs give the links "
        f"{sorted(links)}, and {len(links & gold)} of them are gold: 1 - 2 * "
        f"{len(links & gold)} / ({len(links)} + {len(gold)}) = {due:.3f}."
    )


FOUR_WORDS = table(
    ".45 .3 .1 .05 .06 .04; .08 .12 .55 .15 .06 .04; .05 .1 .28 .4 .12 .05;"
    ".05 .26 .1 .1 .08 .41"
)
ON_STOP = table(".2 .3 .5; .1 .3 .6")

check_error_rate = Check(
    name="error_rate",
    reference=error_rate,
    gives={"rate": ""},
    task="Write `error_rate(A, gold, length)`: weights `A` of shape (N_Y, N_X), a set "
    "`gold` of links (i, j) (input i and target word j, both from 0), and the number "
    "of source words. Link each target word j to its strongest input i, but not at all "
    "if that is no word (i >= length). Return 1 - 2 |links ∩ gold| / (|links| + "
    "|gold|), one number; if both sets are empty, raise ValueError.",
    cases=(
        Case(
            "a look at [STOP]",
            A=FOUR_WORDS,
            gold={(0, 0), (1, 0), (2, 1), (4, 2), (1, 3)},
            length=5,
        ),
        Case(
            "a look at padding after [STOP]",
            A=table(
                ".1 .45 .2 .15 .05 .05; .1 .15 .05 .4 .27 .03; .3 .08 .12 .1 .05 .35"
            ),
            gold={(1, 0), (2, 0), (0, 2)},
            length=3,
        ),
        Case(
            "more target words than inputs",
            A=table(".6 .3 .1; .2 .7 .1; .5 .15 .35; .4 .25 .35; .24 .56 .2"),
            gold={(0, 0), (1, 1), (0, 2), (1, 4)},
            length=2,
        ),
        Case(
            "links that are all right",
            A=FOUR_WORDS,
            gold={(0, 0), (2, 1), (3, 2)},
            length=5,
        ),
        Case("a look, and no gold link", A=FOUR_WORDS, gold=set(), length=5),
        Case("looks at [STOP] only", A=ON_STOP, gold={(0, 0), (1, 1)}, length=2),
        Case(
            "no link in common",
            A=FOUR_WORDS,
            gold={(1, 0), (0, 1), (0, 2), (3, 3)},
            length=5,
        ),
        Case(
            "no link at all",
            A=ON_STOP,
            gold=set(),
            length=2,
            refuse="0 / 0 is no rate",
        ),
    ),
    mutants=MISTAKES["error_rate"],
    laws=(counted_out,),
)


def three_counts(example: Example) -> str | None:
    """A whole number for each of the three."""
    work = example.got["work"]
    if {*work} != {"dot", "bilinear", "mlp"}:
        return (
            f"your dictionary has the keys {[*work]}, expected "
            '"dot", "bilinear" and "mlp".'
        )
    for name, count in work.items():
        if not isinstance(count, int | float) or count != int(count) or count < 1:
            return f"{name} is {count!r}, expected a whole number of multiplications."
    return None


PREPARED = "has no s in it: it is made once for the sentence, before the first word."
ADDED = (
    "Additions are in your counts: count multiplications only, one a pair of numbers."
)
AVERAGED = (
    "You count N_X * D_H for the context. It is the same for all three scores: here "
    "only the scores count."
)
ONE_INPUT = "You count the work for one input. Each word scores all N_X of them."
WORK = {
    "bilinear": {
        "N_X * D_S": {
            "N_X * D_H": "In the bilinear score you count D_H multiplications for each "
            "input. W h_i is prepared, and as wide as s: D_S.",
            "D_S * D_H + N_X * D_H": "In the bilinear score you multiply s by W first, "
            "for every word. Multiply W with the h_i instead: that can be done before, "
            "and leaves one dot product of width D_S for each input.",
            "D_S": ONE_INPUT,
        },
        "0": {
            "N_X * D_S * D_H": "In the bilinear score you count W h_i. It " + PREPARED,
            "N_X * D_S": ADDED,
            "N_X * D_H": AVERAGED,
        },
    },
    "dot": {
        "N_X * D_H": {
            "N_X * D_S": "In the dot product s and h_i have one width, so D_S is no "
            "error of thought. The exercise asks you to write it with D_H.",
            "D_H": ONE_INPUT,
            "2 * N_X * D_H": "In the dot product your count is twice too large.",
        },
    },
    "mlp": {
        "D_S * D_A": {
            "N_X * D_S * D_A": "In the MLP you count W s for every input. s is the "
            "same for all of them, so W s is made once: D_S * D_A.",
            "0": "In the MLP you leave out W s. It has s in it, so it cannot be "
            "prepared: D_S * D_A, once for each output word.",
        },
        "N_X * D_A": {
            "0": "In the MLP you leave out v. Its product with the hidden layer needs "
            "D_A multiplications for each input.",
            "D_A": "In the MLP you count v · tanh(...) once. Each input has a hidden "
            "layer of its own: N_X * D_A.",
        },
        "0": {
            "N_X * D_H * D_A": "In the MLP you count U h_i. It " + PREPARED,
            "(D_S + N_X) * D_A": ADDED,
            "N_X * D_H": AVERAGED,
        },
    },
}
HINT = (
    "Ask of every product whether s is in it (if not, it is done before), and whether "
    "it is made once or for each input."
)
COUNTS = [
    counted(name, parts, number=lambda work, of=name: work[of], hint=HINT)
    for name, parts in WORK.items()
]


def each_count(example: Example) -> str | None:
    """Say what is off in any of the three, once."""
    said = dict.fromkeys(count(example) for count in COUNTS)
    return " ".join(sentence for sentence in said if sentence) or None


check_work_per_word = Check(
    name="work_per_word",
    reference=work_per_word,
    gives={"work": ""},
    task='Write `work_per_word(N_X, D_S, D_H, D_A)`: a dictionary with the keys "dot", '
    '"bilinear" and "mlp", each the number of multiplications that the N_X scores need '
    "for one more output word. The bilinear score is s · (W h_i), W of shape (D_S, "
    "D_H), the MLP's v · tanh(W s + U h_i), hidden width D_A. All W h_i and U h_i were "
    "computed before: do not count them. W s is needed once for the word. The dot "
    "product's widths agree: count it with D_H. Count multiplications only, neither "
    "additions nor tanh, softmax and the average.",
    cases=(
        Case("widths that all differ", N_X=7, D_S=3, D_H=5, D_A=11),
        Case("the widths of the chapter", N_X=20, D_S=128, D_H=128, D_A=128),
        Case("a single input", N_X=1, D_S=3, D_H=5, D_A=7),
        Case("a wide hidden layer", N_X=6, D_S=2, D_H=3, D_A=11),
    ),
    laws=(three_counts, each_count),
)
