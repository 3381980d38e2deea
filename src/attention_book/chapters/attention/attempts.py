"""Right ways to mask a softmax, take a step of attention, and count links and work."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book import metrics, reference
from attention_book.exercises.verdict import RIGHT


def rows_of_numbers(e, visible):
    """Lists and loops; what is hidden never takes part."""
    weights = []
    for scores, seen in zip(e, visible, strict=True):
        largest = max(scores[seen])  # of no score: a ValueError
        row = [np.exp(min(score - largest, 0)) for score in scores] * seen
        weights.append([power / sum(row) for power in row])
    return weights


def struck_out_and_shared_again(e, visible):
    """Largest visible score first, hidden powers times 0, then the sum."""
    assert not (~visible).all(axis=1).any()
    largest = np.max(e, axis=1, keepdims=True, where=visible, initial=-np.inf)
    positive = np.exp(np.minimum(e - largest, 0)) * visible
    return np.einsum("ij,i->ij", positive, 1 / positive.sum(axis=1))


def added_mask(e, visible):
    """A mask of 0 and -inf, added."""
    assert not (visible.sum(-1) == 0).any()
    mask = torch.zeros_like(e).masked_fill(visible.logical_not(), float("-inf"))
    return torch.softmax(e + mask, dim=1)


def step_in_loops(s, h, visible):
    """One number at a time."""
    seen = [i for i in range(len(h)) if visible[i]]
    scores = {i: sum(a * b for a, b in zip(s, h[i], strict=True)) for i in seen}
    largest = max(scores.values())  # of no score: a ValueError
    powers = {i: np.exp(score - largest) for i, score in scores.items()}
    weights = [powers.get(i, 0.0) / sum(powers.values()) for i in range(len(h))]
    return [sum(weights[i] * h[i][d] for i in seen) for d in range(len(s))], weights


def only_the_visible(s, h, visible):
    """Hidden inputs taken out, and their weights put back in as zeros."""
    a_t = np.zeros(len(h))
    c_t, a_t[visible], _ = reference.attend(reference.dot_score, s, h[visible])
    return [c_t, a_t]


class Step(nn.Module):
    """A module that calls the library, with the identity as values for the weights."""

    __name__ = "Step"

    def forward(self, s, h, visible):
        assert visible.any()
        look = F.scaled_dot_product_attention
        values = torch.cat([h, torch.eye(len(h))], dim=1)
        mixed = look(s[None], h, values, attn_mask=visible[None], scale=1.0)[0]
        return mixed[: len(s)], mixed[len(s) :]


def the_books_metrics(A, gold, length):
    """The metrics of the chapter."""
    links = metrics.strongest_link(A, length=length)
    if links and not gold:  # all are wrong; the metric asks for gold ones
        return 1.0
    return metrics.alignment_error_rate([links], [frozenset(gold)])


def links_in_a_loop(A, gold, length):
    """Count as you go."""
    links = common = 0
    for j, row in enumerate(A.tolist()):
        i = row.index(max(row))
        links += i < length
        common += i < length and (i, j) in gold
    assert links + len(gold) > 0
    return 1 - 2 * common / (links + len(gold))


def matrices_of_links(A, gold, length):
    """Tensors of zeros and ones."""
    ours = F.one_hot(torch.as_tensor(A).argmax(dim=1), A.shape[1])[:, :length]
    theirs = torch.zeros_like(ours)
    for i, j in gold:
        theirs[j, i] = 1
    assert ours.any() or theirs.any()
    return 1 - 2 * (ours * theirs).sum() / (ours.sum() + theirs.sum())


def by_formula(N_X, D_S, D_H, D_A):
    """Factored."""
    return {"mlp": D_A * (D_S + N_X), "bilinear": N_X * D_S, "dot": N_X * D_H}


def count_in_loops(N_X, D_S, D_H, D_A):
    """Walk through the products."""
    work = {"dot": 0, "bilinear": 0, "mlp": D_S * D_A}
    for _ in range(N_X):
        for score, width in (("dot", D_H), ("bilinear", D_S), ("mlp", D_A)):
            work[score] += width
    return work


def size_of_the_products(N_X, D_S, D_H, D_A):
    """Let arrays be broadcast, and count the entries there would be."""
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
    },
    "attention_step": {
        step_in_loops: RIGHT,
        only_the_visible: RIGHT,
        Step(): RIGHT,
    },
    "error_rate": {
        the_books_metrics: RIGHT,
        links_in_a_loop: RIGHT,
        matrices_of_links: RIGHT,
    },
    "work_per_word": {
        by_formula: RIGHT,
        count_in_loops: RIGHT,
        size_of_the_products: RIGHT,
    },
}
