"""Laws speak for what nobody has recorded, and are silent where all is well."""

import numpy as np
import pytest

from attention_book.exercises import laws
from attention_book.exercises.arrays import mask, table
from attention_book.exercises.cases import Example


def readings(N, D):
    return [
        (N * D, {"You count one input only.": D, "You leave out the inputs.": 0}),
        (D * D, {"You count W for every input.": N * D * D, "No W.": 0}),
        (0, {"You count the biases.": N}),
    ]


COUNTED = laws.Counted("work", readings, hint="Count each product.")


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (3 * 7 + 7 * 7, None),
        (7 + 7 * 7, "You count one input only."),
        (7 * 7, "You leave out the inputs."),
        (3 * 7 + 3 * 7 * 7, "You count W for every input."),
        (3, "work is off: you get 3. Count each product."),
        (7 + 7 * 7 + 3, "You count one input only. You count the biases."),
        (5, "work is off: you get 5. Count each product."),
    ],
)
def test_a_count_is_taken_apart(count, says):
    example = Example({"N": 3, "D": 7}, {"work": count}, {"work": 70})
    assert COUNTED(example) == says


def test_an_explanation_holds_for_every_example():
    by_chance, other = (
        Example({"N": N, "D": D}, {"work": 20}, {"work": N * D + D * D})
        for N, D in ((6, 4), (3, 7))
    )
    assert COUNTED(by_chance) == "You count one input only."
    says = COUNTED(by_chance._replace(among=(by_chance, other)))
    assert says == "work is off: you get 20. Count each product."


def weights(text):
    A = table(text)
    return Example({"visible": mask("110 011")}, {"A": A}, {"A": A})


@pytest.mark.parametrize(
    ("A", "says"),
    [
        (".5 .5 0; 0 .2 .8", None),
        ("0 0 1; 1 0 0", "all weight of A lies on what is hidden"),
        ("1.5 -.5 0; 0 0 1", "A holds -0.500"),
        ("1 .4 0; 0 .6 1", "A sums to 1 over the queries, each column"),
        (".2 .3 0; 0 .2 .3", "all of A together sums to 1"),
        (".5 .6 0; 0 .2 .8", "a row of A sums to 1.100"),
        ("0 0 0; 0 .2 .8", "a row of A is all 0: exp of each of its scores vanished"),
        (".5 .5 0; 0 0 0", "the last row of A is all 0: was it ever filled?"),
        ("0 0 0; 0 0 0", "a row of A sums to 0.000"),
        (".5 .4 .1; 0 .2 .8", "A gives 0.1 to an input that is not visible"),
    ],
)
def test_weights_keep_their_laws(A, says):
    said = [law(weights(A)) for law in laws.laws_of_weights()]
    spoken = next(filter(None, said), None)
    assert spoken is None if says is None else says in spoken


def test_weights_follow_their_scores():
    law = laws.ratios_are_exp("A", lambda it: np.log(table("1 1 9; 9 1 4")))
    assert law(weights(".5 .5 0; 0 .2 .8")) is None
    assert "with the ratio 1.5, expected 1" in law(weights(".6 .4 0; 0 .2 .8"))


def test_arrays_are_read():
    assert table("1 -inf").tolist() == [1, -np.inf]
    assert table("1 2; 3 4 / 5 6; 7 8", int).tolist() == [
        [[1, 2], [3, 4]],
        [[5, 6], [7, 8]],
    ]
    assert mask("10").tolist() == [True, False]
    assert mask("10 11").shape == (2, 2)
    assert mask("10 11 01 / 11 11 00").shape == (2, 3, 2)
