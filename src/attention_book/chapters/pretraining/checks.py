"""`check_masked_word_loss`: BERT's loss, over the words it was chosen to guess."""

from attention_book.exercises.checking import Check
from attention_book.exercises.families.losses import (
    MISTAKES,
    TASK,
    cases_of_means,
    laws_of_means,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import word_loss

OWN = read_mistakes(__file__)

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task=f"Write `masked_word_loss(logits, target, chosen)`, BERT's loss: {TASK} over "
    "the places to guess, where `chosen` (B, N_Y) is True; `target` (B, N_Y) holds the "
    "ids of the right words. If no place is chosen, raise ValueError.",
    cases=cases_of_means("chosen"),
    mutants=(*OWN["masked_word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("chosen"),
)
