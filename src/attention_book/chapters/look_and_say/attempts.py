"""Attempts at a receptive field, at the pointing game, at putting blame."""

import numpy as np
import torch

from attention_book.chapters.look_and_say.solutions import (
    misread_or_mislooked,
    receptive_field,
)
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT
from attention_book.metrics import pointing_game


def from_the_top_down(layers):
    size = 1
    for kernel, stride in layers[::-1]:
        size = (size - 1) * stride + kernel
    return size


def with_products(layers):
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
    away = centres[A.argmax(-1)] - np.array(boxes)[:, :2]
    return ((away >= 0) & (away < np.array(boxes)[:, 2:])).all(axis=1).mean()


def with_tensors(A, centres, boxes):
    top, left, height, width = torch.tensor(boxes).T
    y, x = centres[A.argmax(dim=1)].T
    inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
    return inside.float().mean()


def one_condition_after_the_other(said, meant, attended):
    blame = "misread" if attended == meant else "looked at another"
    blame = "looked nowhere" if attended is None else blame
    return "right" if said == meant else blame


def by_table(said, meant, attended):
    names = {None: "looked nowhere", meant: "misread"}
    return "right" if said == meant else names.get(attended, "looked at another")


def by_number(said, meant, attended):
    holds = [said == meant, attended is None, attended == meant, True].index(True)
    return ("right", "looked nowhere", "misread", "looked at another")[holds]


ATTEMPTS = {
    "receptive_field": {
        from_the_top_down: RIGHT,
        with_products: RIGHT,
        with_gradients: RIGHT,
        edited(from_the_top_down, "[::-1]", ""): "its kernel of 3 adds 2 × 2 pixels",
        edited(with_products, "[:-1]", "[1:]"): "you return 7, expected 4",
        edited(with_products, "1 +", "0 +"): "it is 1, a pixel",
        edited(
            with_gradients, "(reached.max() - reached.min() + 1).item()", "len(reached)"
        ): "you return 18, expected 26",
        lambda layers: min(receptive_field(layers), 224): "no picture's border",
    },
    "pointing": {
        pointing_game: RIGHT,
        without_loops: RIGHT,
        with_tensors: RIGHT,
        edited(without_loops, "mean", "sum"): "you return 2, but 2 of 3 rows are hits",
        edited(without_loops, "all(", "any("): "beside the box: the strongest cell has",
        edited(without_loops, "argmax", "argmin"): "That is a hit, 1",
        edited(with_tensors, "y < top +", "y <"): "holds 5 <= y < 8",
        edited(with_tensors, "y < top", "y <= top"): "lower edge of its box",
        edited(with_tensors, "y, x", "x, y"): "its centre (y, x) at [6. 3.]",
    },
    "misread_or_mislooked": {
        one_condition_after_the_other: RIGHT,
        by_table: RIGHT,
        by_number: RIGHT,
        edited(
            one_condition_after_the_other, '"right" if', '"right" if attended and'
        ): "'right' is due, not 'looked nowhere'. The word is right",
        edited(by_table, 'None: "looked nowhere", ', ""): "None, no digit at all",
        edited(by_table, ', meant: "misread"', ""): "at the digit that was *meant*",
        edited(by_table, '"misread"', '"Misread"'): "'Misread' is none of the four",
        edited(by_number, "said == meant", "said[0] == meant[0]"): "'two' is not",
        lambda said, meant, attended: misread_or_mislooked(
            said, meant, None if attended == "zero" else attended
        ): "attended is 'zero', a digit like any other: ask `is None`",
        lambda said, meant, attended: "right" if said == meant else "misread": (
            "For these two words you say so wherever it looked"
        ),
    },
}
