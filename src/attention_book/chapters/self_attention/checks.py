"""`check_self_attention`: one sequence asks, is looked at, and is taken from."""

from attention_book.exercises.arrays import drawn, mask
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families import weights
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import laws_of_weights, mixes_the_values
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import self_attention

check_self_attention = Check(
    name="self_attention",
    reference=self_attention,
    gives={"Y": "N_X D_V", "A": "N_X N_X"},
    task="Write `self_attention(X, W_Q, W_K, W_V, visible)`: how the inputs "
    "X (N_X, D_X) attend to each other by X W_Q, X W_K (width D_Q) and X W_V (D_V). "
    "visible[i, j]: i may look at j. Return Y (N_X, D_V) and the weights A (N_X, N_X).",
    cases=(
        Case(
            "masks that differ from input to input",
            drawn(2589, X=(2, 4, 3), W_Q=(3, 2), W_K=(3, 2), W_V=(3, 3)),
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "values as wide as keys",
            drawn(2906, scale=0.6, X=(2, 3, 6), W_Q=(6, 4), W_K=(6, 4), W_V=(6, 4)),
            visible=mask("110 011 101 / 101 110 011"),
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *weights.masking(weights.calls_attention, only=weights.IN_A_LAYER),
        *read_mistakes(__file__)["self_attention"],
    ),
    laws=(*laws_of_weights(instead="those who ask"), mixes_the_values("X", "W_V")),
    batch=("X", "visible"),
    forms=("single", "batched"),
)
