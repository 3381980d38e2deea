"""The solutions of chapter 3 are right, and what its text says of them holds."""

import numpy as np
import pytest

from attention_book.chapters.look_and_say.solutions import (
    misread_or_mislooked,
    pointing,
    receptive_field,
    which_image,
)
from attention_book.data import digit_images, scenes
from attention_book.layers import GridEncoder
from attention_book.metrics import pointing_game

LAYERS = [(3, 1), (2, 2), (3, 1), (2, 2), (3, 1)]  # convolution, pooling, ...


def test_the_receptive_field_is_the_encoders():
    assert receptive_field(LAYERS) == GridEncoder().receptive_field
    assert receptive_field([]) == 1
    assert receptive_field([(5, 2), (3, 1)]) == 9


def test_the_answer_on_how_many_convolutions_are_needed_holds():
    """A cell sees all 32 pixels if both borders are within half its field."""
    centres = GridEncoder().centres[:8, 1]

    def see_all(more):
        reach = receptive_field([*LAYERS, *[(3, 1)] * more]) / 2
        return sum(centre - reach <= 0 and centre + reach >= 32 for centre in centres)

    assert see_all(2) == 0
    assert 0 < see_all(3) < 8
    assert see_all(5) < 8
    assert see_all(6) == 8


def test_pointing_is_the_game_of_the_metrics():
    rng, centres = np.random.default_rng(0), GridEncoder().centres
    A, boxes = (
        rng.dirichlet(np.ones(64), size=200),
        [(*corner, 8, 8) for corner in rng.integers(25, size=(200, 2)).tolist()],
    )
    assert (
        0
        < pointing(A, centres, boxes)
        == pytest.approx(pointing_game(A, centres, boxes))
    )


def test_the_best_single_cell_gets_about_one_in_ten():
    """What the folded answer says of a model that always looks at the same cell."""
    some = [box for scene in scenes(500, part="test", seed=3) for box in scene.boxes]
    shares = [
        pointing(np.tile(np.eye(64)[cell], (len(some), 1)), GridEncoder().centres, some)
        for cell in (0, 27)
    ]
    assert shares[0] < 0.03
    assert 0.07 < shares[1] < 0.13


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


def test_the_image_in_a_box_is_one_of_its_digit():
    images, labels = digit_images("test")
    for scene in scenes(50, part="test", seed=7):
        found = [which_image(scene.image, box, images) for box in scene.boxes]
        assert labels[found].tolist() == list(scene.digits)
