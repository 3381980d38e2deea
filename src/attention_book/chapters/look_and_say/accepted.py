"""Right ways to compute a receptive field, to play the pointing game, to put blame."""

import math

import numpy as np
import torch

from attention_book import metrics


def from_the_top_down(layers):
    """Backwards: a single entry grows on its way down to the picture."""
    size = 1
    for kernel, stride in layers[::-1]:
        size = (size - 1) * stride + kernel
    return size


def with_products(layers):
    """One sum over all layers."""
    steps = (math.prod(s for _, s in layers[:k]) for k in range(len(layers)))
    return 1 + sum((n - 1) * step for (n, _), step in zip(layers, steps, strict=True))


def with_gradients(layers):
    """Build the layers and see which pixels the gradient of one entry reaches."""
    line = torch.ones(1, 1, 400, requires_grad=True)
    x = line
    for kernel, stride in layers:
        x = torch.nn.functional.conv1d(x, torch.ones(1, 1, kernel), stride=stride)
    x[0, 0, x.shape[-1] // 2].backward()
    return (line.grad != 0).sum()


def the_books_game(A, centres, boxes):
    """The metric of the chapter."""
    return metrics.pointing_game(A, centres, boxes)


def without_loops(A, centres, boxes):
    """Arrays throughout."""
    corner, size = np.split(np.array(boxes), 2, axis=1)
    strongest = centres[A.argmax(-1)]
    return ((corner <= strongest) & (strongest < corner + size)).all(axis=1).mean()


def with_tensors(A, centres, boxes):
    """Tensors, a batch of rows at once."""
    top, left, height, width = torch.tensor(boxes).unbind(dim=1)
    y, x = centres[A.argmax(dim=1)].unbind(dim=1)
    inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
    return inside.float().mean()


def one_condition_after_the_other(said, meant, looked_at):
    """A chain of conditions, each with all that it needs."""
    if said != meant and looked_at is None:
        return "looked nowhere"
    elif said != meant and looked_at == meant:
        return "misread"
    return "right" if said == meant else "looked at another"


def by_table(said, meant, looked_at):
    """A dictionary of the looks."""
    if said == meant:
        return "right"
    names = {meant: "misread", None: "looked nowhere"}
    return names.get(looked_at, "looked at another")


def by_matching(said, meant, looked_at):
    """Patterns."""
    match said == meant, looked_at:
        case True, _:
            return "right"
        case False, None:
            return "looked nowhere"
        case False, name if name == meant:
            return "misread"
    return "looked at another"


STYLES = {
    "receptive_field": (from_the_top_down, with_products, with_gradients),
    "pointing": (the_books_game, without_loops, with_tensors),
    "misread_or_mislooked": (one_condition_after_the_other, by_table, by_matching),
}
