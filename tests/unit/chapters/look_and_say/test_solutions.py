"""What the folded answers of chapter 3 count, compare and say."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attention_book import data
from attention_book.chapters.look_and_say import solutions
from attention_book.layers import GridEncoder

SCENE = data.scenes(1, N_digits=(2,), part="test", seed=5)[0]


PALE, GREY, BLACK = IMAGES = np.ones((3, 8, 8)) * [[[0.1]], [[0.5]], [[1]]]
BOXES = (0, 0, 8, 8), (20, 16, 8, 8)
SAYS = ("a", "one", "above", "a", "two")


def scene_of(*images):
    """Images in two boxes, named in that order: a one above a two."""
    picture = np.zeros((32, 32))
    for (top, left, height, width), image in zip(BOXES, images, strict=True):
        picture[top : top + height, left : left + width] = image
    mentions = (None, 0, None, None, 1)
    told = {"caption": SAYS, "digits": (1, 2), "mentions": mentions}
    return replace(SCENE, image=picture, boxes=BOXES, **told)


def test_an_image_is_wrong_where_the_word_for_its_box_is():
    some = [scene_of(PALE, BLACK), scene_of(BLACK, GREY), scene_of(GREY, PALE)]
    said = [
        ("a", "one", "above", "a", "six"),  # black is wrong
        ("a", "nine", "below", "a", "two"),  # black again; below is nobody's word
        ("a", "six", "above", "a", "six"),  # of another form, left out
    ]
    shown, wrong = solutions.shown_and_wrong(some, said, [True, True, False], IMAGES)
    assert shown == {0: 1, 1: 1, 2: 2}
    assert dict(wrong) == {2: 2}


@pytest.mark.parametrize(
    ("shown", "N_wrong", "expected"),
    [
        ({7: 3}, 3, (3, 3)),  # all on one image
        ({4: 1, 5: 1, 6: 1}, 3, (1, 1)),  # no word is drawn twice
        ({4: 5, 5: 1}, 5, (4 + 1 / 6, 5)),  # five of the first: once in six draws
    ],
)
def test_chance_draws_words_not_images(shown, N_wrong, expected):
    mean, most = solutions.unluckiest_by_chance(Counter(shown), N_wrong)
    assert (mean, most) == (pytest.approx(expected[0], abs=0.05), expected[1])


def cells(images):
    return images.flatten(2).mT  # each pixel is a cell: (B, N_X, 1)


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        (lambda h: 0, [0, 0, 0]),
        (lambda h: 3, [0, 0, 3]),  # wrong, but the same in a batch
        (lambda h: torch.arange(len(h))[:, None, None], [0, 1, 1]),  # the slot
        (lambda h: -len(h), [1, 1, 2]),  # the size of the batch
    ],
)
def test_a_picture_in_a_batch_is_compared_with_itself_alone(added, expected):
    model = SimpleNamespace(encode=lambda images: SimpleNamespace(h=cells(images)))

    def program(own, images):
        assert own is model
        return SimpleNamespace(h=cells(images) + added(images))

    images = torch.arange(8.0).view(2, 1, 2, 2)
    assert solutions.differences(model, program, images) == expected


def test_the_answer_on_how_many_convolutions_are_needed_holds():
    """A cell sees all 32 pixels if both borders are within half its field."""
    layers = [(3, 1), (2, 2), (3, 1), (2, 2), (3, 1)]  # convolution, pooling, ...
    assert solutions.receptive_field(layers) == GridEncoder().receptive_field
    centres = GridEncoder().centres[:8, 1]

    def see_all(more):
        reach = solutions.receptive_field([*layers, *[(3, 1)] * more]) / 2
        return sum(centre - reach <= 0 and centre + reach >= 32 for centre in centres)

    assert see_all(2) == 0
    assert 0 < see_all(3) <= see_all(5) < 8
    assert see_all(6) == 8


def test_the_best_single_cell_gets_about_one_in_ten():
    """What the folded answer says of a model that always looks at the same cell."""
    scenes, centres = data.scenes(500, part="test", seed=3), GridEncoder().centres
    some = [box for scene in scenes for box in scene.boxes]
    worst, best = (
        solutions.pointing(np.tile(np.eye(64)[cell], (len(some), 1)), centres, some)
        for cell in (0, 27)
    )
    assert worst < 0.03
    assert 0.07 < best < 0.13


def test_the_image_in_a_box_is_one_of_its_digit():
    images, labels = data.digit_images("test")
    for scene in data.scenes(50, part="test", seed=7):
        found = [solutions.which_image(scene.image, box, images) for box in scene.boxes]
        assert labels[found].tolist() == list(scene.digits)
