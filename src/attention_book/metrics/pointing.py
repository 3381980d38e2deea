"""The pointing game [zhang2018topdown]: does the place that is looked at most lie on
the thing that is meant?

    hit_j = the centre of cell argmax_i A_ji lies in box j,      score = mean over the rows j

Only the strongest cell counts. Cells that are equally strong share their row, so
attention that prefers nothing gets exactly the score of chance. A box (top, left,
height, width) holds y if top <= y < top + height, and x likewise, so that a centre on
the border of two boxes lies in one of them.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Num


def pointing_game(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    margin: float = 0,
) -> float:
    """Share of rows whose strongest cell has its centre in the row's box.

    Parameters
    ----------
    A : (N_rows, N_X)
        Attention weights: a row for each word that names something.
    centres : (N_X, 2)
        The cells' centres (y, x), in pixels.
    boxes : (N_rows, 4)
        The box (top, left, height, width) of what each row's word names, in pixels.
    margin : float
        Pixels by which every box is grown on each side.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        If shapes do not fit, there are no rows or no cells, a number is not finite, a
        box has no inside, or the margin is below 0.
    """
    A, centres = _checked_weights(A, centres)
    return float(
        (
            _strongest(A)
            * cells_inside(centres, _checked_boxes("boxes", boxes, len(A)), margin)
        )
        .sum(1)
        .mean()
    )


def pointing_chance(
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    margin: float = 0,
) -> float:
    """Score that a cell drawn at random, each as likely, is to be expected to get.

    Parameters
    ----------
    centres, boxes, margin
        As in `pointing_game`.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        As `pointing_game`.
    """
    centres = _checked_centres(centres)
    return float(cells_inside(centres, boxes, margin).mean())


def pointing_elsewhere(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Num[np.ndarray, "N_X 2"],
    boxes: Num[np.ndarray, "N_rows 4"] | Sequence[Sequence[int]],
    others: Sequence[Sequence[Sequence[int]]],
    margin: float = 0,
) -> float:
    """Share of rows whose strongest cell has its centre in the box of another thing,
    and not in the row's own.

    Parameters
    ----------
    A, centres, boxes, margin
        As in `pointing_game`; the other boxes are grown too.
    others : N_rows sequences of (top, left, height, width)
        For each row, the boxes of all other things in its picture; there may be none.

    Returns
    -------
    float
        0 to 1; with the score of `pointing_game`, at most 1.

    Raises
    ------
    ValueError
        As `pointing_game`, and if there is not one sequence of other boxes per row.
    """
    A, centres = _checked_weights(A, centres)
    own = cells_inside(centres, _checked_boxes("boxes", boxes, len(A)), margin)
    if len(others) != len(A):
        raise ValueError(
            f"A has {len(A)} rows but others has {len(others)}: each row needs its "
            "other boxes"
        )
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
    """Say which cells have their centre in which box.

    Parameters
    ----------
    centres, boxes, margin
        As in `pointing_game`, for any number of boxes.

    Returns
    -------
    array, shape (N, N_X)

    Raises
    ------
    ValueError
        As `pointing_game`.
    """
    centres, boxes = _checked_centres(centres), _checked_boxes("boxes", boxes)
    if not (np.isfinite(margin) and margin >= 0):
        raise ValueError(
            f"margin is {margin}: expected a number of pixels of at least 0"
        )
    low = boxes[:, None, :2] - margin
    high = boxes[:, None, :2] + boxes[:, None, 2:] + margin
    return ((low <= centres) & (centres < high)).all(axis=-1)


def _checked_centres(centres: Num[np.ndarray, "..."]) -> Float[np.ndarray, "N_X 2"]:
    centres = np.asarray(centres, dtype=float)
    if (
        centres.ndim != 2
        or centres.shape[1] != 2
        or len(centres) == 0
        or not np.isfinite(centres).all()
    ):
        raise ValueError(
            f"centres has shape {centres.shape}: expected finite numbers of (N_X, 2), "
            "N_X at least 1"
        )
    return centres


def _checked_weights(
    A: Num[np.ndarray, "..."], centres: Num[np.ndarray, "..."]
) -> tuple[Float[np.ndarray, "N_rows N_X"], Float[np.ndarray, "N_X 2"]]:
    A, centres = np.asarray(A, dtype=float), _checked_centres(centres)
    if A.ndim != 2 or len(A) == 0 or A.shape[1] != len(centres):
        raise ValueError(
            f"A has shape {A.shape} for {len(centres)} centres: expected (N_rows, N_X) "
            f"= ('N_rows', {len(centres)}), N_rows at least 1"
        )
    if not np.isfinite(A).all():
        raise ValueError("A holds NaN or infinity: expected attention weights")
    return A, centres


def _checked_boxes(
    name: str, boxes: object, N_rows: int | None = None
) -> Float[np.ndarray, "N 4"]:
    boxes = np.asarray(boxes, dtype=float)
    N_rows = max(len(np.atleast_1d(boxes)), 1) if N_rows is None else N_rows
    if boxes.shape != (N_rows, 4):
        raise ValueError(
            f"{name} has shape {boxes.shape}: expected ({N_rows}, 4), a box (top, "
            "left, height, width) a row"
        )
    if not np.isfinite(boxes).all() or (boxes[:, 2:] <= 0).any():
        raise ValueError(
            f"{name} holds a box that is not finite or has no inside: height and width "
            "must be above 0"
        )
    return boxes
