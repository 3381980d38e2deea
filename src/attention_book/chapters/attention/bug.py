"""The program of *Find the bug*: a worked solution, changed into a mistake of the zoo."""

from attention_book.chapters.attention import solutions
from attention_book.exercises.hunts import Hunt
from attention_book.exercises.mutants import Mutant

HUNT = Hunt(
    solutions.attend_all,
    Mutant(
        "softmax over the queries, of scores that lie on their side",
        changes=(
            (
                "E = s @ h.mT  # (N_Y, N_X): a row for each state, so that the "
                "last axis counts the inputs",
                "E = h @ s.mT",
            ),
            ("A = E.softmax(dim=-1)\n", "A = E.softmax(dim=-1).mT\n"),
        ),
        says="Your scores are (N_X, N_Y), so the softmax over their last axis shares each input out among the "
        "states. Turned round afterwards, the columns of A sum to 1, not its rows.",
    ),
)
