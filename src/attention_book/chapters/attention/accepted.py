"""Right ways to mask a softmax, take a step of attention, and count links and work."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book import metrics, reference


def rows_of_numbers(e, visible):
    """Lists and loops; what is hidden never takes part."""
    weights = []
    for scores, may_look in zip(e, visible, strict=True):
        largest = max(score for score, may in zip(scores, may_look, strict=True) if may)
        row = [
            math.exp(score - largest) if may else 0.0
            for score, may in zip(scores, may_look, strict=True)
        ]
        weights.append([power / sum(row) for power in row])
    return weights


def struck_out_and_shared_again(e, visible):
    """Largest visible score first, hidden powers times 0, then the sum."""
    if (~visible).all(axis=1).any():
        raise ValueError("a row without an input")
    largest = np.max(e, axis=1, keepdims=True, where=visible, initial=-np.inf)
    positive = np.exp(np.minimum(e - largest, 0)) * visible
    return np.einsum("ij,i->ij", positive, 1 / positive.sum(axis=1))


def added_mask(e, visible):
    """A mask of 0 and -inf, added."""
    if bool((visible.sum(-1) == 0).any()):
        raise ValueError("nothing to look at in a row")
    mask = torch.zeros_like(e).masked_fill(visible.logical_not(), float("-inf"))
    return torch.softmax(e + mask, dim=1)


def step_in_loops(s, h, visible):
    """One number at a time."""
    if not any(visible):
        raise ValueError("nothing to look at")
    seen = [i for i in range(len(h)) if visible[i]]
    scores = {i: sum(a * b for a, b in zip(s, h[i], strict=True)) for i in seen}
    powers = {i: math.exp(score - max(scores.values())) for i, score in scores.items()}
    weights = [powers.get(i, 0.0) / sum(powers.values()) for i in range(len(h))]
    context = [sum(weights[i] * h[i][d] for i in seen) for d in range(len(s))]
    return context, weights


def only_the_visible(s, h, visible):
    """Hidden inputs taken out, and their weights put back in as zeros."""
    if visible.sum() == 0:
        raise ValueError("nothing to look at")
    c_t, a_seen, _ = reference.attend(reference.dot_score, s, h[visible])
    a_t = np.zeros(len(h))
    a_t[visible] = a_seen
    return [c_t, a_t]


class Step(nn.Module):
    """A module whose forward is the step."""

    __name__ = "Step"

    def forward(self, s, h, visible):
        """Call the library, with the identity as values to get its weights."""
        assert visible.any()
        queries, mask = s[None, None], visible[None, None]
        values = torch.cat([h, torch.eye(len(h))], dim=1)[None]
        mixed = F.scaled_dot_product_attention(
            queries, h[None], values, attn_mask=mask, scale=1.0
        )[0, 0]
        return mixed[: len(s)], mixed[len(s) :]


def the_books_metrics(A, gold, length):
    """The metrics of the chapter."""
    return metrics.alignment_error_rate(
        [metrics.strongest_link(A, length=length)], [frozenset(gold)]
    )


def links_in_a_loop(A, gold, length):
    """Count as you go."""
    links = common = 0
    for j in range(len(A)):
        row = list(A[j])
        i = row.index(max(row))
        if i < length:
            links += 1
            common += (i, j) in gold
    if links + len(gold) == 0:
        raise ValueError("no links")
    return 1 - 2 * common / (links + len(gold))


def matrices_of_links(A, gold, length):
    """Tensors of zeros and ones."""
    ours = F.one_hot(torch.as_tensor(A).argmax(dim=1), A.shape[1])
    ours[:, length:] = 0
    theirs = torch.zeros_like(ours)
    for i, j in gold:
        theirs[j, i] = 1
    if not ours.any() and not theirs.any():
        raise ValueError("no links")
    return 1 - 2 * (ours * theirs).sum() / (ours.sum() + theirs.sum())


def by_formula(N_X, D_S, D_H, D_A):
    """Factored."""
    return {"mlp": D_A * (D_S + N_X), "bilinear": N_X * D_S, "dot": N_X * D_H}


def count_in_loops(N_X, D_S, D_H, D_A):
    """Walk through the products."""
    work = dict.fromkeys(("dot", "bilinear", "mlp"), 0)
    work["mlp"] += D_S * D_A
    for _ in range(N_X):
        for score, width in (("dot", D_H), ("bilinear", D_S), ("mlp", D_A)):
            work[score] += width
    return work


def size_of_the_products(N_X, D_S, D_H, D_A):
    """Let arrays be broadcast, and count their entries."""
    prepared, h, hidden = (np.ones((N_X, width)) for width in (D_S, D_H, D_A))
    W = np.ones((D_A, D_S))
    return {
        "dot": (h * np.ones(D_H)).size,
        "bilinear": (prepared * np.ones(D_S)).size,
        "mlp": (W * np.ones(D_S)).size + (hidden * np.ones(D_A)).size,
    }


STYLES = {
    "masked_softmax": (rows_of_numbers, struck_out_and_shared_again, added_mask),
    "attention_step": (step_in_loops, only_the_visible, Step()),
    "error_rate": (the_books_metrics, links_in_a_loop, matrices_of_links),
    "work_per_word": (by_formula, count_in_loops, size_of_the_products),
}
