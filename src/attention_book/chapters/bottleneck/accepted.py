"""Right ways to count weights, to shift a translation, to find the first wrong word."""

from itertools import zip_longest

import numpy as np
import torch

from attention_book.chapters.bottleneck.solutions import START, STOP


def ask_torch(D_X, D_H):
    """Build the layer and count."""
    return sum(weight.numel() for weight in torch.nn.GRU(D_X, D_H).parameters())


def matrix_by_matrix(D_X, D_H):
    """Add up the sizes of all that is learned."""
    shapes = 3 * [(D_H, D_X), (D_H, D_H), (D_H,), (D_H,)]
    return sum(np.prod(shape) for shape in shapes)


def by_formula(D_X, D_H):
    """One product; the biases are two more columns."""
    return 3 * D_H * (D_X + D_H + 2)


def one_list_cut_twice(target):
    """Both special tokens around it, then all but the last and all but the first."""
    whole = [START, *target, STOP]
    return whole[:-1], whole[1:]


def step_by_step(target):
    """A loop that remembers the word before."""
    read, say, before = [], [], 1
    for word in (*target, 2):
        read.append(before)
        say.append(word)
        before = word
    return read, say


def with_tensors(target):
    """Tensors, back to lists at the end."""
    words = torch.tensor(target, dtype=torch.long)
    read = torch.nn.functional.pad(words, (1, 0), value=START)
    return read.tolist(), torch.cat([words, words.new_tensor([STOP])]).tolist()


def longest_walk(hypothesis, reference):
    """The shorter list filled up with None, which is no word."""
    for position, (said, right) in enumerate(zip_longest(hypothesis, reference)):
        if said != right:
            return position
    return None


def first_of_all_errors(hypothesis, reference):
    """All wrong positions, and the first of them if there is one."""
    shared = min(len(hypothesis), len(reference))
    wrong = [k for k in range(shared) if hypothesis[k] != reference[k]]
    wrong += range(shared, max(len(hypothesis), len(reference)))
    return wrong[0] if wrong else None


def with_arrays(hypothesis, reference):
    """Arrays of words compared at once."""
    shared = min(len(hypothesis), len(reference))
    said, right = (np.array(w[:shared], dtype=str) for w in (hypothesis, reference))
    wrong = np.flatnonzero(said != right)
    if wrong.size:
        return wrong[0]
    return None if len(hypothesis) == len(reference) else shared


STYLES = {
    "gru_parameters": (ask_torch, matrix_by_matrix, by_formula),
    "teacher_forced": (one_list_cut_twice, step_by_step, with_tensors),
    "first_error": (longest_walk, first_of_all_errors, with_arrays),
}
