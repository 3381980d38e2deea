"""The solutions a reader unfolds in chapter 3 are right."""

import pytest

from attention_book.exercises.captions import cells_inside, misread_or_mislooked, receptive_field
from attention_book.layers import GridEncoder

LAYERS = [(3, 1), (2, 2), (3, 1), (2, 2), (3, 1)]  # convolution, pooling, ...


def test_the_receptive_field_is_the_encoders():
    assert receptive_field(LAYERS) == GridEncoder().receptive_field
    assert receptive_field([]) == 1
    assert receptive_field([(5, 2), (3, 1)]) == 9


def test_cells_inside_are_those_whose_centre_lies_in_the_box():
    centres = GridEncoder().centres
    inside = cells_inside(centres, (3, 9, 8, 8))
    assert {tuple(centre) for centre in centres[inside]} == {(6.0, 10.0), (6.0, 14.0), (10.0, 10.0), (10.0, 14.0)}


@pytest.mark.parametrize(
    ("said", "meant", "looked_at", "verdict"),
    [
        ("two", "two", None, "right"),
        ("two", "three", "three", "misread"),
        ("two", "three", "two", "looked at another"),
        ("two", "three", None, "looked nowhere"),
    ],
)
def test_a_mistake_is_named_by_where_it_was_looked(said, meant, looked_at, verdict):
    assert misread_or_mislooked(said, meant, looked_at) == verdict
