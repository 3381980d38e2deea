"""Attempts to count weights, to shift a translation, to find the first wrong word."""

from itertools import pairwise, zip_longest

import numpy as np
import torch

from attention_book.chapters.bottleneck.solutions import (
    START,
    STOP,
    first_error,
    teacher_forced,
)
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def ask_torch(D_X, D_H):
    return sum(weight.numel() for weight in torch.nn.GRU(D_X, D_H).parameters())


def matrix_by_matrix(D_X, D_H):
    return sum(map(np.prod, 3 * [(D_H, D_X), (D_H, D_H), (D_H,), (D_H,)]))


def by_formula(D_X, D_H):
    return 3 * D_H * (D_X + D_H + 2)


def as_tuples(target):
    return (1, *target), (*target, 2)


def step_by_step(target):
    return tuple(zip(*pairwise([START, *target, STOP]), strict=True))


def with_tensors(target):
    whole = torch.tensor([START, *target, STOP])
    return whole[:-1].tolist(), whole[1:].tolist()


def longest_walk(hypothesis, reference):
    for position, (said, right) in enumerate(zip_longest(hypothesis, reference)):
        if said != right:
            return position


def first_of_all_errors(hypothesis, reference):
    longest = range(max(len(hypothesis), len(reference)))
    wrong = [k for k in longest if hypothesis[k : k + 1] != reference[k : k + 1]]
    return wrong[0] if wrong else None


def with_arrays(hypothesis, reference):
    pairs = zip_longest(hypothesis, reference, fillvalue="")
    both = np.array([*pairs]).reshape(-1, 2)
    wrong = np.flatnonzero(both[:, 0] != both[:, 1])
    return wrong[0] if wrong.size else None


ATTEMPTS = {
    "gru_parameters": {
        ask_torch: RIGHT,
        matrix_by_matrix: RIGHT,
        by_formula: RIGHT,
        edited(ask_torch, "GRU", "LSTM"): "You count four, as an LSTM",
        edited(matrix_by_matrix, "(D_H,), (D_H,)", "(D_H,)"): "one bias a block",
        edited(by_formula, "+ 2)", ") + 2 * D_H"): "each block has its own",
    },
    "teacher_forced": {
        as_tuples: RIGHT,
        step_by_step: RIGHT,
        with_tensors: RIGHT,
        lambda target: teacher_forced(target)[::-1]: "one step ahead",
        edited(as_tuples, "(1, *target)", "(*target, 2)"): "reads the very word that",
        edited(as_tuples, "(1, *target)", "target"): "read begins with [7]",
        edited(as_tuples, "(1, *target)", "(1, *target, 2)"): "also in what is read",
        edited(as_tuples, "(*target, 2)", "(1, *target, 2)"): "also in what is said",
        edited(with_tensors, "*target, STOP", "*target"): "say ends with [9]",
        edited(as_tuples, "(*target, 2)", "(*target[:-1], 2)"): "not in its place.",
        edited(as_tuples, "(1, *target)", "(1, *target[:-1])"): "[:-1] is only for",
        edited(step_by_step, "*target", "*dict.fromkeys(target)"): "be [9, 7, 7, 8, 9]",
        lambda target: teacher_forced(target) if target else ([], []): "both lists are",
        lambda target: (map(int, target), None): "read is a map, expected a list",
        lambda target: ([1, *target], target.append(2) or target): "writes into target",
    },
    "first_error": {
        longest_walk: RIGHT,
        first_of_all_errors: RIGHT,
        with_arrays: RIGHT,
        edited(first_of_all_errors, "wrong[0]", "wrong[-1]"): "0, is at position 1",
        edited(first_of_all_errors, "if wrong", "if any(wrong)"): "0 counts as false",
        edited(first_of_all_errors, "range(max", "range(-1 + max"): "'pan' where",
        edited(first_error, " != right", ".lower() != right.lower()"): "'El' where",
        lambda said, right: (
            None if sorted(said) == sorted(right) else first_error(said, right)
        ): "On a word in another place: you return None, but the first",
        lambda *both: first_error(*both) if all(both) else None: "one's length, 0",
        lambda *both: first_error(*both) if all(both) else 0: "No word is wrong: None.",
        lambda said, right: (
            first_error(said, right)
            if len(said) == len(right)
            else min(len(said), len(right))
        ): "On a wrong word, and too few: you return 3, but the first",
    },
}
