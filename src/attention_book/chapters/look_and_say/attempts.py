"""Attempts at a receptive field, at the pointing game, at putting blame."""

import numpy as np
import torch

from attention_book.chapters.look_and_say.solutions import (
    misread_or_mislooked,
    pointing,
    receptive_field,
)
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


def pixels_seen(layers):
    pixels = {0}
    for kernel, stride in layers[::-1]:
        pixels = {p * stride + k for p in pixels for k in range(kernel)}
    return len(pixels)


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


def product_of_strides(layers):
    return int(np.prod([stride for _, stride in layers], dtype=int))


def each_kind_once(layers):
    return receptive_field([*dict.fromkeys(layers)])


def number_of_hits(A, centres, boxes):
    return round(pointing(A, centres, boxes) * len(A))


def the_weakest(A, centres, boxes):
    return pointing(-A, centres, boxes)


def rounding(A, centres, boxes):
    return pointing(A, np.floor(centres + 0.5), boxes)


def of_the_word_said(said, meant, looked_at):
    if said == meant:
        return "right"
    if looked_at is None:
        return "looked nowhere"
    return "misread" if looked_at == said else "looked at another"


def in_titles(said, meant, looked_at):
    return misread_or_mislooked(said, meant, looked_at).title()


def first_letters(said, meant, looked_at):
    return misread_or_mislooked(said[0], meant[0], looked_at and looked_at[0])


def as_if_at_the_word_said(said, meant, looked_at):
    return misread_or_mislooked(said, meant, said if looked_at else None)


ATTEMPTS = {
    "receptive_field": {
        from_the_top_down: RIGHT,
        with_products: RIGHT,
        with_gradients: RIGHT,
        no_strides: "multiplied, put its inputs 2 pixels apart",
        from_the_wrong_end: "its kernel of 3 adds 2 × 2 pixels",
        own_stride_too: "On one layer: you return 7, expected 4",
        lambda layers: sum(kernel for kernel, _ in layers): "it is 1, a pixel",
        product_of_strides: "The first layer, (kernel, stride), adds its kernel less 1",
        lambda layers: min(receptive_field(layers), 224): "no picture's border",
        each_kind_once: "Each of the seven counts, though they are equal",
        pixels_seen: "you return 18, expected 26",
    },
    "pointing": {
        pointing_game: RIGHT,
        without_loops: RIGHT,
        with_tensors: RIGHT,
        corners_as_edges: "holds 5 <= y < 8",
        columns_first: "its centre (y, x) at [6. 3.]",
        some_axis: "beside the box: the strongest cell has its centre",
        both_edges: "On a centre on the lower edge of its box",
        number_of_hits: "you return 2, but 2 of 3 rows are hits, a share of 0.667",
        mass_in_the_box: "You add up the weight",
        three_pixels_more: "That is a miss, 0, and you return 1",
        the_weakest: "That is a hit, 1",
        rounding: "round the centres to whole pixels",
    },
    "misread_or_mislooked": {
        one_condition_after_the_other: RIGHT,
        by_table: RIGHT,
        by_number: RIGHT,
        look_first: "'right' is due, not 'looked nowhere'. The word is right",
        no_nowhere: "looked_at is None, no digit at all",
        of_the_word_said: "You compare the look with the word that was said",
        in_titles: "'Right' is none of the four texts: 'right', 'misread',",
        as_numbers: "looked_at is 'zero', a digit like any other: ask `is None`",
        without_the_look: "For these two words you say so wherever it looked",
        first_letters: "'two' is not 'three': a wrong word, wherever it looked",
        as_if_at_the_word_said: "It looked at the digit that was *meant*",
    },
}
