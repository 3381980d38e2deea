"""The pointing game [zhang2018topdown]: is what is looked at most the thing meant?

    hit_j = the centre of cell argmax_i A_ji lies in box j
    score = mean of hit_j over the rows j

Cells that are equally strong share their row, so attention that prefers nothing gets
exactly the score of chance. A box (top, left, height, width) holds y if top <= y < top
+ height, and x likewise.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Num

from attention_book.shapes import check_finite, check_same, check_shape


def pointing_game(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    margin: float = 0,
) -> float:
    """Share of rows whose strongest cell has its centre in the row's box.

    `centres` are (y, x), `boxes` (top, left, height, width) of what each row's word
    names, in pixels, each grown by `margin` on each side.
    """
    A, centres = _checked_weights(A, centres)
    inside = cells_inside(centres, _checked_boxes("boxes", boxes, len(A)), margin)
    return float((_strongest(A) * inside).sum(axis=1).mean())


def pointing_chance(
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    margin: float = 0,
) -> float:
    """Score that a cell drawn at random, each as likely, is to be expected to get."""
    centres = _checked_centres(centres)
    return float(cells_inside(centres, boxes, margin).mean())


def pointing_elsewhere(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    others: Sequence[Sequence[Sequence[int]]],
    margin: float = 0,
) -> float:
    """Share of rows whose strongest cell is in the box of another thing, not its own.

    `others` are, for each row, the boxes of all other things in its picture; there may
    be none.
    """
    A, centres = _checked_weights(A, centres)
    own = cells_inside(centres, _checked_boxes("boxes", boxes, len(A)), margin)
    check_same("each row needs its boxes", rows_of_A=len(A), rows_of_others=len(others))
    other = np.zeros_like(own)
    for j, row in enumerate(others):
        if len(row):
            other[j] = cells_inside(
                centres, _checked_boxes(f"others[{j}]", row), margin
            ).any(axis=0)
    return float((_strongest(A) * (other & ~own)).sum(1).mean())


def _strongest(A: Float[np.ndarray, "N_rows N_X"]) -> Float[np.ndarray, "N_rows N_X"]:
    """1 at the strongest cell of each row, divided among equals."""
    is_strongest = A.max(axis=1, keepdims=True) == A
    return is_strongest / is_strongest.sum(axis=1, keepdims=True)


def cells_inside(
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N 4"] | Sequence[Sequence[int]],
    margin: float = 0,
) -> Bool[np.ndarray, "N N_X"]:
    """Say which cells have their centre in which box."""
    centres, boxes = _checked_centres(centres), _checked_boxes("boxes", boxes)
    if not (np.isfinite(margin) and margin >= 0):
        raise ValueError(f"margin is {margin}, expected pixels, at least 0")
    low = boxes[:, None, :2] - margin
    high = boxes[:, None, :2] + boxes[:, None, 2:] + margin
    return ((low <= centres) & (centres < high)).all(axis=-1)


def _checked_centres(centres: Num[np.ndarray, "..."]) -> Float[np.ndarray, "N_X 2"]:
    centres = np.asarray(centres, dtype=float)
    check_shape("centres", centres, "N_X 2")
    check_finite("centres", centres)
    return centres


def _checked_weights(
    A: Num[np.ndarray, "..."], centres: Num[np.ndarray, "..."]
) -> tuple[Float[np.ndarray, "N_rows N_X"], Float[np.ndarray, "N_X 2"]]:
    A, centres = np.asarray(A, dtype=float), _checked_centres(centres)
    check_shape("A", A, "N_rows N_X", N_X=len(centres))
    check_finite("A", A)
    return A, centres


def _checked_boxes(
    name: str, boxes: object, N_rows: int | None = None
) -> Float[np.ndarray, "N 4"]:
    boxes = np.asarray(boxes, dtype=float)
    N_rows = max(len(np.atleast_1d(boxes)), 1) if N_rows is None else N_rows
    check_shape(name, boxes, "N_rows 4", N_rows=N_rows)  # top, left, height, width
    check_finite(name, boxes)
    if (boxes[:, 2:] <= 0).any():
        raise ValueError(f"{name} holds a box without height or width")
    return boxes
