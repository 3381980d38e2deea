"""Attempts to mask a softmax, to take a step of attention, to count links and work."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book import metrics, reference
from attention_book.chapters.attention.solutions import masked_softmax
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def rows_of_numbers(e, visible):
    weights = []
    for scores, seen in zip(e, visible, strict=True):
        largest = max(scores[seen])  # of no score: a ValueError
        row = [np.exp(min(score - largest, 0)) for score in scores] * seen
        weights.append([power / sum(row) for power in row])
    return weights


def struck_out_and_shared_again(e, visible):
    assert not (~visible).all(axis=1).any()
    largest = np.max(e, axis=1, keepdims=True, where=visible, initial=-np.inf)
    positive = np.exp(np.minimum(e - largest, 0)) * visible
    return np.einsum("ij,i->ij", positive, 1 / positive.sum(axis=1))


def added_mask(e, visible):
    assert not (visible.sum(-1) == 0).any()
    mask = torch.zeros_like(e).masked_fill(visible.logical_not(), float("-inf"))
    return torch.softmax(e + mask, dim=1)


def step_in_loops(s, h, visible):
    seen = [i for i in range(len(h)) if visible[i]]
    scores = {i: sum(a * b for a, b in zip(s, h[i], strict=True)) for i in seen}
    largest = max(scores.values())  # of no score: a ValueError
    powers = {i: np.exp(score - largest) for i, score in scores.items()}
    weights = [powers.get(i, 0.0) / sum(powers.values()) for i in range(len(h))]
    return [sum(weights[i] * h[i][d] for i in seen) for d in range(len(s))], weights


def only_the_visible(s, h, visible):
    a_t = np.zeros(len(h))
    c_t, a_t[visible], _ = reference.attend(reference.dot_score, s, h[visible])
    return [c_t, a_t]


class Step(nn.Module):
    """Calls the library, with the identity as values for the weights."""

    __name__ = "Step"

    def forward(self, s, h, visible):
        assert visible.any()
        attend = F.scaled_dot_product_attention
        values = torch.cat([h, torch.eye(len(h))], dim=1)
        mixed = attend(s[None], h, values, attn_mask=visible[None], scale=1.0)[0]
        return mixed[: len(s)], mixed[len(s) :]


def the_books_metrics(A, gold, length):
    links = metrics.strongest_link(A, length=length)
    if links and not gold:  # all are wrong; the metric asks for gold ones
        return 1.0
    return metrics.alignment_error_rate([links], [frozenset(gold)])


def links_in_a_loop(A, gold, length):
    links = common = 0
    for j, row in enumerate(A.tolist()):
        i = row.index(max(row))
        links += i < length
        common += i < length and (i, j) in gold
    assert links + len(gold) > 0
    return 1 - 2 * common / (links + len(gold))


def matrices_of_links(A, gold, length):
    ours = F.one_hot(torch.as_tensor(A).argmax(dim=1), A.shape[1])[:, :length]
    theirs = torch.zeros_like(ours)
    for i, j in gold:
        theirs[j, i] = 1
    assert ours.any() or theirs.any()
    return 1 - 2 * (ours * theirs).sum() / (ours.sum() + theirs.sum())


def by_formula(N_X, D_S, D_H, D_A):
    return {"mlp": D_A * (D_S + N_X), "bilinear": N_X * D_S, "dot": N_X * D_H}


def count_in_loops(N_X, D_S, D_H, D_A):
    work = {"dot": 0, "bilinear": 0, "mlp": D_S * D_A}
    for _ in range(N_X):
        for score, width in (("dot", D_H), ("bilinear", D_S), ("mlp", D_A)):
            work[score] += width
    return work


def size_of_the_products(N_X, D_S, D_H, D_A):
    inputs = np.ones((N_X, 1))
    dot, bilinear, v = (
        np.broadcast(inputs, np.ones(width)).size for width in (D_H, D_S, D_A)
    )
    return {"dot": dot, "bilinear": bilinear, "mlp": np.ones((D_A, D_S)).size + v}


ATTEMPTS = {
    "masked_softmax": {
        rows_of_numbers: RIGHT,
        struck_out_and_shared_again: RIGHT,
        added_mask: RIGHT,
        edited(
            added_mask,
            "torch.softmax(e + mask, dim=1)",
            "F.normalize(e.softmax(1) * visible, p=1)",
        ): "a row of A is all 0",
        edited(
            added_mask, 'visible.logical_not(), float("-inf")', "visible, -1e9"
        ): "turn your condition round",
        edited(added_mask, "e + mask", "e / 2 + mask"): "ratio 2.12, expected 4.48",
        edited(added_mask, "logical_not()", "logical_not().triu()"): "at [2, 1]",
        lambda e, visible: masked_softmax(np.clip(e, -50, 50), visible): (
            "reach your softmax, as they are"
        ),
    },
    "attention_step": {
        step_in_loops: RIGHT,
        only_the_visible: RIGHT,
        Step(): RIGHT,
        edited(step_in_loops, "a * b", "abs(a * b)"): "exp of the difference of the",
        edited(step_in_loops, "weights[i] * h", "h"): "c_t is not a_t h",
        edited(only_the_visible, "[c_t, a_t]", "a_t, c_t"): "another order: expected",
        edited(
            only_the_visible, "a_t = np", "assert visible[0]\n    a_t = np"
        ): "there is an answer to give",
    },
    "error_rate": {
        the_books_metrics: RIGHT,
        links_in_a_loop: RIGHT,
        matrices_of_links: RIGHT,
        # a tensor is no number in a set
        edited(links_in_a_loop, "(i, j)", "(torch.tensor(i), j)"): "None of your links",
        edited(links_in_a_loop, "2 * c", "3 * c"): "1 - 2 * 2 / (3 + 6)",
        edited(links_in_a_loop, "common /", "common //"): "You divide with //",
        edited(links_in_a_loop, "links + len(gold) > 0", "gold"): "there is an answer",
        edited(links_in_a_loop, "assert links + len(gold) > 0", ""): "is no rate",
    },
    "work_per_word": {
        by_formula: RIGHT,
        count_in_loops: RIGHT,
        size_of_the_products: RIGHT,
        edited(by_formula, "D_S + N_X", "D_H + N_X"): "whether s is in it",
        edited(by_formula, "N_X * D_H", "2 * N_X * D_H"): "Additions, tanh,",
        edited(by_formula, '"dot"', '"Dot"'): "has the keys ['mlp', 'bilinear', 'Dot']",
    },
}
