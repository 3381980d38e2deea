"""The programs of the "Find the bug" exercises, each a worked solution changed into a mistake of the bug zoo.

The reader's copy stands in the chapter, in the cell with the id `bug`; a test holds the two together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attention_book.exercises import attention, bottleneck, captions
from attention_book.exercises.mutants import Mutant


@dataclass(frozen=True)
class Hunt:
    """A bug to find: the function as it should be, and the change that spoils it."""

    repaired: Callable[..., Any]
    bug: Mutant

    @property
    def broken(self) -> Callable[..., Any]:
        """The program that the reader is given."""
        return self.bug.of(self.repaired)


HUNTS = {
    "01_bottleneck": Hunt(
        bottleneck.write,
        Mutant(
            "decoding starts from another symbol than training",
            changes=(
                (
                    "token = torch.full((len(source),), START)  # what the decoder read first in training, too",
                    "token = torch.zeros(len(source), dtype=torch.long)",
                ),
            ),
            says="Your decoder reads [PAD] first, the word with the id 0. In training it read [START].",
            seen="annotated-transformer 127",
        ),
    ),
    "02_attention": Hunt(
        attention.attend_all,
        Mutant(
            "softmax over the queries, of scores that lie on their side",
            changes=(
                (
                    "E = s @ h.mT  # (N_Y, N_X): a row for each state, so that the last axis counts the inputs",
                    "E = h @ s.mT",
                ),
                ("A = E.softmax(dim=-1)\n", "A = E.softmax(dim=-1).mT\n"),
            ),
            says="Your scores are (N_X, N_Y), so the softmax over their last axis shares each input out among the "
            "states. Turned round afterwards, the columns of A sum to 1, not its rows.",
        ),
    ),
    "03_look_and_say": Hunt(
        captions.encode,
        Mutant(
            "places added along the batch axis",
            changes=(
                (
                    "h = h + model.grid.position  # (N_X, D_H): a row for each cell, the same for every picture",
                    "places = model.grid.position[: len(h)]\n    h = h + places.unsqueeze(1)",
                ),
            ),
            says="Your places go along the batch: all cells of picture 1 get the place of cell 1, those of picture 2 "
            "that of cell 2. Each row of the table belongs to a cell, and all pictures get the same.",
            seen="positional encoding sliced by the wrong axis",
        ),
    ),
}
