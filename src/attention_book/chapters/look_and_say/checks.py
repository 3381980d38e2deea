"""What a cell sees, what a look hits, and what went wrong with a word."""

from attention_book.chapters.look_and_say import solutions
from attention_book.exercises.arrays import table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)


def what_the_last_layer_adds(example: Example) -> str | None:
    """The cases grow layer by layer: the first wrong one shows what a layer adds."""
    layers, size = example.inputs["layers"], example.got["size"]
    due = example.expected["size"]
    *below, (kernel, _) = layers or [(1, 1)]
    if size == due:
        return None
    if not below:
        why = (
            "along one side. Without layers it is 1, a pixel. The first layer, "
            "(kernel, stride), adds its kernel less 1; its stride stretches only the "
            "layers after it."
        )
        return f"you return {size:g}, expected {due}, {why}"
    step = " × ".join(str(stride) for _, stride in below)
    why = (
        f"The strides before the last layer, multiplied, put its inputs {step} pixels "
        f"apart, so that its kernel of {kernel} adds {kernel - 1} × {step} pixels, "
        "gaps included."
    )
    if len(layers) > 3:
        why = (
            "Each of the seven counts, though they are equal, and no picture's border "
            "ends a field."
        )
    return f"you return {size:g}, expected {due}. {why}"


check_receptive_field = Check(
    name="receptive_field",
    reference=solutions.receptive_field,
    gives={"size": ""},
    task="Write `receptive_field(layers)`, of (kernel, stride) from the picture up: "
    "how many pixels an entry after the last layer spans, along one side, with gaps.",
    cases=(
        Case("no layer", layers=[]),
        Case("one layer", layers=[(4, 2)]),
        Case("a layer after a stride", layers=[(5, 2), (3, 1)]),
        Case("a layer after two strides", layers=[(2, 3), (3, 2), (4, 1)]),
        Case("seven equal layers", layers=[(3, 2)] * 7),
        Case("a layer after a 1 × 1 layer", layers=[(3, 1), (1, 2), (3, 1)]),
    ),
    laws=(what_the_last_layer_adds,),
)


def row_by_row(example: Example) -> str | None:
    """Say of a single look where its strongest cell and its box lie; else count."""
    A, centres, boxes = example.inputs.values()
    share, due = float(example.got["share"]), example.expected["share"]
    if abs(share - due) < 1e-3:
        return None
    if len(A) == 1 and share in (0, 1):
        top, left, height, width = boxes[0]
        return (
            f"the strongest cell has its centre (y, x) at {centres[A[0].argmax()]}. "
            f"Its box, (top, left, height, width) = {boxes[0]}, holds {top} <= y < "
            f"{top + height}, {left} <= x < {left + width}. That is a "
            f"{'hit' if due else 'miss'}, {due:g}, and you return {share:g}."
        )
    return (
        f"you return {share:.3g}, but {due * len(A):.0f} of {len(A)} rows are hits, "
        f"a share of {due:.3g}: each counts 1 or 0, by its own strongest cell and its "
        f"own box. Divide their sum by the number of rows, {len(A)}."
    )


WEIGHTS = table(
    ".10 .12 .08 .45 .15 .10;"  # cell 3, at (6, 3)
    ".05 .40 .25 .10 .15 .05;"  # cell 1, at (2.5, 9.5)
    ".20 .05 .30 .15 .20 .10"  # cell 2, at (2, 15)
)
BOXES = {
    "a look into its box": "5 2 3 9",
    "a look into the right rows, but beside the box": "5 9 3 4",
    "a look into the right columns, but below the box": "0 2 5 9",
    "a centre on the near edges of its box": "6 3 2 4",
    "a centre on the lower edge of its box": "2 1 4 5",
    "a centre on the right edge of its box": "4 1 5 2",
    "a look into a large box": "0 0 9 12",
    "three looks, the first a miss": "1 13 9 4; 1 8 3 6; 0 0 9 18",
    "two looks, one between two pixels": "5 2 3 9; 1 6 3 4",
}


def _weights_case(name: str, text: str) -> Case:
    """As many looks as boxes, which are tuples of whole numbers, as in a scene."""
    boxes = [tuple(map(int, box.split())) for box in text.split(";")]
    centres = table("2 3; 2.5 9.5; 2 15; 6 3; 6 9; 6 15")
    return Case(name, A=WEIGHTS[: len(boxes)], centres=centres, boxes=boxes)


check_pointing = Check(
    name="pointing",
    reference=solutions.pointing,
    gives={"share": ""},
    task="Write `pointing(A, centres, boxes)`, of weights A (N_rows, N_X), the cells' "
    "centres (y, x) and a box (top, left, height, width) for each row: the share of "
    "rows whose strongest cell has its centre in its box, top <= y < top + height ...",
    cases=[_weights_case(name, boxes) for name, boxes in BOXES.items()],
    mutants=MISTAKES["pointing"],
    laws=(row_by_row,),
)

WHY = {
    "right": "The word is right, wherever it looked: ask first whether said == meant.",
    "misread": "It looked at the digit that was *meant*, and still named another.",
    "looked at another": "It looked at a digit that was not meant, whether it named "
    "that one or a third.",
    "looked nowhere": "attended is None, no digit at all: ask before you compare.",
}


def the_word_and_then_the_look(example: Example) -> str | None:
    """Right or not is a question of the word; among wrong words the look decides."""
    verdict, due = example.got["verdict"], example.expected["verdict"]
    said, meant, attended = example.inputs.values()
    if verdict == due:
        return None
    if verdict not in WHY:
        return f"{verdict!r} is none of the four texts: {', '.join(map(repr, WHY))}."
    alike = {it.got["verdict"] for it in example.among if it.inputs["meant"] == meant}
    why = WHY[due]
    if verdict == "right":
        why = f"{said!r} is not {meant!r}: a wrong word, wherever it looked."
    elif verdict == "looked nowhere" and attended is not None:
        why = f"attended is {attended!r}, a digit like any other: ask `is None`."
    elif due != "right" and alike == {verdict}:
        why = "For these two words you say so wherever it looked: ask attended anew."
    return f"{due!r} is due, not {verdict!r}. {why}"


def _word(said: str, meant: str, at: str) -> Case:
    attended = None if at == "nowhere" else at
    name = f'"{said}" for "{meant}", at {attended}'
    return Case(name, said=said, meant=meant, attended=attended)


check_misread_or_mislooked = Check(
    name="misread_or_mislooked",
    reference=solutions.misread_or_mislooked,
    gives={"verdict": ""},
    task="Write `misread_or_mislooked(said, meant, attended)` for a digit word: "
    '"right", wherever it looked; else "looked nowhere" (attended is None), "misread" '
    '(it looked at what was meant) or "looked at another".',
    # Taken apart here, no two words are one object in memory.
    cases=[
        _word(*f"two {meant} {at}".split())
        for meant in ("two", "three", "zero")
        for at in ("two", "three", "zero", "nowhere")
    ],
    mutants=MISTAKES["misread_or_mislooked"],
    laws=(the_word_and_then_the_look,),
)
