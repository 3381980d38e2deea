"""`check_causal_mask`, `check_padding_mask`, `check_causal_padding_mask`: who may look at what."""

import numpy as np

from attention_book.exercises.checking import Case, Check, Law, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import causal_mask, causal_padding_mask, padding_mask

CAUSAL = "return position[None, :] <= position[:, None]"
PADDING = "return np.arange(N_X)[None, :] < lengths[:, None]"
BOTH = "return causal_mask(N_X)[None, :, :] & keys[:, None, :]"
ADDED = (
    "You return numbers to be added to the scores, 0 and -inf. That works in a model, "
    "but it is another convention: here a mask is boolean, True where a query may "
    "look. Return the condition itself."
)
TURNED = (
    "Your mask is True where a query may not look. Both conventions exist "
    "(nn.MultiheadAttention of torch has this one); here True means: may look."
)


def not_numbers_to_add(example: Example) -> str | None:
    """Recognise a mask that is to be added: 0 where one may look, something very negative elsewhere."""
    M = np.asarray(example.got["visible"], dtype=float)
    if M.min() > -100 or M.max() != 0:
        return None
    return (
        f"your mask holds 0 and {M.min():.3g}: numbers to be added to scores. That is "
        "a convention too; here a mask is boolean, True where a query may look."
    )


def yes_or_no(example: Example) -> str | None:
    """A mask holds True and False, or 1 and 0."""
    odd = [
        value
        for value in np.unique(np.asarray(example.got["visible"], dtype=float))
        if value not in (0, 1)
    ]
    return f"a mask holds True and False; yours holds {odd[0]:.3g}." if odd else None


def first_difference(shown: str, hidden: str) -> Law:
    """Point at the first entry that is wrong.

    Parameters
    ----------
    shown : what to say of an entry that is True and must not be, with {i}, {j} and {b}
    for its place hidden : the same for one that is False
    """

    def law(example: Example) -> str | None:
        got, expected = (
            np.asarray(example.got["visible"]),
            np.asarray(example.expected["visible"]),
        )
        wrong = np.argwhere(got != expected)
        if not len(wrong):
            return None
        place = tuple(int(n) for n in wrong[0])
        named = dict(
            zip("bij" if len(place) == 3 else seen_axes(example), place, strict=True)
        )
        sentence = hidden if expected[place] else shown
        return f"visible[{', '.join(map(str, place))}] is {not expected[place]}: {sentence.format(**named)}"

    return law


def seen_axes(example: Example) -> str:
    """Name the two axes of a mask: items and inputs, or queries and inputs."""
    return "bj" if "lengths" in example.inputs else "ij"


check_causal_mask = Check(
    name="causal_mask",
    reference=causal_mask,
    gives={"visible": "N N"},
    task="Write `causal_mask(N)`: a boolean array (N, N), visible[i, j] True where position i may look at position j: "
    "at itself and at everything before it, at nothing that comes later.",
    cases=(
        Case("five positions", {"N": 5}),
        Case("two positions", {"N": 2}),
        Case("a single position", {"N": 1}),
    ),
    mutants=(
        Mutant(
            "does not see itself",
            ((CAUSAL, CAUSAL.replace("<=", "<")),),
            "Your positions look only at what came before, and the first one at "
            "nothing at all: its softmax would be NaN. A position may look at itself: "
            "j <= i, with the diagonal.",
        ),
        Mutant(
            "looks one step too far",
            ((CAUSAL, f"{CAUSAL} + 1"),),
            "Position i looks at i + 1, the word it is about to predict: it can copy "
            "the answer. Stop at the diagonal: j <= i. (np.tril and torch.tril want k "
            "= 0 here.)",
        ),
        Mutant("True where hidden", ((CAUSAL, CAUSAL.replace("<=", ">")),), TURNED),
        Mutant(
            "looks at the future",
            ((CAUSAL, CAUSAL.replace("<=", ">=")),),
            "Your triangle is the upper one: positions look at themselves and at what "
            "comes later. Rows are who looks, columns what is looked at: True on and "
            "below the diagonal (tril, not triu).",
        ),
        Mutant(
            "numbers to be added",
            ((CAUSAL, f"return np.where({CAUSAL[7:]}, 0.0, -np.inf)"),),
            ADDED,
        ),
        Mutant(
            "0 times infinity",
            ((CAUSAL, f"return (1.0 - ({CAUSAL[7:]})) * -np.inf"),),
            "0 times -inf is NaN, so your mask is NaN where one may look. Choose with "
            "`where` instead of multiplying. And here a mask is boolean, True where a "
            "query may look: return the condition itself.",
        ),
    ),
    laws=(
        not_numbers_to_add,
        yes_or_no,
        first_difference(
            "position {i} looks at {j}, which comes later.",
            "position {i} may look at {j}, which comes before it or is itself.",
        ),
    ),
)

check_padding_mask = Check(
    name="padding_mask",
    reference=padding_mask,
    gives={"visible": "B N_X"},
    task="Write `padding_mask(lengths, N_X)`: lengths (B,) says how many inputs of each item are real; all are padded "
    "at their end to N_X. Return a boolean array (B, N_X), True where an input is "
    "real.",
    cases=(
        Case("three items", {"lengths": np.array([2, 4, 3]), "N_X": 5}),
        Case("an item that fills the length", {"lengths": np.array([4, 1]), "N_X": 4}),
    ),
    mutants=(
        Mutant(
            "one too many",
            ((PADDING, PADDING.replace("<", "<=")),),
            "The first padding of each item is visible. Inputs are counted from 0, so "
            "that input number `length` is already padding: j < length.",
        ),
        Mutant("True where hidden", ((PADDING, PADDING.replace("<", ">=")),), TURNED),
        Mutant(
            "one too few",
            ((PADDING, f"{PADDING} - 1"),),
            "The last real input of each item is hidden. The inputs of an item are "
            "numbers 0 to length - 1: j < length.",
        ),
        Mutant(
            "padding in front",
            ((PADDING, "return np.arange(N_X)[None, :] >= N_X - lengths[:, None]"),),
            "You hide the beginning of each item, as if the padding stood in front. "
            "Here it stands at the end.",
        ),
        Mutant(
            "one length for all",
            ((PADDING, PADDING.replace("< ", "< lengths.max() + 0 * ")),),
            "Every item is shown up to the length of the longest. Compare each item "
            "with its own length: lengths[:, None] against the places.",
        ),
        Mutant(
            "numbers to be added",
            ((PADDING, f"return np.where({PADDING[7:]}, 0.0, -np.inf)"),),
            ADDED,
        ),
        Mutant(
            "items and inputs exchanged",
            ((PADDING, f"return ({PADDING[7:]}).T"),),
            "Your mask has the inputs in its rows. One row is one item of the batch: "
            "shape (B, N_X).",
        ),
    ),
    laws=(
        not_numbers_to_add,
        yes_or_no,
        first_difference(
            "input {j} of item {b} is padding.", "input {j} of item {b} is a real one."
        ),
    ),
)

check_causal_padding_mask = Check(
    name="causal_padding_mask",
    reference=causal_padding_mask,
    gives={"visible": "B N_X N_X"},
    task="Write `causal_padding_mask(lengths, N_X)`: lengths (B,) says how many inputs of each item are real, the "
    "rest is padding at the end. Return a boolean array (B, N_X, N_X), visible[b, i, "
    "j] True where input i of item b may look at input j: not at what comes later, "
    "and not at padding. Rows of padding are treated like any other row.",
    cases=(
        Case("three items", {"lengths": np.array([2, 4, 3]), "N_X": 4}),
        Case("short items", {"lengths": np.array([1, 3]), "N_X": 5}),
    ),
    mutants=(
        Mutant(
            "rows hidden instead of columns",
            ((BOTH, BOTH.replace("keys[:, None, :]", "keys[:, :, None]")),),
            "You hide the rows of padding, so that these look at nothing (NaN after "
            "the softmax). What must not be looked at stands in the columns: the "
            "padding mask gets its new axis in the middle, (B, 1, N_X). The rows of "
            "padding stay; what they compute is thrown away later.",
            seen="d2l-en 2423",
        ),
        Mutant(
            "or instead of and",
            ((BOTH, BOTH.replace("&", "|")),),
            "You show what one of the two masks allows. An input may be looked at "
            "only if both allow it: &. (With masks that say what is hidden it would "
            "be |: is that where yours comes from?)",
        ),
        Mutant(
            "the future is visible",
            ((BOTH, "return np.repeat(keys[:, None, :], N_X, axis=1)"),),
            "Only the padding is hidden: your rows are all alike. Input i may look at "
            "j <= i.",
        ),
        Mutant(
            "padding is visible",
            (
                (
                    BOTH,
                    "return np.repeat(causal_mask(N_X)[None, :, :], len(lengths), "
                    "axis=0)",
                ),
            ),
            "Only the future is hidden: your items are all alike. Hide also the "
            "columns from lengths[b] on.",
            seen="pytorch/tutorials 3643, pytorch-seq2seq 152",
        ),
        Mutant("True where hidden", ((BOTH, f"return ~({BOTH[7:]})"),), TURNED),
        Mutant(
            "looks at the future",
            ((CAUSAL, CAUSAL.replace("<=", ">=")),),
            "Your triangle is the upper one: inputs look at themselves and at what "
            "comes later. Rows are who looks, columns what is looked at: True on and "
            "below the diagonal.",
        ),
        Mutant(
            "does not see itself",
            ((CAUSAL, CAUSAL.replace("<=", "<")),),
            "Your inputs look only at what came before, and the first one at nothing "
            "at all. An input may look at itself: j <= i.",
        ),
        Mutant(
            "looks one step too far",
            ((CAUSAL, f"{CAUSAL} + 1"),),
            "Input i looks at i + 1, the word it is about to predict. Stop at the "
            "diagonal: j <= i.",
        ),
        Mutant(
            "one padding too many",
            ((PADDING, PADDING.replace("<", "<=")),),
            "The first padding of each item is visible. Inputs are counted from 0: j "
            "< length.",
        ),
        Mutant(
            "numbers to be added",
            ((BOTH, f"return np.where({BOTH[7:]}, 0.0, -np.inf)"),),
            ADDED,
        ),
    ),
    laws=(
        not_numbers_to_add,
        yes_or_no,
        first_difference(
            "in item {b}, input {j} is padding, or comes later than {i}.",
            "in item {b}, input {j} is real and comes no later than {i}.",
        ),
    ),
)
