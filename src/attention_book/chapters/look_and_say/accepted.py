"""Right ways to compute a receptive field, to play the pointing game, and to put the blame for a wrong word."""

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


def first_and_last_pixel(layers):
    """The pixels at both ends, tracked through the layers from the top."""
    first = last = 0
    for kernel, stride in reversed(layers):
        first, last = first * stride, last * stride + kernel - 1
    return last - first + 1


def with_products(layers):
    """One sum over all layers."""
    return 1 + sum(
        (layers[k][0] - 1) * math.prod(stride for _, stride in layers[:k])
        for k in range(len(layers))
    )


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


def in_loops(A, centres, boxes):
    """Numbers and lists."""
    hits = []
    for j, box in enumerate(boxes):
        best = max(range(len(A[j])), key=lambda i: A[j][i])
        distance = [centres[best][axis] - box[axis] for axis in (0, 1)]
        hits.append(
            all(0 <= d < length for d, length in zip(distance, box[2:], strict=True))
        )
    return sum(hits) / len(hits)


def with_tensors(A, centres, boxes):
    """Tensors, a batch of rows at once."""
    top, left, height, width = torch.tensor(boxes).unbind(dim=1)
    y, x = centres[A.argmax(dim=1)].unbind(dim=1)
    return (
        ((y >= top) & (y < top + height) & (x >= left) & (x < left + width))
        .float()
        .mean()
    )


def one_condition_after_the_other(said, meant, looked_at):
    """A chain of conditions, each with all that it needs."""
    if said != meant and looked_at is None:
        return "looked nowhere"
    elif said != meant and looked_at == meant:
        return "misread"
    elif said != meant:
        return "looked at another"
    else:
        return "right"


def by_table(said, meant, looked_at):
    """A dictionary of the looks."""
    if said == meant:
        return "right"
    return {meant: "misread", None: "looked nowhere"}.get(
        looked_at, "looked at another"
    )


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
    "receptive_field": (
        from_the_top_down,
        first_and_last_pixel,
        with_products,
        with_gradients,
    ),
    "pointing": (the_books_game, without_loops, in_loops, with_tensors),
    "misread_or_mislooked": (one_condition_after_the_other, by_table, by_matching),
}
