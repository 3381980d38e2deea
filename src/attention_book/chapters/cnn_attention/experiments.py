"""Chapter 9's experiments: what its cells measure, without the bookkeeping."""

from collections.abc import Callable, Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn

from attention_book import layers, models
from attention_book.chapters.cnn_attention.scenes import (
    CELL,
    CENTRES,
    N_SIDE,
    asked,
    distance,
    key_of,
)
from attention_book.chapters.cnn_attention.tasks import answers
from attention_book.data import Scene
from attention_book.metrics import pointing_chance
from attention_book.metrics.pointing import cells_inside
from attention_book.shapes import check_type


def answer_baselines(scenes: Sequence[Scene], field: int) -> dict[str, float]:
    """How often one is right who does not look, or no further than a square.

    The cell is in the middle of the square, `field` pixels along a side; who sees the
    key in it says which it is, and else "none".
    """
    cells = np.stack([asked(scene) for scene in scenes])
    right = np.broadcast_to(answers(scenes), cells.shape)
    seen = np.stack([distance(scene) for scene in scenes]) < field / 2
    return {
        "always none": float((right == "none")[cells].mean()),
        "best in the square": float((seen | (right == "none"))[cells].mean()),
    }


def pointing_baselines(scenes: Sequence[Scene]) -> dict[str, float]:
    """How often one who asks at a digit meets the key without knowing what a key is."""
    hits, boxes = [], []
    for scene in scenes:
        key = key_of(scene)
        inside = cells_inside(CENTRES, scene.boxes)  # (3, 64)
        pieces = scene.image.reshape(N_SIDE, CELL, N_SIDE, CELL)
        ink = pieces.mean(axis=(1, 3)).ravel()
        middles = np.array(scene.boxes)[:, :2] + 4
        for cell in np.flatnonzero(asked(scene)):
            away = np.abs(middles - CENTRES[cell]).max(axis=1)
            away[inside[:, cell]] = np.inf  # not the digit that it lies on
            nearest = away.argmin() == key
            hits.append([inside[key, np.argmax(ink)], nearest, 1 / 2])
            boxes.append(scene.boxes[key])
    darkest, nearest, either = np.mean(hits, axis=0)
    return {
        "any cell": pointing_chance(CENTRES, boxes),
        "the darkest cell": float(darkest),
        "one of the other digits": float(either),
        "the nearest other digit": float(nearest),
    }


def cost(N_side: int, D: int) -> tuple[int, int, int]:
    """Count multiply-adds in a grid of N_side × N_side cells of width D.

    Of a 3 × 3 convolution, of self-attention with all widths D, and the bytes of its A.
    """
    with torch.device("meta"):
        convolution = nn.Conv2d(D, D, 3, padding=1, bias=False)
        module = layers.GridSelfAttention(D, D, D)
        grid = torch.zeros(1, D, N_side, N_side)
    work = (models.N_products(layer, grid) for layer in (convolution, module))
    return *work, module(grid)[1].nbytes


def with_cells(model: nn.Module, cells: Callable[[Tensor], Tensor]) -> nn.Module:
    """Give a copy of a model another way to take its grid for a set."""
    check_type("model.middle", model.middle, layers.GridSelfAttention)
    trial = deepcopy(model)
    trial.middle.cells = cells
    return trial
