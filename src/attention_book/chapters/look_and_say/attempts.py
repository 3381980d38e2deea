"""Right ways to compute a receptive field, to play the pointing game, to put blame."""

import numpy as np
import torch

from attention_book.exercises.verdict import RIGHT
from attention_book.metrics import pointing_game


def from_the_top_down(layers):
    """Backwards: a single entry grows on its way down to the picture."""
    size = 1
    for kernel, stride in layers[::-1]:
        size = (size - 1) * stride + kernel
    return size


def with_products(layers):
    """One sum over all layers."""
    kernels, strides = np.array([(1, 1), *layers]).T
    return 1 + (kernels[1:] - 1) @ strides.cumprod()[:-1]


def with_gradients(layers):
    """Build the layers and see which pixels the gradient of one entry reaches."""
    x = line = torch.ones(1, 1, 400, requires_grad=True)
    for kernel, stride in layers:
        x = torch.nn.functional.conv1d(x, torch.ones(1, 1, kernel), stride=stride)
    x[0, 0, x.shape[-1] // 2].backward()
    reached = line.grad.flatten().nonzero()
    return (reached.max() - reached.min() + 1).item()


def without_loops(A, centres, boxes):
    """Arrays throughout."""
    away = centres[A.argmax(-1)] - np.array(boxes)[:, :2]
    return ((away >= 0) & (away < np.array(boxes)[:, 2:])).all(axis=1).mean()


def with_tensors(A, centres, boxes):
    """Tensors, a batch of rows at once."""
    top, left, height, width = torch.tensor(boxes).T
    y, x = centres[A.argmax(dim=1)].T
    inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
    return inside.float().mean()


def one_condition_after_the_other(said, meant, looked_at):
    """A chain of conditions, the last one first."""
    blame = "misread" if looked_at == meant else "looked at another"
    blame = "looked nowhere" if looked_at is None else blame
    return "right" if said == meant else blame


def by_table(said, meant, looked_at):
    """A dictionary of the looks."""
    names = {None: "looked nowhere", meant: "misread"}
    return "right" if said == meant else names.get(looked_at, "looked at another")


def by_number(said, meant, looked_at):
    """The number of the first question that is answered with yes."""
    holds = [said == meant, looked_at is None, looked_at == meant, True].index(True)
    return ("right", "looked nowhere", "misread", "looked at another")[holds]


ATTEMPTS = {
    "receptive_field": {
        from_the_top_down: RIGHT,
        with_products: RIGHT,
        with_gradients: RIGHT,
    },
    "pointing": {
        pointing_game: RIGHT,
        without_loops: RIGHT,
        with_tensors: RIGHT,
    },
    "misread_or_mislooked": {
        one_condition_after_the_other: RIGHT,
        by_table: RIGHT,
        by_number: RIGHT,
    },
}
