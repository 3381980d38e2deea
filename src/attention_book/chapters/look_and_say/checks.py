"""What a cell sees, what a look hits, and what went wrong with a word."""

import math
from typing import Any

import numpy as np

from attention_book.chapters.look_and_say import solutions
from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)


def what_the_last_layer_adds(example: Example) -> str | None:
    """The cases grow layer by layer: the first wrong one shows what a layer adds."""
    layers, size = example.inputs["layers"], example.got["size"]
    if size == example.expected["size"]:
        return None
    if not layers:
        return "without a layer an entry is a pixel, and depends on it: begin with 1."
    (kernel, _), strides = layers[-1], [stride for _, stride in layers[:-1]]
    if not strides:
        return (
            f"you return {size:g}. An entry of one layer depends on as many pixels as "
            f"its kernel is wide, {kernel}: the kernel adds one less to the pixel you "
            "begin with. Its stride only stretches the layers after it."
        )
    step = math.prod(strides)
    far = f"{' × '.join(map(str, strides))} = {step}" if strides[1:] else f"{step}"
    return (
        f"you return {size:g}, expected {example.expected['size']}. For the last "
        f"layer, neighbours lie {far} pixels apart: the strides before it, multiplied. "
        f"So its kernel of {kernel} adds {kernel - 1} × {step} pixels."
    )


STACKS = {
    "no layer": [],
    "one layer": [(5, 1)],
    "one layer with a stride": [(4, 2)],
    "a layer after a stride": [(5, 2), (3, 1)],
    "a layer after two strides": [(2, 2), (3, 2), (4, 1)],
    "no strides": [(3, 1), (5, 1), (2, 1)],
    "kernels of 1": [(1, 1), (1, 2)],
    "strides of 3 and 2": [(3, 3), (4, 2), (2, 1), (3, 1)],
    "the layers of the book's grid": [(3, 1), (2, 2), (3, 1), (2, 2), (3, 1)],
}

check_receptive_field = Check(
    name="receptive_field",
    reference=solutions.receptive_field,
    gives={"size": ""},
    task="Write `receptive_field(layers)`: `layers` is a list of (kernel, stride) from "
    "the picture up, convolutions and poolings alike. Return how many pixels, along "
    "one side, an entry after the last layer depends on (whether or not they lie in "
    "the picture); without layers it is 1.",
    cases=[Case(name, layers=layers) for name, layers in STACKS.items()],
    mutants=MISTAKES["receptive_field"],
    laws=(what_the_last_layer_adds,),
)


def row_by_row(example: Example) -> str | None:
    """Say of a single look where its strongest cell and its box lie; else count."""
    A, centres, boxes = example.inputs.values()
    share, due = float(example.got["share"]), example.expected["share"]
    if abs(share - due) < 1e-3:
        return None
    if len(A) == 1 and share in (0, 1):
        (top, left, height, width), k = boxes[0], A[0].argmax()
        return (
            f"the strongest cell is {k}, with its centre (y, x) at {centres[k]}. Its "
            f"box, (top, left, height, width) = {boxes[0]}, holds y from {top} up to, "
            f"but not including, {top + height} and x from {left} up to "
            f"{left + width}. A {'hit' if due else 'miss'} counts {due:g}, and you "
            f"return {share:g}."
        )
    hits = [
        j for j, b in enumerate(boxes) if solutions.pointing(A[j : j + 1], centres, [b])
    ]
    return (
        f"you return {share:.3g}, but {len(hits)} of {len(A)} rows are hits: {hits}. A "
        "row is a hit or not, by its own strongest cell and its own box. Divide the "
        "hits by the number of rows."
    )


CENTRES = table("2 3; 2 9; 2 15; 6 3; 6 9; 6 15")
LOOKS = table(
    ".10 .12 .08 .45 .15 .10;"  # cell 3, at (6, 3)
    ".05 .40 .25 .10 .15 .05;"  # cell 1, at (2, 9)
    ".20 .05 .30 .15 .20 .10;"  # cell 2, at (2, 15)
    ".12 .13 .15 .10 .35 .15;"  # cell 4, at (6, 9)
    ".10 .20 .15 .13 .14 .28"  # cell 5, at (6, 15)
)
SINGLE = {
    "a look into its box": (5, 2, 3, 9),
    "a look into the right rows, but beside the box": (5, 9, 3, 4),
    "a look into the right columns, but below the box": (0, 2, 5, 9),
    "a centre on the near edges of its box": (6, 3, 2, 4),
    "a centre on the lower edge of its box": (2, 1, 4, 5),
    "a centre on the right edge of its box": (4, 1, 5, 2),
    "a look into a low, wide box": (5, 1, 2, 9),
    "a look into a large box": (0, 0, 9, 12),
}
SEVERAL = {
    "looks that all hit": "5 2 9 3; 1 8 2 6; 1 13 9 4; 5 7 3 3; 4 14 3 9",
    "centres on edges": "2 1 4 5; 1 3 4 6; 2 12 5 7; 3 9 6 4; 6 15 2 2",
    "looks into another row's box": "1 8 2 6; 5 2 9 3; 5 7 3 3; 4 14 3 9; 1 13 3 4",
}
RNG = np.random.default_rng(282)
MANY = RNG.dirichlet(np.full(6, 3.0), size=9).round(2)
MANY_BOXES = RNG.integers((0, 0, 2, 2), (8, 10, 9, 12), size=(9, 4))
TWO, COLUMN = table(".2 .5 .3; .1 .3 .6"), table("2.5 4.5; 6.5 4.5; 10.5 4.5")


def _looks(name: str, A: np.ndarray, boxes: Any, centres=CENTRES) -> Case:
    """Boxes are tuples of whole numbers, as in a scene."""
    boxes = [tuple(map(int, box)) for box in boxes]
    return Case(name, A=A, centres=centres, boxes=boxes)


check_pointing = Check(
    name="pointing",
    reference=solutions.pointing,
    gives={"share": ""},
    task="Write `pointing(A, centres, boxes)`: weights `A` of shape (N_rows, N_X), the "
    "cells' `centres` (y, x) of shape (N_X, 2), and a list of N_rows boxes (top, left, "
    "height, width), one for each row of A. Return the share of rows whose strongest "
    "cell has its centre in the row's box: top <= y < top + height, and x likewise.",
    cases=(
        *(_looks(name, LOOKS[:1], [box]) for name, box in SINGLE.items()),
        *(_looks(name, LOOKS, table(boxes)) for name, boxes in SEVERAL.items()),
        _looks("a column of cells", TWO, [(5, 3, 2, 4), (7, 1, 2, 9)], COLUMN),
        _looks("many looks", MANY, MANY_BOXES),
    ),
    mutants=MISTAKES["pointing"],
    laws=(row_by_row,),
)

WHY = {
    "right": "The word is right, wherever it looked, so nothing went wrong. Ask first "
    "whether said == meant.",
    "misread": "It looked at the digit that was *meant*, and still named another.",
    "looked at another": "It looked at a digit that was not meant; whether it named "
    "that one or a third makes no difference.",
    "looked nowhere": "looked_at is None: no digit at all, and so neither the right "
    "one nor another. Ask for it before you compare.",
}


def the_word_and_then_the_look(example: Example) -> str | None:
    """Right or not is a question of the word; among wrong words the look decides."""
    verdict, due = example.got["verdict"], example.expected["verdict"]
    if verdict == due:
        return None
    if verdict not in WHY:
        return f"you return {verdict!r}, but the four answers are {[*WHY]}."
    if verdict == "right":
        return "the word is wrong, and you call it right. Right is said == meant."
    return f"you return {verdict!r}, and {due!r} is due. {WHY[due]}"


def _word(said: str, meant: str, looked_at: str | None) -> Case:
    name = f'"{said}" for "{meant}", looking at {looked_at or "nothing"}'
    return Case(name, said=said, meant=meant, looked_at=looked_at)


check_misread_or_mislooked = Check(
    name="misread_or_mislooked",
    reference=solutions.misread_or_mislooked,
    gives={"verdict": ""},
    task="Write `misread_or_mislooked(said, meant, looked_at)` for one digit word. "
    "`said` and `meant` are words; `looked_at` is the name of the digit that the "
    'strongest cell lies on, or None. Return "right" if the word is right, wherever it '
    'looked; otherwise "looked nowhere" if looked_at is None, "misread" if it looked '
    'at the digit that was meant, and "looked at another" if it looked at any other.',
    cases=(
        _word("two", "two", "two"),
        *(_word("two", "three", at) for at in ("three", "two", "seven", None)),
        *(_word("two", "two", at) for at in (None, "seven")),
    ),
    mutants=MISTAKES["misread_or_mislooked"],
    laws=(the_word_and_then_the_look,),
)
