"""`check_cross_attention`: the decoder asks, the encoder is looked at."""

from attention_book.exercises.arrays import drawn, mask, numbers, table
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.families.weights import (
    IN_A_LAYER,
    WITH_LARGE_SCORES,
    calls_attention,
    masking,
)
from attention_book.exercises.laws import (
    laws_of_weights,
    mixes_the_values,
    scaled_by_the_root,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import cross_attention

KNOWN = (*IN_A_LAYER, *WITH_LARGE_SCORES, "visible scores of 0 are hidden")

check_cross_attention = Check(
    name="cross_attention",
    reference=cross_attention,
    gives={"Y": "N_Y D_V", "A": "N_Y N_X"},
    weights=("A",),
    task="Write `cross_attention(S, X, W_Q, W_K, W_V, visible)`: the states S (N_Y, "
    "D_S) look at the encoder's X (N_X, D_X) where `visible` (N_Y, N_X) is True. "
    "Return Y (N_Y, D_V) and the weights A (N_Y, N_X) of scaled dot-product attention. "
    "All but the matrices may have a batch axis in front.",
    # in the first, as many steps as inputs, both of one width: whoever takes one for
    # the other gets numbers, and is told so; then nothing is as wide as another
    cases=(
        Case(
            "as many steps as inputs",
            drawn(1641, S=(4, 3), X=(4, 3), W_Q=(3, 2), W_K=(3, 2), W_V=(3, 3)),
            visible=mask("1101 0111 1010 1110"),
        ),
        Case(
            "fewer inputs than steps",
            drawn(30, S=(5, 4), X=(3, 2), W_Q=(4, 6), W_K=(2, 6), W_V=(2, 7)),
            visible=mask("110 010 100 010 110"),  # the last input is padding
        ),
        Case(
            "a batch of three",
            drawn(50, S=(3, 2, 4), X=(3, 5, 6), W_Q=(4, 7), W_K=(6, 7), W_V=(6, 8)),
            visible=mask("11011 01110 / 01101 11010 / 10110 01101"),
        ),
        Case(
            "a batch of one, with scores of some hundreds",
            S=table("40 1; -40 1; -40 2")[None],
            X=table("19 1 0; 19 2 1; -19 1 2; 0 3 0; 0 0 1")[None],
            W_Q=table("1 0 1 0; 0 2 0 0"),
            W_K=table("1 0 1 0; 0 1 0 0; 0 0 0 1"),
            W_V=numbers(9, 3, 2),
            visible=mask("11100 11000 00011")[None],
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *masking(calls_attention, only=KNOWN),
        *read_mistakes(__file__)["cross_attention"],
    ),
    laws=(
        *laws_of_weights(instead="the steps"),
        scaled_by_the_root(),
        mixes_the_values("X", "W_V"),
    ),
)
