"""Chapter 15's checks: bits a character, top-p, and a look-up by two looks."""

import numpy as np

from attention_book.chapters.generation import solutions
from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import (
    Counted,
    not_negative,
    not_transposed,
    rows_sum_to_one,
)
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)


def what_a_text_costs(log_P, pieces):
    """The bits a character; and what people take for them."""
    text = "".join(pieces)
    nats, N = -log_P.sum(), len(text)
    bits = nats / np.log(2)
    each = -log_P / np.log(2)
    lengths = np.array([*map(len, pieces)])
    filled = lengths > 0
    end = [*filled, False].index(False)
    rates, rates_of_all = each[filled] / lengths[filled], each / lengths.clip(min=1)
    once = dict(zip(pieces, each, strict=True))
    divisors = {
        "You give bits a piece. A piece has several characters: divide by the number "
        "of all characters.": len(pieces),
        "You give bits a word. Divide by the number of characters, blanks too.": len(
            text.split()
        ),
        "You divide by the number of bytes. A letter such as é has two, and is one "
        "character: len(text), before it is encoded.": len(text.encode()),
        "You do not count blanks. They are characters of the text, too.": len(
            "".join(text.split())
        ),
        "You leave out the blanks. They are characters of the text, too.": len(
            text.replace(" ", "")
        ),
        "You leave out blanks around the pieces. They are characters of the text, "
        "too.": sum(len(piece.strip()) for piece in pieces),
        "You leave out blanks in front of the pieces. They are characters of the text, "
        "too.": sum(len(piece.lstrip()) for piece in pieces),
        "You leave out blanks in front of the pieces, of which each is a character of "
        "the text.": sum(len(piece.lstrip(" ")) for piece in pieces),
        "You leave out blanks around the text. They are characters of it, too.": len(
            text.strip()
        ),
        "You leave out blanks in front of the text. They are characters of it, "
        "too.": len(text.lstrip()),
        "You leave out blanks or line breaks at the end of the text. They are "
        "characters of it, too.": len(text.rstrip()),
        "You leave out the line breaks. They are characters of the text, too.": len(
            text.replace("\n", "")
        ),
        "You put a blank between the pieces. The text has its own: join the pieces by "
        "nothing.": len(" ".join(pieces)),
        "You count letters and digits only. Blanks and punctuation are characters of "
        "the text, too.": sum(map(str.isalnum, text)),
        "You do not count punctuation. Its marks are characters of the text, too.": sum(
            letter.isalnum() or letter.isspace() for letter in text
        ),
        "An empty piece has no character; you count one.": lengths.clip(min=1).sum(),
        "You count the characters of each piece once, and one comes twice: a set or "
        "a dict keeps one of each.": sum(map(len, once)),
    }
    others = {
        "You count in nats: divide by ln 2, for bits.": nats / N,
        "You multiply by ln 2. A nat is more than a bit: divide by it.": nats
        * np.log(2)
        / N,
        "You give nats a piece. Divide by ln 2 for bits, and by the number of "
        "characters, not of pieces.": nats / len(pieces),
        "Your bits are negative: a logarithm of a probability is, so put a minus in "
        "front.": -bits / N,
        "You leave out the pieces without a character. They have to be predicted, too, "
        "so they cost their bits.": each[filled].sum() / N,
        "You stop at the first piece without a character. The text goes on after "
        "it.": each[: end + 1].sum() / lengths[:end].sum(),
        "You stop before the first piece without a character. It costs bits, and the "
        "text goes on.": each[:end].sum() / lengths[:end].sum(),
        "You count each piece once, and one comes twice: a dict keeps one of each.": (
            sum(once.values()) / sum(map(len, once))
        ),
        "You count the bits of each piece once, and one comes twice: a dict keeps one "
        "of each.": sum(once.values()) / N,
        "Of two equal pieces you take the bits of the first twice, as pieces.index "
        "finds it. Each has its own.": sum(each[pieces.index(s)] for s in pieces) / N,
        "Of two equal pieces you take the bits of the last twice, as a dict keeps "
        "them. Each has its own.": sum(once[s] for s in pieces) / N,
        "You average over the pieces: a long piece then counts no more than a short "
        "one. Divide all bits by all characters.": rates.mean(),
        "You average over the pieces, as if the empty one had a character. Divide all "
        "bits by all characters.": rates_of_all.mean(),
        "You divide piece by piece and add up. Add up the bits of all pieces, and "
        "divide them by all characters.": rates.sum(),
        "You divide piece by piece, the empty one by 1, and add up. Divide all bits by "
        "all characters.": rates_of_all.sum(),
        "You divide the wrong way round: bits by characters.": N / bits,
        "You leave out the bits of the first piece. It has a probability in log_P, as "
        "each has.": each[1:].sum() / N,
        "You leave out the first piece. It has a probability in log_P, as each has.": (
            each[1:].sum() / lengths[1:].sum()
        ),
        "You leave out the bits of the last piece. It has a probability in log_P, as "
        "each has.": each[:-1].sum() / N,
        "You add up, and do not divide: the number grows with the text. Divide by the "
        "number of characters.": bits,
        "You give the perplexity. Bits are its logarithm with base 2.": 2 ** (bits / N),
    }
    return [(bits / N, others | {says: bits / n for says, n in divisors.items()})]


check_bits_per_character = Check(
    name="bits_per_character",
    reference=solutions.bits_per_character,
    gives={"bits": ""},
    task="Write `bits_per_character(log_P, pieces)`: how many bits a character of a "
    "text costs. `log_P` (N,) holds the natural logarithm of the probability that a "
    "network gave to each piece, `pieces` the N strings, which make up the text. A "
    "piece may be empty, such as an end: it costs bits and has no character.",
    cases=(
        Case(
            "four pieces",
            log_P=table("-2.5 -0.4 -3.1 -2.2"),
            pieces=["Return", " the", " num", "ber"],
        ),
        Case(
            "letters that take two bytes, and an end",
            log_P=table("-1.7 -4.2 -0.3 -2.8 -5.1"),
            pieces=["un", " café", " à", " Orléans", ""],
        ),
        Case(
            "a piece that is certain",
            log_P=table("0 -6.5"),
            pieces=["   ab", "\n  b\n"],
        ),
        Case(
            "a piece that comes twice, and an end between",
            log_P=table("-0.7 -2.2 -0.3 -1.9 -3.4"),
            pieces=["echo", "", "echo", "\t- ok.", "!"],
        ),
        Case(  # its probability is smaller than the smallest number
            "a long text",
            log_P=np.tile(table("-2.5 -0.4 -3.1 -2.2"), 100),
            pieces=["Return", " the", " num", "ber"] * 100,
        ),
    ),
    laws=(
        Counted(
            "the number of bits",
            what_a_text_costs,
            "Add up -log P of all pieces, divide by ln 2 for bits, and by the number "
            "of characters of the whole text.",
        ),
    ),
)


def of_the_dropped(example: Example) -> str | None:
    """What is dropped gets nothing, and probabilities come, not marks."""
    P, got, due = example.inputs["P"], example.got["kept"], example.expected["kept"]
    if got.dtype == bool or (got.sum() > 1 and {*got} == {0, 1}):
        return "you return which words stay. Return their probabilities."
    if (got[P == 0] > 0).any():
        return "a word whose probability was 0 has one now."
    dropped = got[due == 0]
    if len(dropped) > 1 and dropped.min() > 0 and np.ptp(dropped) < 1e-7:
        return (
            f"you give {dropped.max():.3g} to each word that is dropped, which gets 0. "
            "Do you add something to all words, or take exp of those zeros?"
        )
    return None


def has_the_share(example: Example) -> str | None:
    """What is kept has p together, and no word of it can go."""
    P, p = example.inputs["P"], example.inputs["p"]
    kept = example.got["kept"] > 0
    if not kept.any():
        return "no word is left. The likeliest always stays."
    share, out = P[kept].sum(), P[~kept].max(initial=0)
    if out > P[kept].min():
        return (
            f"you keep a word of {P[kept].min():.3g} and drop one of {out:.3g}: the "
            "likeliest stay. Does each word come back to its own place?"
        )
    if out > 0 and share < p - 1e-6:
        why = "A word stays if those before it have less than p."
        if p == 1:
            why = "All words stay, and a search for p may find nothing, by rounding."
        return f"you keep words of {share:.4g} together, less than p = {p:.3g}. {why}"
    if share - P[kept].min() >= p:
        return (
            f"the words you keep have {share:.3g} together. Without the last of them "
            f"they would still have p = {p:.3g}: keep as few as you can."
        )
    return None


def in_proportion(example: Example) -> str | None:
    """What is kept has its old probabilities, times one number that makes them 1."""
    P, got = example.inputs["P"], example.got["kept"]
    kept = (got > 0) & (P > 0)
    ratios = got[kept] / P[kept]
    if np.ptp(ratios) < 1e-3 * ratios.max():
        return f"what you keep sums to {got.sum():.3g}: divide by its sum."
    return (
        "the words that you keep are no longer in proportion: a word that was twice as "
        "likely as another still is. Divide them all by one number, their sum."
    )


check_nucleus = Check(
    name="nucleus",
    reference=solutions.nucleus,
    gives={"kept": "N_words"},
    weights=("kept",),
    hide="is dropped: set it to 0",
    task="Write `nucleus(P, p)`, top-p sampling: of the probabilities `P` (N_words,) "
    "of the next word, keep the fewest likeliest words that have at least `p` "
    "together, set the others to 0, and divide by the sum. Each word stays in its "
    "place. No two words of P are equally likely.",
    batch=("P",),
    cases=(
        Case(
            "two words, one, three",
            P=table(".1 .4 .25 .05 .2; .05 .12 .7 .1 .03; .3 .08 .22 .16 .24"),
            p=0.6,
        ),
        Case(
            "a share that is reached exactly",
            P=table(".1875 .5 .0625 .25; .125 .09375 .75 .03125"),
            p=0.75,
        ),
        Case("a small share", P=table(".2 .35 .45; .15 .6 .25"), p=0.34),
        Case(
            "forty words", P=np.random.default_rng(0).dirichlet([0.3] * 40, 2), p=0.93
        ),
        Case(
            "all of it",
            P=table(".2 .5 .3 0; .08 .59 .12 .21; .006 .62 .0003 .3737"),
            p=1.0,
        ),
    ),
    mutants=MISTAKES["nucleus"],
    laws=(of_the_dropped, not_negative("kept"), has_the_share, in_proportion),
)


def one_hot(example: Example) -> np.ndarray:
    """The tokens as vectors."""
    return np.eye(example.inputs["N_words"])[example.inputs["ids"]]


def numbers(example: Example) -> str | None:
    """Weights are numbers."""
    for name, got in example.got.items():
        if got.dtype.kind == "b":
            return f"{name} holds True and False. Weights are numbers: 1 and 0."
    return None


def at_the_place_before(example: Example) -> str | None:
    """The first look goes to the place before, that of the first place to itself."""
    for n, row in enumerate(example.got["A_1"]):
        due = max(n - 1, 0)
        if not np.isclose(row[due], 1):
            where = "the place before" if n else "the first place looks at itself"
            return f"A_1[{n}, {due}] is {row[due]:.4g}, expected 1: {where}."
    return None


def not_ahead(example: Example) -> str | None:
    """The second look goes to no later place."""
    ahead = np.triu(example.got["A_2"], 1)
    if ahead.max() < 1e-6:
        return None
    n, m = map(int, np.unravel_index(ahead.argmax(), ahead.shape))
    return (
        f"A_2 gives {ahead[n, m]:.3g} to place {m} at place {n}, which comes "
        "before it: hide what comes later."
    )


def somewhere(example: Example) -> str | None:
    """A place at which nothing is found looks, too."""
    nowhere = ~example.got["A_2"].any(axis=-1)
    if not nowhere.any():
        return None
    n = int(nowhere.argmax())
    return (
        f"place {n} looks nowhere: row {n} of A_2 is 0. Where no place fits, it looks "
        "at all places up to its own, with the same weight."
    )


def at_what_fits(example: Example) -> str | None:
    """The second look shares its weight evenly among the places that fit."""
    ids, A, right = example.inputs["ids"], example.got["A_2"], example.expected["A_2"]
    for n, (row, due) in enumerate(zip(A, right, strict=True)):
        if np.allclose(row, due, atol=1e-7):
            continue
        fit = np.flatnonzero(due > 1e-6)
        others = row[: n + 1][due[: n + 1] < 1e-6]
        even = np.ptp(row[fit]) < 1e-6
        if even and others.size and 1e-7 < others.min() < row[fit].min():
            return (
                f"at place {n}, a place that does not fit gets {others.min():.3g}. "
                "It gets nothing if another fits. If you take a softmax of scores such "
                "as 0 and 1, multiply them by a large number before it."
            )
        why = f"the token before is {ids[n]} there" if others.size else "none fits"
        return (
            f"place {n} holds {ids[n]} and should look at {fit.tolist()}, with "
            f"{1 / len(fit):.3g} each ({why}); yours is {row.round(3).tolist()}."
        )
    return None


def the_tokens_there(example: Example) -> str | None:
    """P is A_2 times the tokens."""
    if np.allclose(example.got["P"], example.got["A_2"] @ one_hot(example), atol=1e-3):
        return None
    return (
        "P is not A_2 X. It mixes the one-hot vectors of the places looked at, and the "
        "weights of a token that is there twice add up."
    )


def text(name: str, words: str, N_words: int) -> Case:
    return Case(name, ids=table(words, int), N_words=N_words)


OVER = {"over": "the places looked at", "instead": "the places that look"}

check_look_up = Check(
    name="look_up",
    reference=solutions.look_up,
    gives={"A_1": "N N", "A_2": "N N", "P": "N N_words"},
    task="Write `look_up(ids, N_words)` without any training. X (N, N_words) holds a "
    "one-hot vector for each token of `ids` (N,); the first token is [START], "
    "whatever its id, and does not come again. First look: each place at the place "
    "before, the first at itself, weights A_1 (N, N). Second look, weights A_2 (N, N): "
    "place n at all places m <= n at which the token before m is that of n, each with "
    "the same weight; if there is none, at all places m <= n with the same weight. "
    "Return A_1, A_2 and P = A_2 X (N, N_words).",
    cases=(
        text("three keys, one asked again", "0 3 9 5 8 4 10 3", 12),
        text("a key with two values", "0 2 7 3 6 2 5 2 7 3 2", 8),
        text("nothing to find", "0 4 2 3 1", 5),
        text("one token again and again", "0 3 3 3 3", 4),
        text(
            "another [START], many repeats, and an id 0",
            "6 3 4 1 2 1 0 2 1 1 2 0 1 2 5 0 3",
            7,
        ),
    ),
    mutants=MISTAKES["look_up"],
    laws=(
        numbers,
        not_transposed("A_1"),
        at_the_place_before,
        rows_sum_to_one("A_1", **OVER),
        not_transposed("A_2"),
        somewhere,
        rows_sum_to_one("A_2", **OVER),
        not_ahead,
        at_what_fits,
        the_tokens_there,
    ),
)
