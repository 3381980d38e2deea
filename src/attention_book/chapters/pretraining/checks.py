"""Chapter 14's checks: BERT's input, and its loss over the words to predict."""

import numpy as np

from attention_book.chapters.pretraining import solutions
from attention_book.exercises.arrays import mask, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.losses import (
    MISTAKES,
    TASK,
    cases_of_means,
    laws_of_means,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import masked_word_loss

OWN = read_mistakes(__file__)

SURE = {
    "logits": table(
        "0 1 0 2 1; 1 0 0 0 2; 2 0 1 0 0 / 900 1 0 0 2; 0 2 1 0 0; 1 0 0 950 0 / "
        "1 0 2 0 0; 0 0 1 0 2; 0 2 0 1 0"
    ),
    "target": table("2 0 1; 0 4 3; 1 2 4", int),
    "chosen": mask("000 111 000"),
}

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=masked_word_loss,
    gives={"loss": ""},
    task=f"Write `masked_word_loss(logits, target, chosen)`, BERT's loss: {TASK} over "
    "the positions to predict, where `chosen` (B, N_Y) is True; `target` (B, N_Y) "
    "holds the ids of the right words. If no position is chosen, raise ValueError.",
    cases=(
        *cases_of_means("chosen"),
        Case("guesses in one of three sentences", SURE),
        Case("a single sure guess", SURE | {"chosen": mask("000 001 000")}),
    ),
    mutants=(*OWN["masked_word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("chosen"),
)


RULES = {  # what becomes of a word whose kind is below the number
    80: "below 80, so it is `mask_id`",
    90: "from 80 to 89, so it is the word in `others`",
    100: "from 90 on, so it stays",
}


def as_its_kind_says(example: Example) -> str | None:
    """Name a wrong word, and its rule: first one that is not chosen."""
    chosen, kinds = example.inputs["chosen"], example.inputs["kind"]
    got, due = example.got["read"], example.expected["read"]
    if got.dtype == bool:
        return "read holds True and False, expected ids."
    b, n = min(np.argwhere(got != due).tolist(), key=lambda place: chosen[*place])
    is_so, kind = f"read[{b}, {n}] is {got[b, n]:g}. This word is", kinds[b, n]
    if not chosen[b, n]:
        return f"{is_so} not chosen, so it stays: {due[b, n]}."
    rule = next(says for below, says in RULES.items() if kind < below)
    return f"{is_so} chosen, and its kind is {kind}, {rule}: {due[b, n]}."


EDGES = table("80 90 0 89 99; 90 80 79 50 91", int)
GIVEN = {  # in the order of the arguments
    "ids": table("5 6 30521 8 9; 9 8 7 9 5", int),  # of two words 9, one stays
    "chosen": mask("11101 11011"),
    "kind": table("10 85 95 30 82; 93 79 88 5 83", int),
    "others": table("5 12 13 14 15; 16 17 18 19 20", int),
    "mask_id": 3,
}
LOW_IDS = table("12 2 7 1 9; 6 0 4 3 5", int)  # the mask itself, special tokens' ids
AT_THE_EDGES = {"ids": LOW_IDS, "kind": EDGES, "mask_id": 12}

check_hide_words = Check(
    name="hide_words",
    reference=solutions.hide_words,
    gives={"read": "B N"},
    task="Write `hide_words(ids, chosen, kind, others, mask_id)`: BERT's input (B, N), "
    "made of the `ids` (B, N). Where `chosen` (B, N) is True, BERT has to predict the "
    "word. The word's `kind` (B, N), a whole number from 0 to 99, decides what BERT "
    "gets in its place: below 80 `mask_id`, from 80 to 89 the word in `others` (B, N), "
    "and from 90 on the word itself. Words that are not chosen stay. `ids` itself "
    "stays as it is.",
    cases=(
        Case("some of the words", GIVEN),
        Case(
            "every word, low ids, kinds at the edges",
            GIVEN | AT_THE_EDGES | {"chosen": mask("11111 11111")},
        ),
        Case("no word", GIVEN | {"chosen": mask("00000 00000")}),
    ),
    mutants=OWN["hide_words"],
    laws=(as_its_kind_says,),
)
