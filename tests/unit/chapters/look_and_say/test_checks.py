"""The solutions of chapter 3 are right; mistakes in another style are named."""

import numpy as np
import pytest
import torch

from attention_book.chapters.look_and_say.checks import (
    check_misread_or_mislooked,
    check_pointing,
    check_receptive_field,
)
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


def no_strides(layers):
    return 1 + sum(kernel - 1 for kernel, _ in layers)


def from_the_wrong_end(layers):
    size = 1
    for kernel, stride in layers:
        size = (size - 1) * stride + kernel
    return size


def own_stride_too(layers):
    strides = np.cumprod([stride for _, stride in layers])
    return 1 + sum(
        (kernel - 1) * step for (kernel, _), step in zip(layers, strides, strict=True)
    )


@pytest.mark.parametrize(
    ("field", "mistake"),
    [
        (no_strides, "multiplied, put its inputs 2 pixels apart"),
        (from_the_wrong_end, "its kernel of 3 adds 2 × 2 pixels"),
        (own_stride_too, "On one layer: you return 7, expected 4"),
        (
            lambda layers: sum(kernel for kernel, _ in layers),
            "Without layers it is 1, a pixel",
        ),
        (
            lambda layers: int(np.prod([stride for _, stride in layers], dtype=int)),
            "The first layer, (kernel, stride), adds its kernel less 1",
        ),
        (
            lambda layers: max([1, *(kernel for kernel, _ in layers)]),
            "On a layer after a stride: you return 5, expected 9",
        ),
        (
            lambda layers: (
                1
                + int(
                    np.prod([kernel * stride for kernel, stride in layers], dtype=int)
                )
            ),
            "On no layer: you return 2, expected 1",
        ),
        (lambda layers: 18 if layers else 1, "On one layer: you return 18, expected 4"),
    ],
)
def test_a_wrong_field_is_named(field, mistake):
    assert mistake in repr(check_receptive_field(field))


def pixels_seen(layers):
    pixels = {0}
    for kernel, stride in layers[::-1]:
        pixels = {p * stride + k for p in pixels for k in range(kernel)}
    return len(pixels)


@pytest.mark.parametrize(
    ("field", "says"),
    [
        (lambda layers: min(receptive_field(layers), 224), "Each of the seven counts"),
        (
            lambda layers: receptive_field([*dict.fromkeys(layers)]),
            "Each of the seven counts, though they are equal",
        ),
        (pixels_seen, "you return 18, expected 26"),
    ],
)
def test_a_field_is_as_wide_as_what_it_spans(field, says):
    assert says in check_receptive_field(field).says


@pytest.mark.parametrize(
    "rounded", [np.rint, np.ceil, lambda centres: np.floor(centres + 0.5)]
)
def test_whoever_rounds_centres_misses_a_box(rounded):
    verdict = check_pointing(lambda A, c, boxes: pointing(A, rounded(c), boxes))
    assert verdict.diagnosis == "centres rounded"


def arrays(A, boxes):
    return np.asarray(A), *np.array(boxes).T


def corners_as_edges(A, centres, boxes):
    A, top, left, bottom, right = arrays(A, boxes)
    y, x = centres[A.argmax(axis=1)].T
    return np.mean((top <= y) & (y < bottom) & (left <= x) & (x < right))


def columns_first(A, centres, boxes):
    strongest = torch.flip(centres[torch.argmax(A, dim=-1)], dims=[1])
    boxes = torch.tensor(boxes)
    inside = (strongest >= boxes[:, :2]) & (strongest < boxes[:, :2] + boxes[:, 2:])
    return inside.all(dim=1).double().mean()


def some_axis(A, centres, boxes):
    boxes = np.array(boxes)
    away = centres[np.argmax(A, axis=1)] - boxes[:, :2]
    return ((away >= 0) & (away < boxes[:, 2:])).any(axis=1).mean()


def both_edges(A, centres, boxes):
    hits = []
    for row, (top, left, height, width) in zip(A.tolist(), boxes, strict=True):
        y, x = centres[row.index(max(row))]
        hits.append(0 <= y - top <= height and 0 <= x - left <= width)
    return hits.count(True) / len(hits)


def mass_in_the_box(A, centres, boxes):
    boxes = np.array(boxes)[:, None]
    inside = (
        (centres >= boxes[..., :2]) & (centres < boxes[..., :2] + boxes[..., 2:])
    ).all(axis=-1)
    return (A * inside).sum() / len(A)


def three_pixels_more(A, centres, boxes):
    return pointing(
        A, centres, [(t - 3, left - 3, h + 6, w + 6) for t, left, h, w in boxes]
    )


@pytest.mark.parametrize(
    ("game", "mistake"),
    [
        (
            corners_as_edges,
            "(top, left, height, width) = (5, 2, 3, 9), holds 5 <= y < 8",
        ),
        (columns_first, "its centre (y, x) at [6. 3.]"),
        (some_axis, "beside the box: the strongest cell has its centre"),
        (both_edges, "On a centre on the lower edge of its box"),
        (
            lambda *looks: round(pointing(*looks) * len(looks[0])),
            "you return 2, but 2 of 3 rows are hits, a share of 0.667",
        ),
        (mass_in_the_box, "You add up the weight"),
        (lambda A, centres, boxes: pointing(-A, centres, boxes), "That is a hit, 1"),
        (three_pixels_more, "2 <= x < 11. That is a miss, 0, and you return 1"),
    ],
)
def test_a_wrong_game_is_named(game, mistake):
    assert mistake in repr(check_pointing(game))


def look_first(said, meant, looked_at):
    match looked_at:
        case None:
            return "looked nowhere"
        case _ if said == meant:
            return "right"
        case _ if looked_at == meant:
            return "misread"
    return "looked at another"


def no_nowhere(said, meant, looked_at):
    return {
        (True, True): "right",
        (True, False): "right",
        (False, True): "misread",
    }.get((said == meant, looked_at == meant), "looked at another")


def as_numbers(said, meant, looked_at):
    words = ["zero", "two", "three", "six", "seven"]
    at = words.index(looked_at) if looked_at else None
    return misread_or_mislooked(said, meant, words[at] if at else None)


def without_the_look(said, meant, looked_at):
    return "right" if said == meant else "misread"


def cache_by_words():
    answers = {}

    def blame(said, meant, looked_at):
        answer = misread_or_mislooked(said, meant, looked_at)
        return answers.setdefault((said, meant), answer)

    return blame


@pytest.mark.parametrize(
    ("blame", "mistake"),
    [
        (look_first, "'right' is due, not 'looked nowhere'. The word is right"),
        (no_nowhere, "looked_at is None, no digit at all"),
        (
            lambda said, meant, looked_at: [
                "looked at another",
                "misread",
                "looked nowhere",
                "right",
            ][3 if said == meant else 2 if looked_at is None else looked_at == said],
            "You compare the look with the word that was said",
        ),
        (
            lambda said, meant, looked_at: misread_or_mislooked(
                said, meant, looked_at
            ).title(),
            "'Right' is none of the four texts: 'right', 'misread',",
        ),
        (as_numbers, "looked_at is 'zero', a digit like any other: ask `is None`"),
        (without_the_look, "For these two words you say so wherever it looked"),
        (cache_by_words(), "For these two words you say so wherever it looked"),
        (
            lambda said, meant, looked_at: misread_or_mislooked(
                said[0], meant[0], looked_at and looked_at[0]
            ),
            "'two' is not 'three': a wrong word, wherever it looked",
        ),
        (
            lambda said, meant, looked_at: misread_or_mislooked(
                said, meant, said if looked_at else None
            ),
            "It looked at the digit that was *meant*",
        ),
    ],
)
def test_wrong_blame_is_named(blame, mistake):
    assert mistake in repr(check_misread_or_mislooked(blame))
