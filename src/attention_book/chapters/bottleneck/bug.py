"""The program of *Find the bug*: a worked solution, changed into a mistake of the zoo."""

from attention_book.chapters.bottleneck import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mutants import Mutant

HUNT = Hunt(
    solutions.write,
    Mutant(
        "decoding starts from another symbol than training",
        changes=(
            (
                "token = torch.full((len(source),), START)  # what the decoder "
                "read first in training, too",
                "token = torch.zeros(len(source), dtype=torch.long)",
            ),
        ),
        says="Your decoder reads [PAD] first, the word with the id 0. In training it read [START].",
        seen="annotated-transformer 127",
    ),
)
