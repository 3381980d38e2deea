"""The program of *Find the bug*: a worked solution, changed into a mistake of the zoo."""

from attention_book.chapters.look_and_say import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mutants import Mutant

HUNT = Hunt(
    solutions.encode,
    Mutant(
        "places added along the batch axis",
        changes=(
            (
                "h = h + model.grid.position  # (N_X, D_H): a row for each cell, "
                "the same for every picture",
                "places = model.grid.position[: len(h)]\n    h = h + "
                "places.unsqueeze(1)",
            ),
        ),
        says="Your places go along the batch: all cells of picture 1 get the place of cell 1, those of picture 2 "
        "that of cell 2. Each row of the table belongs to a cell, and all "
        "pictures get the same.",
        seen="positional encoding sliced by the wrong axis",
    ),
)
