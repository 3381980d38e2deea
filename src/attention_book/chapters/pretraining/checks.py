"""`check_masked_word_loss`: BERT's loss, over the words it was chosen to guess."""

from functools import partial

from attention_book.exercises.arrays import mask, numbers, table
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.losses import (
    MISTAKES,
    SAFE,
    TASK,
    cases_of_means,
    laws_of_means,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import word_loss

OWN = read_mistakes(__file__)
logits = partial(numbers, scale=1.5)

check_masked_word_loss = Check(
    name="masked_word_loss",
    reference=word_loss,
    gives={"loss": ""},
    task="Write `masked_word_loss(logits, target, chosen)`, BERT's loss: "
    f"{TASK}`chosen`, bool of shape (B, N_Y), is True at the places that the model has "
    "to guess: most of them were shown as [MASK], some as another word, some as they "
    "are. Return one number, the mean cross-entropy (natural logarithm) over all "
    f"chosen places of the batch. {SAFE} If none was chosen, raise ValueError.",
    cases=cases_of_means(
        "chosen",
        Case(
            "one or two words chosen",
            logits=logits(2, 2, 3, 4),
            target=table("2 0 1; 3 1 2", int),
            chosen=mask("010 101"),
        ),
        Case(
            "a sentence in which nothing was chosen",
            logits=logits(3, 3, 4, 3),
            target=table("0 2 1 1; 1 1 2 0; 2 0 1 2", int),
            chosen=mask("1001 0000 0100"),
        ),
        nothing="nothing chosen",
    ),
    mutants=(*OWN["masked_word_loss"], *MISTAKES["log P"], *MISTAKES["mean"]),
    laws=laws_of_means("chosen"),
)
