"""`check_receptive_field`, `check_pointing`, `check_misread_or_mislooked`: what a cell sees, and what a look hits."""

import numpy as np

from attention_book.chapters.look_and_say.solutions import (
    misread_or_mislooked,
    pointing,
    receptive_field,
)
from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant

GROW, WALK, START = (
    "size += (kernel - 1) * step",
    "for kernel, stride in layers:",
    "size, step = 1, 1",
)
STEP = "step *= stride"


def a_whole_number_of_pixels(seen: Seen) -> str | None:
    """Pixels come in whole numbers, and at least one of them is seen."""
    size = seen.got["size"]
    if size != int(size) or size < 1:
        return f"you return {size:g}. A field is a whole number of pixels, and at least the pixel itself: 1."
    return None


def no_layer_no_more(seen: Seen) -> str | None:
    """Without a layer, and with kernels of 1, an entry sees one pixel."""
    if (
        all(kernel == 1 for kernel, _ in seen.inputs["layers"])
        and seen.got["size"] != 1
    ):
        return f"no kernel is wider than 1, so an entry still depends on one pixel; you return {seen.got['size']:g}."
    return None


def plain_without_strides(seen: Seen) -> str | None:
    """If every stride is 1, each layer adds its kernel minus 1."""
    layers = seen.inputs["layers"]
    due = 1 + sum(kernel - 1 for kernel, _ in layers)
    if layers and all(stride == 1 for _, stride in layers) and seen.got["size"] != due:
        return f"all strides are 1, so each layer adds its kernel minus 1: {due}, and not {seen.got['size']:g}."
    return None


def between_bounds(seen: Seen) -> str | None:
    """At least as if no layer had a stride, at most as if every layer came after all strides."""
    layers, size = seen.inputs["layers"], seen.got["size"]
    low = 1 + sum(kernel - 1 for kernel, _ in layers)
    stretched = any(stride > 1 for _, stride in layers[:-1]) and all(
        kernel > 1 for kernel, _ in layers
    )
    if size == low and stretched:
        return f"you return {size:g}, just as if there were no strides. A stride makes every *later* kernel reach further."
    strides = int(np.prod([stride for _, stride in layers], dtype=int))
    high = 1 + sum(kernel - 1 for kernel, _ in layers) * strides
    if size < low:
        return f"you return {size:g}, but even without a stride the field would be {low} pixels. Do all layers count?"
    if size > high:
        return f"you return {size:g}. A layer adds (kernel - 1) × the strides before it, so it cannot be more than {high}."
    return None


check_receptive_field = Check(
    name="receptive_field",
    reference=receptive_field,
    gives={"size": ""},
    task="Write `receptive_field(layers)`: `layers` is a list of (kernel, stride) from the picture up, convolutions "
    "and poolings alike. Return how many pixels, along one side, an entry after the "
    "last layer depends on (whether or not they lie in the picture); without layers "
    "it is 1.",
    cases=(
        Case(
            "the layers of the book's grid",
            {"layers": [(3, 1), (2, 2), (3, 1), (2, 2), (3, 1)]},
        ),
        Case("no layer", {"layers": []}),
        Case("a stride in the first layer", {"layers": [(5, 2), (3, 1)]}),
        Case("strides of 3 and 2", {"layers": [(3, 3), (4, 2), (2, 1), (3, 1)]}),
        Case("no strides", {"layers": [(3, 1), (5, 1), (2, 1)]}),
        Case("kernels of 1", {"layers": [(1, 1), (1, 2)]}),
    ),
    mutants=(
        Mutant(
            "stride ignored",
            ((STEP, ""),),
            "You leave out the strides. After a stride of 2, neighbours lie two "
            "pixels apart, and a kernel reaches twice as far: multiply by the strides "
            "of all layers before.",
        ),
        Mutant(
            "stride multiplied before adding",
            ((GROW, "size += (kernel - 1) * step * stride"),),
            "You apply a layer's stride to the layer itself. Its kernel still works "
            "on neighbours as the layers before left them: add first, and multiply by "
            "the stride afterwards.",
        ),
        Mutant(
            "kernel added instead of kernel - 1",
            ((GROW, "size += kernel * step"),),
            "You add each layer's whole kernel. One entry of it lies where you are "
            "already: it adds kernel - 1 steps.",
        ),
        Mutant(
            "sum of the kernels",
            ((START, "size, step = 0, 1"), (GROW, "size += kernel")),
            "You add up the kernels. Of each, one entry is shared with what is there "
            "already (kernel - 1), and it stretches by the strides before it.",
        ),
        Mutant(
            "the first pixel forgotten",
            ((START, "size, step = 0, 1"),),
            "You begin with 0. Without any layer an entry is a pixel and depends on "
            "it: begin with 1.",
        ),
        Mutant(
            "strides added up",
            ((STEP, "step += stride"),),
            "You add the strides. Two layers of stride 2 leave neighbours 2 × 2 = 4 "
            "pixels apart: multiply.",
        ),
        Mutant(
            "only the last stride counts",
            ((STEP, "step = stride"),),
            "You keep only the stride of the layer before. The strides of all layers "
            "before multiply: `*=`.",
        ),
        Mutant(
            "layers read from the wrong end",
            ((WALK, "for kernel, stride in reversed(layers):"),),
            "You multiply a kernel by the strides that come after it, not before. "
            "That is what happens when the formula walks the list from the wrong end: "
            "a kernel is stretched by the strides between the picture and itself.",
        ),
        Mutant(
            "kernel and stride swapped",
            ((WALK, "for stride, kernel in layers:"),),
            "You have taken the stride for the kernel. Each layer is (kernel, "
            "stride), in this order.",
        ),
        Mutant(
            "even kernels made odd",
            ((GROW, "size += 2 * (kernel // 2) * step"),),
            "You add half a kernel on each side, which is right for odd kernels only. "
            "A pooling of 2 adds one step, not two: kernel - 1.",
        ),
        Mutant(
            "poolings add nothing themselves",
            ((GROW, "size += (kernel - 1) * step if stride == 1 else 0"),),
            "In your code, layers with a stride only stretch the later ones. They "
            "also have a kernel, and look at more than one entry: each layer adds "
            "(kernel - 1) steps, whatever its stride.",
        ),
        Mutant(
            "distance of the entries instead of the field",
            (("return size", "return step"),),
            "You return how far apart neighbours are, the strides multiplied. The "
            "field is what one entry depends on, and the fields of neighbours overlap.",
        ),
    ),
    laws=(
        a_whole_number_of_pixels,
        no_layer_no_more,
        plain_without_strides,
        between_bounds,
    ),
)


def a_share(seen: Seen) -> str | None:
    """A share lies between 0 and 1, in steps of one row."""
    share, N_rows = float(seen.got["share"]), len(seen.inputs["boxes"])
    if not 0 <= share <= 1:
        return f"you return {share:g}. A share lies between 0 and 1: divide the hits by the number of rows."
    if abs(share * N_rows - round(share * N_rows)) > 1e-3:
        return (
            f"you return {share:.3f}, which is no number of rows out of {N_rows}. Each "
            "row is a hit or not, whatever the weight of its strongest cell."
        )
    return None


def _hits(seen: Seen) -> list[bool]:
    centres = seen.inputs["centres"][np.argmax(seen.inputs["A"], axis=1)]
    pairs = zip(centres, seen.inputs["boxes"], strict=True)
    return [
        bool(t <= y < t + height and left <= x < left + width)
        for (y, x), (t, left, height, width) in pairs
    ]


def all_or_none(seen: Seen) -> str | None:
    """If every look hits, or none does, nothing else may come."""
    hits, share = _hits(seen), float(seen.got["share"])
    if all(hits) and share < 1:
        return "every strongest cell has its centre in its row's box: 1 is due. Is one of your two comparisons too strict?"
    if not any(hits) and share > 0:
        return "no strongest cell has its centre in its row's box: 0 is due. Does row j look at box j, and at both axes?"
    return None


def too_many_or_too_few(seen: Seen) -> str | None:
    """Count the rows that should have been hits."""
    hits, share = _hits(seen), float(seen.got["share"])
    counted = round(share * len(hits))
    if counted == sum(hits):
        return None
    y, x = seen.inputs["centres"][np.argmax(seen.inputs["A"][0])]
    return (
        f"you count {counted} of {len(hits)} rows as hits. Hits are "
        f"{[j for j, hit in enumerate(hits) if hit]}. To try by hand: in row 0 the "
        f"strongest cell has its centre at (y, x) = ({y:g}, {x:g})."
    )


CENTRES = np.array(
    [[y, x] for y in (2.0, 6.0) for x in (3.0, 9.0, 15.0)]
)  # 2 × 3 cells of 4 × 6 pixels
LOOKS = np.array(
    [
        [0.10, 0.12, 0.08, 0.45, 0.15, 0.10],  # cell 3, at (6, 3)
        [0.05, 0.40, 0.25, 0.10, 0.15, 0.05],  # cell 1, at (2, 9)
        [0.20, 0.05, 0.30, 0.15, 0.20, 0.10],  # cell 2, at (2, 15)
        [0.12, 0.13, 0.15, 0.10, 0.35, 0.15],  # cell 4, at (6, 9)
        [0.10, 0.20, 0.15, 0.13, 0.14, 0.28],  # cell 5, at (6, 15)
    ]
)
RNG = np.random.default_rng(282)
MANY_LOOKS = RNG.dirichlet(np.full(6, 3.0), size=9).round(2)
MANY_BOXES = [
    tuple(box)
    for box in RNG.integers((0, 0, 2, 2), (8, 10, 9, 12), size=(9, 4)).tolist()
]
CENTRE = "y, x = centres[weights.argmax()]"
INSIDE = "hits += top <= y < top + height and left <= x < left + width"
SHARE = "return float(hits / len(A))"

check_pointing = Check(
    name="pointing",
    reference=pointing,
    gives={"share": ""},
    task="Write `pointing(A, centres, boxes)`: weights `A` of shape (N_rows, N_X), the cells' `centres` (y, x) of "
    "shape (N_X, 2), and a list of N_rows boxes (top, left, height, width), one for "
    "each row of A. Return the share of rows whose strongest cell has its centre in "
    "the row's box: top <= y < top + height, and x likewise.",
    cases=(
        Case(
            "boxes of another height than width",
            {
                "A": LOOKS,
                "centres": CENTRES,
                "boxes": [
                    (4, 1, 4, 10),
                    (1, 4, 3, 4),
                    (1, 12, 5, 6),
                    (0, 7, 5, 9),
                    (3, 11, 6, 5),
                ],
            },
        ),
        Case(
            "a centre on an edge of its box",
            {
                "A": LOOKS,
                "centres": CENTRES,
                "boxes": [
                    (2, 1, 4, 5),
                    (1, 3, 4, 6),
                    (2, 12, 5, 7),
                    (3, 9, 6, 4),
                    (6, 15, 2, 2),
                ],
            },
        ),
        Case(
            "looks that all hit",
            {
                "A": LOOKS,
                "centres": CENTRES,
                "boxes": [
                    (5, 2, 9, 3),
                    (1, 8, 2, 6),
                    (1, 13, 9, 4),
                    (5, 7, 3, 3),
                    (4, 14, 3, 9),
                ],
            },
        ),
        Case(
            "looks into another row's box",
            {
                "A": LOOKS,
                "centres": CENTRES,
                "boxes": [
                    (1, 8, 2, 6),
                    (5, 2, 9, 3),
                    (5, 7, 3, 3),
                    (4, 14, 3, 9),
                    (1, 13, 3, 4),
                ],
            },
        ),
        Case(
            "centres between two pixels",
            {
                "A": np.array([[0.8, 0.2], [0.3, 0.7]]),
                "centres": np.array([[2.5, 4.5], [6.5, 4.5]]),
                "boxes": [(1, 3, 2, 4), (5, 4, 3, 1)],
            },
        ),
        Case(
            "a single look",
            {"A": LOOKS[:1], "centres": CENTRES, "boxes": [(5, 0, 8, 9)]},
        ),
        Case("many looks", {"A": MANY_LOOKS, "centres": CENTRES, "boxes": MANY_BOXES}),
        Case(
            "two rows and a column of cells",
            {
                "A": np.array([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]),
                "centres": np.array([[2.0, 4.0], [6.0, 4.0], [10.0, 4.0]]),
                "boxes": [(5, 3, 2, 4), (7, 1, 2, 9)],
            },
        ),
    ),
    mutants=(
        Mutant(
            "x and y swapped",
            ((CENTRE, "x, y = centres[weights.argmax()]"),),
            "You have x and y the wrong way round. Centres are (y, x) and boxes (top, "
            "left, height, width): what counts rows, from above, comes first in both.",
        ),
        Mutant(
            "top and left swapped",
            (
                (
                    "(top, left, height, width) in zip",
                    "(left, top, height, width) in zip",
                ),
            ),
            "You have taken left for top. A box is (top, left, height, width), top "
            "first.",
        ),
        Mutant(
            "height and width swapped",
            (
                (
                    "(top, left, height, width) in zip",
                    "(top, left, width, height) in zip",
                ),
            ),
            "You have taken the width for the height. A box is (top, left, height, "
            "width).",
        ),
        Mutant(
            "far edge counted as inside",
            (
                (
                    INSIDE,
                    INSIDE.replace("y < top", "y <= top").replace(
                        "x < left", "x <= left"
                    ),
                ),
            ),
            "You count the far edges as inside. A box from 4 of height 8 holds 4 up "
            "to, but not including, 12; otherwise a centre on the border of two boxes "
            "lies in both: < and not <=.",
        ),
        Mutant(
            "near edge counted as outside",
            ((INSIDE, INSIDE.replace("<= y", "< y").replace("<= x", "< x")),),
            "You count the near edges as outside. A centre at y = top lies in the "
            "box: <= there, and < at the far edge.",
        ),
        Mutant(
            "box read as (top, left, bottom, right)",
            ((INSIDE, "hits += top <= y < height and left <= x < width"),),
            "You compare with the height and width as if they were the bottom and the "
            "right edge. These lie at top + height and left + width.",
        ),
        Mutant(
            "box read as its centre and size",
            (
                (
                    INSIDE,
                    "hits += abs(y - top) <= height / 2 and abs(x - left) <= width / 2",
                ),
            ),
            "You take the first two numbers for the middle of the box. They are its "
            "upper left corner.",
        ),
        Mutant(
            "weakest cell",
            ((CENTRE, CENTRE.replace("argmax", "argmin")),),
            "You take the weakest cell, argmin. The game asks for the strongest.",
        ),
        Mutant(
            "one axis is enough",
            ((INSIDE, INSIDE.replace(" and ", " or ")),),
            "You count a hit as soon as one of the two axes fits. The centre must fit "
            "in both: and, not or.",
        ),
        Mutant(
            "only rows compared",
            ((INSIDE, "hits += top <= y < top + height"),),
            "You compare rows only. A cell in the right row may lie far to the left "
            "of the box: compare x, too.",
        ),
        Mutant(
            "only columns compared",
            ((INSIDE, "hits += left <= x < left + width"),),
            "You compare columns only. A cell in the right column may lie far above "
            "the box: compare y, too.",
        ),
        Mutant(
            "any weight inside counts",
            (
                (
                    CENTRE + "\n        " + INSIDE,
                    "hits += any(w > 0 and top <= y < top + height and left <= x < "
                    "left + width for w, (y, x) in zip(weights, centres))",
                ),
            ),
            "You count a hit if any cell in the box has weight. After a softmax every "
            "cell has some: only the strongest counts.",
        ),
        Mutant(
            "weight in the box instead of hits",
            (
                (
                    CENTRE + "\n        " + INSIDE,
                    "hits += sum(w * (top <= y < top + height and left <= x < left + "
                    "width) for w, (y, x) in zip(weights, centres))",
                ),
            ),
            "You add up the weight that lies in the box. That is a good measure, but "
            "another one: in this game a row is a hit or not, by its strongest cell "
            "alone.",
        ),
        Mutant(
            "centre of gravity",
            ((CENTRE, "y, x = weights @ centres"),),
            "You ask where the weights lie on average. Between two digits there may "
            "be nothing: the game asks for the strongest cell.",
        ),
        Mutant(
            "one cell for all rows",
            ((CENTRE, "y, x = centres[A.sum(axis=0).argmax()]"),),
            "You look for one strongest cell for all rows together. Each row has its "
            "own: argmax over the cells, the last axis of A.",
        ),
        Mutant(
            "any row's box counts",
            (
                (
                    INSIDE,
                    "hits += any(t <= y < t + high and left <= x < left + wide for t, "
                    "left, high, wide in boxes)",
                ),
            ),
            "You count a hit if the cell lies in the box of any row. Row j belongs to "
            "box j: another row's digit is a miss.",
        ),
        Mutant(
            "averaged over the cells",
            ((SHARE, "return float(hits / len(centres))"),),
            "You divide by the number of cells. It is a share of the rows: len(A).",
        ),
        Mutant(
            "averaged over rows and cells",
            ((SHARE, "return float(hits / A.size)"),),
            "You average over rows and cells. A row has one strongest cell: divide "
            "the hits by the number of rows.",
        ),
        Mutant(
            "number of hits instead of their share",
            ((SHARE, "return float(hits)"),),
            "You return how many rows hit. The exercise asks for their share: divide "
            "by the number of rows.",
        ),
        Mutant(
            "share of misses",
            ((SHARE, "return float(1 - hits / len(A))"),),
            "You return the share of rows that miss.",
        ),
    ),
    laws=(a_share, all_or_none, too_many_or_too_few),
)

ANSWERS = ("right", "misread", "looked at another", "looked nowhere")
NOWHERE = 'if looked_at is None:\n        return "looked nowhere"'
RIGHT = 'if said == meant:\n        return "right"'
LOOKED = 'return "misread" if looked_at == meant else "looked at another"'


def _blame(said: str, meant: str, looked_at: str | None) -> Case:
    """One digit word; the case's name tells the story."""
    where = "on nothing" if looked_at is None else f'on "{looked_at}"'
    return Case(
        f'"{said}" for "{meant}", looking {where}',
        {"said": said, "meant": meant, "looked_at": looked_at},
    )


def one_of_four(seen: Seen) -> str | None:
    """The answers have fixed names."""
    if seen.got["verdict"] in ANSWERS:
        return None
    return f"you return {seen.got['verdict']!r}. The four answers are {', '.join(map(repr, ANSWERS))}, spelt like this."


def right_means_the_right_word(seen: Seen) -> str | None:
    """Right or not is a question of the word alone."""
    said, meant, _ = seen.inputs.values()
    if (seen.got["verdict"] == "right") == (said == meant):
        return None
    if said == meant:
        return "the word is right, so the answer is 'right', wherever it looked: nothing went wrong."
    return "the word is wrong, and you call it right. Compare said with meant."


def the_look_decides(seen: Seen) -> str | None:
    """Among wrong words, where the look went decides."""
    said, meant, looked_at = seen.inputs.values()
    verdict = seen.got["verdict"]
    if (verdict == "looked nowhere") != (looked_at is None and said != meant):
        return "'looked nowhere' is for a wrong word whose strongest cell lies on no digit: looked_at is None."
    if verdict != seen.expected["verdict"]:
        return f"you return {verdict!r}. Misread: it looked at the digit that was meant, and still named another."
    return None


check_misread_or_mislooked = Check(
    name="misread_or_mislooked",
    reference=misread_or_mislooked,
    gives={"verdict": ""},
    task="Write `misread_or_mislooked(said, meant, looked_at)` for one digit word. `said` and `meant` are words; "
    '`looked_at` is the name of the digit that the strongest cell lies on, or None. Return "right" if the word is '
    'right, wherever it looked; otherwise "looked nowhere" if looked_at is None, "misread" if it looked at the digit '
    'that was meant, and "looked at another" if it looked at any other.',
    cases=(
        _blame("two", "two", "two"),
        _blame("two", "three", "three"),
        _blame("two", "three", "two"),
        _blame("two", "three", "seven"),
        _blame("two", "three", None),
        _blame("two", "two", None),
        _blame("two", "two", "seven"),
    ),
    mutants=(
        Mutant(
            "the look asked before the word: nowhere",
            ((RIGHT + "\n    " + NOWHERE, NOWHERE + "\n    " + RIGHT),),
            'A right word gets "looked nowhere" if its strongest cell lies on no digit. Nothing went wrong there: ask '
            "first whether the word is right.",
        ),
        Mutant(
            "the look asked before the word: misread",
            (
                (
                    RIGHT,
                    'if looked_at == meant:\n        return "misread"\n    ' + RIGHT,
                ),
            ),
            'You return "misread" where both the word and the look were right. Ask first whether the word is right.',
        ),
        Mutant(
            "right only if it looked there",
            ((RIGHT, RIGHT.replace("said == meant", "said == meant == looked_at")),),
            "You call a word right only if the look was right, too. The exercise asks "
            "about mistakes: a right word is right, wherever it looked.",
        ),
        Mutant(
            "the look alone decides",
            ((RIGHT, RIGHT.replace("said == meant", "looked_at == meant")),),
            "You call it right if the *look* was right. Compare the word that was "
            "said with the one that was meant.",
        ),
        Mutant(
            "right if it named what it looked at",
            ((RIGHT, RIGHT.replace("said == meant", "said == looked_at")),),
            "You compare the word with what it looked at: a right name for the wrong "
            "digit is a wrong word. Right is said == meant.",
        ),
        Mutant(
            "the look compared with the word said",
            ((LOOKED, LOOKED.replace("looked_at == meant", "looked_at == said")),),
            "You compare the look with the word that was said. It misread if it "
            "looked at the digit that was *meant* and still named another; if it "
            "looked at what it named, it read well and looked at another.",
        ),
        Mutant(
            "the two names swapped",
            ((LOOKED, LOOKED.replace("==", "!=")),),
            'You have "misread" and "looked at another" the wrong way round. Misread means: it looked at the right '
            "digit.",
        ),
        Mutant(
            "another only if it named that one",
            (
                (
                    LOOKED,
                    'return "looked at another" if looked_at == said else "misread"',
                ),
            ),
            'You return "misread" for a look at a third digit, neither meant nor named. It was the wrong digit to look '
            "at: misread is only for a look at the digit that was meant.",
        ),
        Mutant(
            "nothing taken for another digit",
            ((NOWHERE, ""),),
            'You never return "looked nowhere": your code takes None, no digit at all, for another digit. Ask for it '
            "before you compare: looked_at is None.",
        ),
        Mutant(
            "nothing taken for a misreading",
            ((NOWHERE, NOWHERE.replace("looked nowhere", "misread")),),
            'You return "misread" for a wrong word with a look at no digit. That has a name of its own: '
            '"looked nowhere".',
        ),
    ),
    laws=(one_of_four, right_means_the_right_word, the_look_decides),
)
