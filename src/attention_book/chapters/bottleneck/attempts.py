"""Right ways to count weights, to shift a translation, to find the first wrong word."""

from itertools import pairwise, zip_longest

import numpy as np
import torch

from attention_book.chapters.bottleneck.solutions import START, STOP
from attention_book.exercises.verdict import RIGHT


def ask_torch(D_X, D_H):
    """Build the layer and count."""
    return sum(weight.numel() for weight in torch.nn.GRU(D_X, D_H).parameters())


def matrix_by_matrix(D_X, D_H):
    """Add up the sizes of all that is learned."""
    return sum(map(np.prod, 3 * [(D_H, D_X), (D_H, D_H), (D_H,), (D_H,)]))


def by_formula(D_X, D_H):
    """One product; the biases are two more columns."""
    return 3 * D_H * (D_X + D_H + 2)


def as_tuples(target):
    """Written down as they are."""
    return (1, *target), (*target, 2)


def step_by_step(target):
    """What is read and said at each step, turned round."""
    return tuple(zip(*pairwise([START, *target, STOP]), strict=True))


def with_tensors(target):
    """A tensor without its last and without its first, back to lists at the end."""
    whole = torch.tensor([START, *target, STOP])
    return whole[:-1].tolist(), whole[1:].tolist()


def longest_walk(hypothesis, reference):
    """The shorter list filled up with None, which is no word."""
    for position, (said, right) in enumerate(zip_longest(hypothesis, reference)):
        if said != right:
            return position


def first_of_all_errors(hypothesis, reference):
    """All wrong positions, and the first of them if there is one."""
    longest = range(max(len(hypothesis), len(reference)))
    wrong = [k for k in longest if hypothesis[k : k + 1] != reference[k : k + 1]]
    return wrong[0] if wrong else None


def with_arrays(hypothesis, reference):
    """Both as one array of words, the shorter one filled up with empty ones."""
    pairs = zip_longest(hypothesis, reference, fillvalue="")
    both = np.array([*pairs]).reshape(-1, 2)
    wrong = np.flatnonzero(both[:, 0] != both[:, 1])
    return wrong[0] if wrong.size else None


ATTEMPTS = {
    "gru_parameters": {
        ask_torch: RIGHT,
        matrix_by_matrix: RIGHT,
        by_formula: RIGHT,
    },
    "teacher_forced": {
        as_tuples: RIGHT,
        step_by_step: RIGHT,
        with_tensors: RIGHT,
    },
    "first_error": {
        longest_walk: RIGHT,
        first_of_all_errors: RIGHT,
        with_arrays: RIGHT,
    },
}
