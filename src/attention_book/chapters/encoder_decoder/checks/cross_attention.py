"""`check_cross_attention`: the decoder asks, the encoder is looked at."""

from attention_book.exercises.arrays import drawn, mask
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.families.weights import (
    IN_A_LAYER,
    calls_attention,
    masking,
)
from attention_book.exercises.laws import laws_of_weights, mixes_the_values
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import cross_attention

check_cross_attention = Check(
    name="cross_attention",
    reference=cross_attention,
    gives={"Y": "N_Y D_V", "A": "N_Y N_X"},
    task="Write `cross_attention(S, X, W_Q, W_K, W_V, visible)`: the states S (N_Y, "
    "D_S) look at the encoder's X (N_X, D_X) where `visible` (N_Y, N_X) is True. "
    "Return Y (N_Y, D_V) and the weights A (N_Y, N_X) of scaled dot-product attention.",
    # as many steps as inputs, and both of one width: whoever takes one for the other
    # gets numbers, and is told so
    cases=(
        Case(
            "as many steps as inputs",
            drawn(1641, S=(2, 4, 3), X=(2, 4, 3), W_Q=(3, 2), W_K=(3, 2), W_V=(3, 3)),
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "fewer inputs than steps",
            drawn(30, S=(2, 3, 2), X=(2, 2, 2), W_Q=(2, 3), W_K=(2, 3), W_V=(2, 4)),
            visible=mask("11 01 10 / 10 11 01"),
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *masking(calls_attention, only=IN_A_LAYER),
        *read_mistakes(__file__)["cross_attention"],
    ),
    laws=(*laws_of_weights(instead="the steps"), mixes_the_values("X", "W_V")),
    batch=("S", "X", "visible"),
    forms=("single", "batched"),
)
