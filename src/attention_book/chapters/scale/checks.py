"""Chapter 16's checks: the weights of a GPT, the work of training it, a power law."""

from itertools import product

import numpy as np

from attention_book.chapters.scale import solutions
from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.results import same

MISTAKES = read_mistakes(__file__)


def fits_its_type(example: Example) -> str | None:
    """A count that is right while it is small keeps its digits when it is large."""
    (got,), (due,) = example.got.values(), example.expected.values()
    small = [it for it in example.among if max(it.expected.values()) < due]
    if not small or not all(same(it.got, it.expected) for it in small):
        return None
    if abs(got - due) <= 1e-6 * due:
        return (
            f"you get {got}, which is right but for its last digits. Is it rounded, or "
            "computed in float32, which holds about seven? Count in Python's int."
        )
    if due < 2**31:
        return None
    return (
        f"you get {got}, and smaller counts are right. Do you count in whole numbers "
        "of NumPy or torch (np.prod, np.array)? They end at 9.2e18 (64 bits) or 2.1e9 "
        "(32 bits). Count in Python's int, or in float64."
    )


def weights(D, N_blocks, N_words, N_positions):
    """The parts of a GPT, and what people count instead."""
    attention, mlp = N_blocks * 4 * D * D, N_blocks * 8 * D * D
    biases = N_blocks * (4 * D + 5 * D)
    block, others = 12 * D * D + 13 * D, 1 - N_blocks
    matrices = {
        "You count three matrices for attention. The fourth is W_O.": attention * 3 / 4,
        "You count three matrices for attention, each with its bias. The fourth is "
        "W_O.": attention * 3 / 4 - N_blocks * D,
        "You count one matrix for attention. There are four, W_Q, W_K, W_V and "
        "W_O.": attention / 4,
    }
    ups = {
        "You leave out the MLP's matrices.": 0,
        "You are 4 D^2 short in each block. That many are attention's four matrices, "
        "or one of the MLP's two: which do you leave out?": mlp / 2,
        "You count three matrices in the MLP. There are two.": mlp * 3 / 2,
        "You count the MLP's matrices as D by D, not D by 4 D and 4 D by D.": mlp / 4,
        "You count a matrix of 4 D by 4 D in the MLP.": 2 * mlp,
    }
    added = {
        "You count no biases. Each of the six matrices has one.": 0,
        "You are D short in each block. Has each of the six matrices its bias, and "
        "each norm its gamma and beta?": N_blocks * 8 * D,
        "You are 4 D short in each block. That many are attention's four biases, the "
        "MLP's bias of 4 D, or gamma and beta of two norms: which do you leave "
        "out?": N_blocks * 5 * D,
        "You leave out the MLP's biases, of 4 D and of D numbers.": 4 * N_blocks * D,
        "You are 3 D short in each block. Is the MLP's first bias 4 D wide, and has "
        "each of attention's four matrices its bias?": N_blocks * 6 * D,
        "You count the MLP's biases as 4 D wide, both. A bias is as wide as what comes "
        "out, so the second is D wide.": N_blocks * 12 * D,
        "You count the biases of one block. Every block has its own.": 9 * D,
    }
    norms = {
        "You leave out the last norm, after all blocks.": N_blocks * 4 * D,
        "You leave out all norms, or the last one and 4 D in each block, such as "
        "attention's four biases.": 0,
        "You count one vector a norm. It learns two, gamma and beta.": (
            N_blocks * 2 * D + D
        ),
        "The last norm has gamma and beta, 2 D; you are D short.": N_blocks * 4 * D + D,
        "You are 2 D short in each block. Are there two norms, both with gamma and "
        "beta?": N_blocks * 2 * D + 2 * D,
        "You count one norm a block, or one vector a norm, and leave out the last "
        "norm.": N_blocks * 2 * D,
        "You count the norms of one block. Every block has its own.": 6 * D,
        "You count the last norm in every block. It comes once, after the "
        "last.": N_blocks * 6 * D,
    }
    words = {
        "You leave out the table of words.": 0,
        "You count the table of words twice. It serves to read words and to read them "
        "off.": 2 * N_words * D,
        "You give the table of words a bias. It has none.": N_words * D + N_words,
        "You count a second table, to read words off, with a bias. The table that "
        "reads them in serves again, without one.": 2 * N_words * D + N_words,
        "You count the table of words in every block.": N_blocks * N_words * D,
    }
    positions = {
        "You leave out the table of positions.": 0,
        "Each vector in the table of positions has D numbers.": N_positions,
        "You count the table of positions in every block.": N_blocks * N_positions * D,
    }
    blocks = {
        "You count the matrices of one block; each has its own.": others * 12 * D * D,
        "You count one block. Each has weights of its own.": others * block,
        "You count a block too few. Does a loop begin at 1?": -block,
        "You count a block too many. Does a loop end at N_blocks + 1?": block,
    }
    return [
        (attention, matrices),
        (mlp, ups),
        (biases, added),
        (N_blocks * 4 * D + 2 * D, norms),
        (N_words * D, words),
        (N_positions * D, positions),
        (0, blocks),
    ]


check_gpt_weights = Check(
    name="gpt_weights",
    reference=solutions.gpt_weights,
    gives={"weights": ""},
    task="Write `gpt_weights(D, N_blocks, N_words, N_positions)`: how many weights a "
    "GPT has. Its matrices have biases, an MLP is 4 D wide inside, a norm has gamma "
    "and beta, and one more norm comes after the last block. One table of N_words "
    "vectors reads words and reads them off; another holds N_positions vectors.",
    cases=(
        Case("an odd width", D=7, N_blocks=3, N_words=101, N_positions=13),
        Case("one block", D=12, N_blocks=1, N_words=5, N_positions=40),
        Case("GPT-2", D=1600, N_blocks=48, N_words=50_257, N_positions=1024),
    ),
    laws=(
        fits_its_type,
        Counted(
            "the number of weights",
            weights,
            "Count a block part by part: four matrices, two more in the MLP, a bias "
            "for each, two norms. Then take N_blocks of them, and add the last norm "
            "and both tables.",
        ),
    ),
)


def operations(D, N_blocks, N_words, N, tokens):
    """What training costs, and what people take for it."""
    weights = 6 * 12 * N_blocks * D * D * tokens
    pairs = 3 * 4 * N * D * N_blocks * tokens
    reading_off = 6 * D * N_words * tokens
    of_weights = {
        "You count a block's matrices as 4 D^2: the MLP has 8 D^2 more.": weights / 3,
        "You count a block's matrices as 8 D^2. They are 12 D^2: four of D by D for "
        "attention, two of 4 D by D in the MLP.": weights * 2 / 3,
        "You count a block's matrices as 11 D^2. Is W_O, attention's fourth, among "
        "them?": weights * 11 / 12,
        "You count the matrices of one block. There are N_blocks.": weights / N_blocks,
        "You count the blocks' matrices once a text. Each token goes through "
        "them.": weights / N,
    }
    of_pairs = {
        "You leave out the pairs: the products Q K^T and A V.": 0,
        "You count half of the pairs' work. There are two products, Q K^T and A V, "
        "each over all N places, hidden or not, and with each multiplication comes an "
        "addition.": pairs / 2,
        "You count the pairs of one block. There are N_blocks.": pairs / N_blocks,
        "You count the pairs of a text for each of its tokens. A token has N pairs, a "
        "text N * N.": pairs * N,
        "You count half of the pairs, those that a mask leaves. All are "
        "computed.": pairs / 2 * (N + 1) / N,
        "A token is in N pairs in each block; you count one.": pairs / N,
        "You leave the pairs out of the backward pass.": pairs / 3,
    }
    of_reading = {
        "You leave out reading off: the product with the table of words.": 0,
        "You count the table of words twice. Reading a word in is a look-up, no "
        "product.": 2 * reading_off,
        "You read off in every block, not once after the last.": N_blocks * reading_off,
        "You count multiplications only where words are read off. With each comes an "
        "addition.": reading_off / 2,
        "You leave reading off out of the backward pass.": reading_off / 3,
        "You read off one word a text. Each token is read off.": reading_off / N,
    }
    factors = {
        "": 1,
        "You count the forward pass only. The backward pass takes twice as much: 3 "
        "times in all.": 1 / 3,
        "You count two parts of three. The forward pass is one part, and the backward "
        "pass two.": 2 / 3,
        "You count multiplications only. With each comes an addition.": 1 / 2,
        "You count twice as many. 2 a b c has the additions in it.": 2,
        "You count one token. There are `tokens` of them.": 1 / tokens,
        "You count one text. There are tokens / N of them.": N / tokens,
        "You multiply by N as well. `tokens` are all tokens that are read, not "
        "texts.": N,
        "You divide by N. `tokens` are all tokens that are read, and each costs as "
        "much.": 1 / N,
    }
    parts = (
        {"": weights} | of_weights,
        {"": pairs} | of_pairs,
        {"": reading_off} | of_reading,
    )
    told = []
    for (said, factor), *mistakes in product(*map(dict.items, (factors, *parts))):
        texts = [*filter(None, (said, *(text for text, _ in mistakes)))]
        most = 2 if factor >= 1 / 3 else 1  # a smaller share need not be whole
        if 0 < len(texts) <= most:
            told.append((texts, factor * sum(number for _, number in mistakes)))
    told.sort(key=lambda one: len(one[0]))  # single mistakes first
    whole = weights + pairs + reading_off
    return [(whole, {" ".join(texts): number for texts, number in told})]


check_training_operations = Check(
    name="training_operations",
    reference=solutions.training_operations,
    gives={"operations": ""},
    task="Write `training_operations(D, N_blocks, N_words, N, tokens)`: how many "
    "multiplications and additions it takes to train a GPT on `tokens` tokens, in "
    "texts of N. Count the products of matrices: a block's 12 squares of D by D, its "
    "pairs (Q K^T and A V, of all N places), and reading off N_words words at the "
    "end. The backward pass takes twice as many as the forward pass.",
    cases=(
        Case("a small GPT", D=7, N_blocks=3, N_words=101, N=13, tokens=78),
        Case("one block, long texts", D=5, N_blocks=1, N_words=4, N=90, tokens=180),
        Case("few tokens", D=64, N_blocks=2, N_words=1000, N=32, tokens=96),
        # beyond 63 bits, and whole in floats of 24
        Case("a wide GPT", D=2**18, N_blocks=8, N_words=49_152, N=1024, tokens=2**18),
    ),
    laws=(
        fits_its_type,
        Counted(
            "the number of operations",
            operations,
            "A token takes 2 * 12 * D * D for a block's matrices, 4 * N * D for its "
            "pairs, and 2 * D * N_words at the end; training takes 3 times that.",
        ),
    ),
)


def goes_through(example: Example) -> str | None:
    """A line through points that lie on one goes through them."""
    (N, _, L_inf), got = example.inputs.values(), example.got
    alpha, N_0 = float(got["alpha"]), float(got["N_0"])
    due = example.expected["alpha"], example.expected["N_0"]
    if alpha in {int(due[0]), *(round(due[0], digits) for digits in range(4))}:
        return f"alpha is {alpha:g}. Is it rounded? Return it as the fit gives it."
    if alpha <= 0:
        return (
            f"alpha is {alpha:.3g}. The loss falls as N grows, so it is positive: the "
            "line's slope is -alpha. If you have turned the sign already, is what you "
            "took the slope (np.polyfit gives it first, np.polynomial last), and does "
            "each loss still stand beside its own N?"
        )
    if N_0 <= 0:
        return f"N_0 is {N_0:.3g}. It is a number of weights, so it is positive."
    if np.isclose(alpha, due[0], rtol=1e-4):
        if round(N_0) == N_0 and abs(N_0 - due[1]) < 1:
            return "N_0 is rounded to a whole number. Return it as it comes out of exp."
        if np.isclose(N_0, due[1], rtol=2e-2):
            return (
                "alpha is right, and N_0 is near. Take it from the line's height where "
                "log N is 0, which is alpha log N_0, and do not round on the way."
            )
        return (
            "alpha is right and N_0 is not. In logarithms the law is alpha log N_0 - "
            "alpha log N: where log N is 0, the line is alpha log N_0 high. Divide "
            "that by alpha, and take exp, if your logarithms are natural."
        )
    with np.errstate(all="ignore"):
        law, line = (N_0 / N) ** alpha, (due[1] / N) ** due[0]
        k = int(np.nan_to_num(np.abs(np.log(law / line))).argmax())
    return (
        f"for N = {N[k]:g} your law gives {L_inf + law[k]:.6g}, and the line of least "
        f"squares {L_inf + line[k]:.6g}. Take the natural logarithms of N and of L - "
        "L_inf, and fit a line with a slope and a height, to all points alike."
    )


check_power_law = Check(
    name="power_law",
    reference=solutions.power_law,
    gives={"alpha": "", "N_0": ""},
    task="Write `power_law(N, L, L_inf)`: numbers of weights N (N_sizes,), losses L "
    "(N_sizes,), and a floor L_inf below all of them. Fit L = L_inf + (N_0 / N)^alpha "
    "by the straight line, in natural logarithms, of L - L_inf against N (least "
    "squares). Return alpha and N_0.",
    cases=(
        Case(
            "losses near a law",
            N=table("1000 3000 8000 20000 50000"),
            L=table("4.4 4.1 3.95 3.8 3.72"),
            L_inf=3.2,
        ),
        Case(
            "no floor",
            N=table("50 400 900 7000"),
            L=table("6.1 5.0 4.9 3.6"),
            L_inf=0.0,
        ),
        Case(
            "a steep law",
            N=table("2 3 5 9 14 20"),
            L=table("9.0 5.1 3.2 2.1 1.9 1.6"),
            L_inf=1.5,
        ),
        Case(
            "sizes in no order",
            N=table("900 20000 900 60 4000"),
            L=table("4.7 3.6 4.5 6.2 3.5"),
            L_inf=2.5,
        ),
    ),
    mutants=MISTAKES["power_law"],
    laws=(goes_through,),
)
