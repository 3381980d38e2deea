"""Scenes: one to three handwritten digits in a picture, and the caption that says what
is where.

    one      a three
    two      a three above a seven          the upper one first, or "left of", the left
                                            one first: by the larger of the two offsets
    three    a three , a five and a two     from left to right

*One scene, one caption.* The order of mention follows from the picture: else comparing
word for word would mean nothing. *What decides is visible*: two left edges, or the
larger and the smaller offset, differ by at least `MARGIN` pixels. Digits never overlap.

*The article is always "a"*, for an eight too: no word but a digit's own name depends on
which digit it is, and so its gold place to look at is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_choice, check_count, check_filled

from .digits import DIGIT_SIDE, PARTS, digit_images
from .vocabulary import Vocabulary

DIGIT_NAMES = (
    *("zero", "one", "two", "three", "four"),
    *("five", "six", "seven", "eight", "nine"),
)
SCENE_SIDE = 32  # pixels
MARGIN = 2  # pixels by which an order must be visible
NOISE = 0.05  # standard deviation, where 1 is ink
MOST_DIGITS = 3
BRUSH = 0.6  # pixels; strokes twice as wide have as much ink as the images of digits
FURTHEST = SCENE_SIDE - DIGIT_SIDE  # the last row and column where a digit can start


@dataclass(frozen=True, eq=False)  # arrays do not compare to one truth value
class Scene:
    """A picture of some digits, its caption, and where the caption's digits are."""

    # 0 is paper, 1 is ink, with a little Gaussian noise, which may leave that range
    image: Float[np.ndarray, "32 32"]
    caption: tuple[str, ...]
    boxes: tuple[tuple[int, int, int, int], ...]  # top, left, height, width in pixels
    digits: tuple[int, ...]  # 0 to 9, one a box
    mentions: tuple[int | None, ...]  # which box each word of the caption names


def scene_vocabulary() -> Vocabulary:
    """Every word of every caption."""
    return Vocabulary([*DIGIT_NAMES, "a", "above", "left", "of", "and", ","])


def scenes(
    n: int, *, N_digits: Sequence[int] = (2, 3), part: str = "train", seed: int
) -> tuple[Scene, ...]:
    """Draw scenes: always the same, and with a smaller `n` the first of them.

    Parameters
    ----------
    N_digits : sequence of int
        How many digits a scene has: one of these, each as likely; 1 to 3.
    part : {"train", "test"}
        Whose images are used.
    """
    check_count("n", n, 0)
    return tuple(islice(endless_scenes(N_digits, part, seed), n))


def endless_scenes(N_digits: Sequence[int], part: str, seed: int) -> Iterator[Scene]:
    """Scenes without end, of which `scenes` gives the first; see there."""
    if isinstance(N_digits, int):
        raise TypeError(
            f"N_digits must be a sequence of ints, got {N_digits}: write ({N_digits},)"
        )
    check_filled("N_digits", N_digits, "count of digits")
    for i, count in enumerate(N_digits):
        check_count(f"N_digits[{i}]", count, 1, MOST_DIGITS)
    return _draws(tuple(N_digits), part, _generator(part, seed))


def specimens() -> dict[str, Float[np.ndarray, "8 8"]]:
    """Give one unseen image of each digit that is easy to read: the second there is."""
    images, labels = digit_images("test")
    return {name: images[labels == d][1] for d, name in enumerate(DIGIT_NAMES)}


def compose(
    placed: Sequence[tuple[int, int, int]], *, part: str = "test", seed: int
) -> Scene:
    """The scene with these digits at these places.

    Parameters
    ----------
    placed : sequence of (digit, top, left)
        One to three digits, 0 to 9, and the row and column, 0 to 24, of each one's
        upper left pixel.
    part : {"train", "test"}
        Whose images are used.
    seed : int
        Decides which image of each digit is used, and the noise.

    Raises
    ------
    ValueError
        If digits overlap, or the order in which the caption must name them is not
        visible.
    """
    rng = _generator(part, seed)
    if not 1 <= len(placed) <= MOST_DIGITS:
        raise ValueError(
            f"placed holds {len(placed)} digits: expected 1 to {MOST_DIGITS}"
        )
    for i, one in enumerate(placed):
        if not isinstance(one, tuple) or len(one) != 3:
            raise ValueError(f"placed[{i}] is {one!r}: expected (digit, top, left)")
        for name, value, most in zip(
            ("digit", "top", "left"), one, (9, FURTHEST, FURTHEST), strict=True
        ):
            check_count(f"the {name} of placed[{i}]", value, 0, most)
    places = [(top, left) for _, top, left in placed]
    if problem := _problem(places):
        raise ValueError(problem)
    images, labels = digit_images(part)
    digits = [digit for digit, _, _ in placed]
    return _scene(
        images[[rng.choice(np.flatnonzero(labels == digit)) for digit in digits]],
        digits,
        places,
        rng,
    )


def _generator(part: str, seed: int) -> np.random.Generator:
    check_choice("part", part, PARTS)
    check_count("seed", seed, 0)
    # a seed's test scenes are not its training scenes
    return np.random.default_rng([PARTS.index(part), seed])


def _draws(
    N_digits: tuple[int, ...], part: str, rng: np.random.Generator
) -> Iterator[Scene]:
    images, labels = digit_images(part)
    while True:
        count = N_digits[rng.integers(len(N_digits))]
        places = _places(count, rng)
        # all places anew: what is left has every allowed layout equally often
        while _problem(places):
            places = _places(count, rng)
        chosen = rng.integers(len(images), size=count)
        yield _scene(images[chosen], labels[chosen].tolist(), places, rng)


def _places(count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    return [*map(tuple, rng.integers(FURTHEST + 1, size=(count, 2)).tolist())]


def _problem(places: Sequence[tuple[int, int]]) -> str | None:
    """Say why digits at these places (top, left) have no caption, if they have none."""
    for (i, (top, left)), (j, (other_top, other_left)) in combinations(
        enumerate(places), 2
    ):
        rows, columns = abs(top - other_top), abs(left - other_left)
        if max(rows, columns) < DIGIT_SIDE:
            return (
                f"placed[{i}] and placed[{j}] overlap: they are {rows} rows and "
                f"{columns} columns apart, expected at least {DIGIT_SIDE} of either"
            )
        if len(places) == 2 and abs(rows - columns) < MARGIN:
            return (
                f"placed[{i}] and placed[{j}] are {rows} rows and {columns} columns "
                "apart, so neither above nor left of is plain: expected the two to "
                f"differ by at least {MARGIN}"
            )
        if len(places) == 3 and columns < MARGIN:
            return (
                f"placed[{i}] and placed[{j}] are {columns} columns apart, so which is "
                f"further left is not plain: expected at least {MARGIN}"
            )
    return None


def _order(
    places: Sequence[tuple[int, int]],
) -> tuple[list[int], tuple[tuple[str, ...], ...]]:
    """In which order the digits are named, and the words between their names."""
    axis = 1
    joints: tuple[tuple[str, ...], ...] = ((",",), ("and",))
    if len(places) == 2:
        (top, left), (other_top, other_left) = places
        is_vertical = abs(top - other_top) > abs(left - other_left)
        axis, joints = (0, (("above",),)) if is_vertical else (1, (("left", "of"),))
    return sorted(range(len(places)), key=lambda i: places[i][axis]), joints


def _scene(
    images: Float[np.ndarray, "N 8 8"],
    digits: list[int],
    places: list[tuple[int, int]],
    rng: np.random.Generator,
) -> Scene:
    image = NOISE * rng.standard_normal((SCENE_SIDE, SCENE_SIDE), dtype=np.float32)
    for digit, (top, left) in zip(images, places, strict=True):
        image[top : top + DIGIT_SIDE, left : left + DIGIT_SIDE] += digit
    order, joints = _order(places)
    words: list[str] = []
    mentions: list[int | None] = []
    for place, i in enumerate(order):
        between = joints[place - 1] if place else ()
        words += [*between, "a", DIGIT_NAMES[digits[i]]]
        mentions += [None] * (len(between) + 1) + [i]
    boxes = tuple((top, left, DIGIT_SIDE, DIGIT_SIDE) for top, left in places)
    return Scene(image, tuple(words), boxes, tuple(digits), tuple(mentions))
