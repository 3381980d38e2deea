"""Attempts to count weights, to shift a translation, to find the first wrong word."""

from difflib import SequenceMatcher
from itertools import pairwise, zip_longest

import numpy as np
import torch

from attention_book.chapters.bottleneck.solutions import (
    START,
    STOP,
    first_error,
    teacher_forced,
)
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


def cut_the_wrong_ends(target):
    whole = [START, *target, STOP]
    return whole[1:], whole[:-1]


def without_a_shift(target):
    read, say = [], []
    for word in [*target, STOP]:
        read.append(word)
        say.append(word)
    return read, say


def inserted_into_the_target(target):
    target.insert(len(target), STOP)
    return [START, *target[:-1]], list(target)


def cut_twice(target):
    whole = torch.tensor([START, *target])
    return whole[:-1].tolist(), whole[1:].tolist()


def remembered(target, read=[START]):  # noqa: B006
    read += target
    return list(read), [*target, STOP]


def over_the_last_word(target):
    say = [*target, STOP][-len(target) or None :]
    say[: len(target)] = [*target[:-1], STOP] if target else [STOP]
    return [START, *target][: len(say)], say


def under_two_names(target):
    read = say = [START, *target]
    say.append(STOP)
    return read, say


def as_text(target):
    return ["[START]", *target], [*target, "[STOP]"]


def keeps_the_last(hypothesis, reference):
    found = None
    for k, word in enumerate(hypothesis[: len(reference)]):
        if word != reference[k]:
            found = k
    if found is None and len(hypothesis) != len(reference):
        found = min(len(hypothesis), len(reference))
    return found


def truth_of_a_position(hypothesis, reference):
    found = None
    for k in range(max(len(hypothesis), len(reference))):
        if hypothesis[k : k + 1] != reference[k : k + 1] and not found:
            found = k
    return found


def by_identity(hypothesis, reference):
    k = 0
    while k < len(hypothesis) and k < len(reference) and hypothesis[k] is reference[k]:
        k += 1
    return None if k == len(hypothesis) == len(reference) else k


def loop_over_the_reference(hypothesis, reference):
    for k in range(len(reference)):
        if hypothesis[k] != reference[k]:
            return k
    return None


def aligned(hypothesis, reference):
    matcher = SequenceMatcher(None, hypothesis, reference, autojunk=False)
    edits = (edit for edit in matcher.get_opcodes() if edit[0] != "equal")
    return next((min(i, j) for _, i, _, j, _ in edits), None)


def as_bags(hypothesis, reference):
    if sorted(hypothesis) == sorted(reference):
        return None
    return first_error(hypothesis, reference)


def small_letters(hypothesis, reference):
    return first_error(*([w.lower() for w in it] for it in (hypothesis, reference)))


def only_if_there_are_words(hypothesis, reference):
    return first_error(hypothesis, reference) if hypothesis and reference else None


def lengths_first(hypothesis, reference):
    if len(hypothesis) != len(reference):
        return min(len(hypothesis), len(reference))
    return first_error(hypothesis, reference)


def all_but_the_last(hypothesis, reference):
    n = min(len(hypothesis), len(reference)) - 1
    if hypothesis[:n] != reference[:n] or len(hypothesis) != len(reference):
        return first_error(hypothesis, reference)
    return None


def number_of(weights):
    return sum(w.numel() for _, w in weights)


def with_one_bias(D_X, D_H):
    weights = torch.nn.GRU(D_X, D_H).named_parameters()
    return number_of((n, w) for n, w in weights if not n.startswith("bias_hh"))


def of_an_lstm(D_X, D_H):
    return number_of(torch.nn.LSTM(D_X, D_H).named_parameters())


def without_biases(D_X, D_H):
    return number_of(torch.nn.GRU(D_X, D_H, bias=False).named_parameters())


def each_word_once(target):
    return teacher_forced([*dict.fromkeys(target)])


def nothing_if_empty(target):
    return ([START, *target], [*target, STOP]) if target else ([], [])


def nothing_is_at_0(hypothesis, reference):
    return first_error(hypothesis, reference) if hypothesis and reference else 0


ATTEMPTS = {
    "gru_parameters": {
        ask_torch: RIGHT,
        matrix_by_matrix: RIGHT,
        by_formula: RIGHT,
        with_one_bias: "You count one bias a block",
        of_an_lstm: "You count four, as an LSTM",
        without_biases: "You count the matrices only",
        lambda D_X, D_H: 3 * D_H * (2 * D_X + 2): "for h_{t-1} is D_H × D_X, but",
        lambda D_X, D_H: 3 * D_H * (D_X + D_H) + 2 * D_H: "each block has its own",
    },
    "teacher_forced": {
        as_tuples: RIGHT,
        step_by_step: RIGHT,
        with_tensors: RIGHT,
        cut_the_wrong_ends: "one step ahead",
        without_a_shift: "reads the very word that it must say",
        under_two_names: "the same list, under two names?",
        inserted_into_the_target: "Your function writes into target",
        lambda target: (target.copy(), [*target, STOP]): "read begins with [7]",
        as_text: "read begins with ['[START]']",
        cut_twice: "say ends with [9]",
        lambda target: (
            [START, *target],
            [START, *target, STOP],
        ): "[START] is also in what",
        over_the_last_word: "[STOP] comes after the last word, not in its place.",
        lambda target: ([START, *target[:-1]], [*target, STOP]): "[:-1] is only for",
        each_word_once: "be [9, 7, 7, 8, 9]",
        nothing_if_empty: "both lists are empty. Even an empty translation has a step",
        lambda target: (map(int, target), None): "read is a map, expected a list",
        remembered: "remembered between calls (a list as a default argument",
    },
    "first_error": {
        longest_walk: RIGHT,
        first_of_all_errors: RIGHT,
        with_arrays: RIGHT,
        aligned: "you return 0, but the first",
        as_bags: "On a word in another place: you return None, but the first",
        small_letters: "position 1: 'El' where 'el' is due",
        only_if_there_are_words: "at the shorter one's length, 0",
        nothing_is_at_0: "you return 0. No word is wrong: None.",
        lambda hypothesis, reference: None: "you return None, but the first wrong word",
        lengths_first: "On a wrong word, and too few: you return 3, but the first",
        all_but_the_last: "'pan' where 'sopa' is due",
        keeps_the_last: "counted from 0, is at position 1",
        by_identity: "You compare with `is`",
        loop_over_the_reference: "Your code raised IndexError",
        truth_of_a_position: "0 counts as false",
    },
}
