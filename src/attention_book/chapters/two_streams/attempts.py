"""Attempts to describe boxes, to join two streams, and to count what comes first."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from matplotlib.transforms import Affine2D, Bbox

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def with_a_loop(boxes, height, width):
    rows = []
    for top, left, h, w in boxes:
        edges = [left / width, top / height, (left + w) / width, (top + h) / height]
        rows.append([*edges, (h * w) / (height * width)])
    return rows


def of_corners(boxes, height, width):
    """torch: both corners at once, and their difference."""
    near, sides = boxes[:, :2].flip(1), torch.tensor([width, height])
    far = near + boxes[:, 2:].flip(1)
    near, far = near / sides, far / sides
    return torch.cat([near, far, (far - near).prod(1, keepdim=True)], dim=1)


def of_matplotlib(boxes, height, width):
    """Matplotlib: its own boxes."""
    shrink = Affine2D().scale(1 / width, 1 / height)
    found = [
        Bbox.from_bounds(left, top, w, h).transformed(shrink)
        for top, left, h, w in boxes
    ]
    return np.array([[*box.extents, box.width * box.height] for box in found])


def of_pixels(boxes, height, width):
    """The area is the mean of a mask."""
    rows = []
    for top, left, h, w in boxes.astype(int):
        mask = np.zeros((height, width))
        mask[top : top + h, left : left + w] = 1
        edges = left / width, top / height, (left + w) / width, (top + h) / height
        rows.append([*edges, mask.mean()])
    return np.array(rows)


def of_torch(words, regions, W_words, W_regions):
    """torch: its own attention, once more for the weights."""

    def look(own, other, W_Q, W_K, W_V):
        Q, K, V = own @ W_Q, other @ W_K, other @ W_V
        A = F.scaled_dot_product_attention(Q, K, torch.eye(len(other)))
        return own + F.scaled_dot_product_attention(Q, K, V), A

    new_words, A_words = look(words, regions, *W_words)
    new_regions, A_regions = look(regions, words, *W_regions)
    return new_words, new_regions, A_words, A_regions


def of_one_set(words, regions, W_words, W_regions):
    """All in one table of scores, in which words do not see words."""
    N_T, N_X = len(words), len(words) + len(regions)
    E = np.full((N_X, N_X), -np.inf)
    for own, other, rows, columns, (W_Q, W_K, _) in (
        (words, regions, slice(N_T), slice(N_T, None), W_words),
        (regions, words, slice(N_T, None), slice(N_T), W_regions),
    ):
        E[rows, columns] = own @ W_Q @ (other @ W_K).T / math.sqrt(W_Q.shape[1])
    P = np.exp(E)
    P /= P.sum(axis=1, keepdims=True)
    A, B = P[:N_T, N_T:], P[N_T:, :N_T]
    return words + A @ regions @ W_words[2], regions + B @ words @ W_regions[2], A, B


def word_by_word(words, regions, W_words, W_regions):
    found = []
    for own, other, (W_Q, W_K, W_V) in (
        (words, regions, W_words),
        (regions, words, W_regions),
    ):
        new, A = [], []
        for x in own:
            scores = np.array([(x @ W_Q) @ (y @ W_K) for y in other])
            powers = np.exp(scores / len(W_Q.T) ** 0.5)
            A.append(powers / powers.sum())
            new.append(
                x + sum(a * (y @ W_V) for a, y in zip(A[-1], other, strict=True))
            )
        found.append((np.array(new), np.array(A)))
    (new_words, A_words), (new_regions, A_regions) = found
    return new_words, new_regions, A_words, A_regions


def picture_by_picture(fits, right):
    found = 0
    for row, own in zip(fits, right, strict=True):
        others = [fit for at, fit in enumerate(row) if at != own]
        found += row[own] > max(others)
    return found / len(fits)


def by_rank(fits, right):
    """The rank of every caption, the worst for equal ones."""
    ranks = (fits[:, None] >= fits[:, :, None]).sum(axis=-1)
    return (np.take_along_axis(ranks, right[:, None], axis=1) == 1).mean()


def by_the_margin(fits, right):
    """torch: how far the own caption lies above the best of the others."""
    own = fits.gather(1, right[:, None])
    others = fits.scatter(1, right[:, None], -torch.inf)
    return (own[:, 0] - others.amax(dim=1) > 0).float().mean()


def on_the_diagonal(fits, right):
    n = min(fits.shape)
    return (
        sum(
            all(fits[i, i] > fits[i, j] for j in range(fits.shape[1]) if j != i)
            for i in range(n)
        )
        / n
    )


def by_the_largest(fits, right):
    return sum(
        np.argmax(row) == own for row, own in zip(fits, right, strict=True)
    ) / len(fits)


ATTEMPTS = {
    "box_numbers": {
        with_a_loop: RIGHT,
        of_corners: RIGHT,
        of_matplotlib: RIGHT,
        of_pixels: RIGHT,
        edited(of_corners, "boxes[:, :2].flip(1)", "boxes[:, :2]"): "off: left edge",
        edited(
            of_corners, "[width, height]", "[height, width]"
        ): "divide left and right",
        edited(
            with_a_loop, "for top, left, h, w", "for left, top, w, h"
        ): "read a row of",
        edited(with_a_loop, "(h * w) /", "(h + w) /"): "these are off: area.",
        edited(of_corners, "[width, height]", "[width, width]"): "divide everything by",
        edited(
            with_a_loop, "(left + w) / width, (top + h)", "left + w / width, top + h"
        ): "Put the sum in brackets",
        edited(of_matplotlib, "from_bounds", "from_extents"): "They are the height",
        edited(of_corners, "near + boxes", "boxes"): "They are the height and",
    },
    "co_attention": {
        of_torch: RIGHT,
        of_one_set: RIGHT,
        word_by_word: RIGHT,
        edited(of_torch, "regions, words, *W_r", "regions, new_words, *W_r"): (
            "Your regions look at words that have been changed already"
        ),
        edited(
            edited(of_torch, "own @ W_Q, other @ W_K", "other @ W_Q, own @ W_K"),
            "eye(len(other)))\n        return own + F.scaled_dot_product_attention"
            "(Q, K, V)",
            "eye(len(own))).T\n        return own + A @ V",
        ): "Your queries are made of the stream that is asked",
        edited(
            of_one_set, "B @ words", "B @ (words + A @ regions @ W_words[2])"
        ): "The values for your regions are made of words that have been changed",
        edited(of_torch, "own + F", "F"): "Add it to the vectors",
        edited(of_torch, "other @ W_K, o", "own @ W_K, o"): "Your keys are made",
        edited(of_torch, "words, *W_regions", "words, *W_words"): "in both",
        edited(of_one_set, "W_Q.shape[1]", "W_Q.shape[0]"): "root of the width of the",
        edited(
            of_one_set, "W_Q.shape[1]", "other.shape[1]"
        ): "the root of the width of",
        edited(of_one_set, "own @ W_Q", "-own @ W_Q"): "A_words is not the softmax of",
        edited(of_torch, "s, A_words, A_regions", "s, A_words, A_words.T"): (
            "A_regions is A_words, transposed"
        ),
        edited(word_by_word, "len(W_Q.T)", "3"): "the scores behind A_words are 1.41",
        edited(of_one_set, "axis=1", "axis=0"): "sums to 1 over the words, each column",
        edited(of_one_set, "regions + B @", "B @"): "what the regions have found. Add",
        edited(
            of_one_set, "P[N_T:, :N_T]", "P[:N_T, N_T:].T"
        ): "the first one transposed",
    },
    "recall_at_1": {
        picture_by_picture: RIGHT,
        by_rank: RIGHT,
        by_the_margin: RIGHT,
        by_the_largest: "argmax, sorting and topk each give one",
        edited(
            by_rank, "(fits[:, None] >=", "1 + (fits[:, None] >"
        ): "as well as its own",
        edited(by_rank, ">=", "<="): "the caption that fits worst",
        edited(by_rank, "axis=1) == 1", "axis=1) <= 2"): "whose own caption is second",
        edited(by_the_margin, "-torch.inf", "0"): "0 beats them",
        edited(by_the_margin, "-torch.inf", "-1000"): "such as -1000, beat them",
        edited(by_rank, "right[:, None]", "0 * right[:, None]"): (
            "You take the first caption for the right one"
        ),
        on_the_diagonal: "You take the captions on the diagonal",
        edited(picture_by_picture, "(row) if", "(row[:-1]) if"): "leave out the last",
        edited(
            picture_by_picture, "(row) if", "(row) if at and"
        ): "leave out the first",
        edited(by_the_margin, "> 0", "> 0.5"): "pictures (1, 2, 3, 4, 5, c",
        edited(
            picture_by_picture, "/ len(fits)", "/ len(row)"
        ): "number of captions. Div",
        edited(
            picture_by_picture, "/ len(fits)", ""
        ): "Divide by the number of pictures",
    },
}
