"""Chapter 14's checks: what BERT reads, and its loss over the words to guess."""

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

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=masked_word_loss,
    gives={"loss": ""},
    task=f"Write `masked_word_loss(logits, target, chosen)`, BERT's loss: {TASK} over "
    "the places to guess, where `chosen` (B, N_Y) is True; `target` (B, N_Y) holds the "
    "ids of the right words. If no place is chosen, raise ValueError.",
    cases=cases_of_means("chosen"),
    mutants=(*OWN["masked_word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("chosen"),
)


def left_alone(example: Example) -> str | None:
    """Words that are not asked for stay as they are."""
    ids, chosen = example.inputs["ids"], example.inputs["chosen"]
    if (np.asarray(example.got["read"])[~chosen] == ids[~chosen]).all():
        return None
    return "a word that is not asked for has changed: it stays as it is."


EDGES = table("0.8 0.9 0 0.81 0.91; 0.9 0.8 0.05 0.5 0.99")
GIVEN = {  # in the order of the arguments
    "ids": table("5 6 7 8 9; 9 8 7 6 5", int),
    "chosen": mask("11101 11010"),
    "kind": table("0.1 0.85 0.95 0.3 0.82; 0.93 0.79 0.88 0.05 0.97"),
    "others": table("11 12 13 14 15; 16 17 18 19 20", int),
    "mask_id": 3,
}
LOW_IDS = table("12 2 7 1 9; 6 0 4 3 5", int)  # the mask itself, special tokens' ids
AT_THE_EDGES = {"ids": LOW_IDS, "kind": EDGES, "mask_id": 12}

check_hide_words = Check(
    name="hide_words",
    reference=solutions.hide_words,
    gives={"read": "B N"},
    task="Write `hide_words(ids, chosen, kind, others, mask_id)`: what BERT reads, of "
    "the ids (B, N). Where `chosen` (B, N) is True, a word is asked for: with a `kind` "
    "(B, N) below 0.8 `mask_id` takes its place, from 0.8 and below 0.9 the word in "
    "`others` (B, N), and from 0.9 on it stays. Words that are not chosen stay. `ids` "
    "itself stays as it is.",
    cases=(
        Case("half of the words", GIVEN),
        Case(
            "every word, kinds at the edges",
            GIVEN | AT_THE_EDGES | {"chosen": mask("11111 11111")},
        ),
        Case("no word", GIVEN | {"chosen": mask("00000 00000")}),
    ),
    mutants=OWN["hide_words"],
    laws=(left_alone,),
)
