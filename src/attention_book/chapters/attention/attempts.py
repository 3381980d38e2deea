"""Attempts to mask a softmax, to take a step of attention, to count links and work."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from attention_book import metrics, reference
from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    work_per_word,
)
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


def some_in_every_row(visible):
    if not visible.any(-1).all():
        raise ValueError("nothing to look at")


def thrown_away(e, visible):
    some_in_every_row(visible)
    e.masked_fill(~visible, -torch.inf)
    return torch.softmax(e, dim=-1)


def after_the_softmax(e, visible):
    some_in_every_row(visible)
    return F.softmax(e, dim=1).masked_fill(~visible, 0.0)


def fills_what_is_visible(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(visible, float("-inf")).softmax(-1)


def never_refuses(e, visible):
    return torch.where(visible, e, torch.tensor(float("-inf"))).softmax(dim=-1)


def large_and_never_refuses(e, visible):
    return torch.where(visible, e, torch.tensor(-1e9)).softmax(dim=-1)


def struck_out_late(e, visible):
    some_in_every_row(visible)
    positive = e.softmax(-1) * visible
    return positive / (positive.sum(-1, keepdim=True) + 1e-9)


def twice_as_warm(e, visible):
    some_in_every_row(visible)
    return (e / 2).masked_fill(~visible, -torch.inf).softmax(-1)


def clipped(e, visible):
    some_in_every_row(visible)
    return masked_softmax(np.clip(e, -50, 50), visible)


def low_by_ten(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(~visible, e.min() - 10).softmax(-1)


def step(
    scores,
    mix=lambda a, h: a @ h,
    mask=lambda e, visible: e.masked_fill(~visible, -torch.inf),
):
    """A step with torch, from its three parts."""

    def attend(s, h, visible):
        s, h, visible = map(torch.as_tensor, (s, h, visible))
        some_in_every_row(visible)
        a_t = torch.softmax(mask(scores(s, h), visible), dim=0)
        return mix(a_t, h), a_t

    return attend


def dot(s, h):
    return torch.einsum("d,id->i", s, h)


def to_random_places(s, h):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(len(h), len(s), generator=generator, dtype=s.dtype) @ s


def other_order(s, h, visible):
    return attention_step(s, h, visible)[::-1]


def rate(links):
    """An error rate with its own links."""

    def measure(A, gold, length):
        found = links(A, length)
        if not found and not gold:
            raise ValueError("no links")
        return 1 - 2 * len(found & gold) / (len(found) + len(gold))

    return measure


def down_the_columns(A, length):
    return {
        (int(A[:, i].argmax()), i)
        for i in range(A.shape[1])
        if A[:, i].argmax() < length
    }


def without_stop(A, length):
    words = torch.as_tensor(A)[:, :length]
    return {(words[j].argmax().item(), j) for j in range(len(words))}


def tensors_in_a_set(A, length):
    return {
        (i, j) for j, i in enumerate(torch.as_tensor(A).argmax(dim=1)) if i < length
    }


def turned_round(A, length):
    return {(j, i) for j, i in enumerate(np.argmax(A, axis=1).tolist()) if i < length}


def beta_two(A, gold, length):
    F_1 = 1 - error_rate(A, gold, length)
    return 1 - F_1**2


def one_gold_link_a_word(A, gold, length):
    return error_rate(A, {(i, j) for j, i in {j: i for i, j in gold}.items()}, length)


def pair_by_pair(N_X, D_S, D_H, D_A):
    work = {"dot": 0, "bilinear": 0, "mlp": 0}
    for _ in range(N_X):
        work["dot"] += D_H
        work["bilinear"] += D_S * D_H + D_S
        work["mlp"] += D_A * D_S + D_A * D_H + D_A
    return work


def layers_turned_round(N_X, D_S, D_H, D_A):
    return work_per_word(N_X, D_S, D_H, D_A) | {"mlp": D_A * (D_H + N_X)}


def additions_too(*widths):
    return {name: 2 * n for name, n in work_per_word(*widths).items()}


def fills_what_is_visible_with_a_number(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(visible, -1e9).softmax(-1)


def forgets_one(e, visible):
    seen = visible.clone()
    some_in_every_row(seen)
    seen[1, 0] = True
    return e.masked_fill(~seen, -torch.inf).softmax(-1)


def looks_at_the_first(s, h, visible):
    if not visible[0]:
        raise ValueError("nothing to look at")
    return attention_step(s, h, visible)


def refuses_if_there_is_no_gold(A, gold, length):
    if not gold:
        raise ValueError("no links")
    return error_rate(A, gold, length)


def divides_by_zero(A, gold, length):
    links = {(int(i), j) for j, i in enumerate(A.argmax(axis=1)) if i < length}
    return 1 - 2 * len(links & gold) / (len(links) + len(gold))


def with_a_capital(*widths):
    return {"Dot": 1, "bilinear": 1, "mlp": 1}


ATTEMPTS = {
    "masked_softmax": {
        rows_of_numbers: RIGHT,
        struck_out_and_shared_again: RIGHT,
        added_mask: RIGHT,
        thrown_away: "is lost if you do not store it",
        after_the_softmax: "weights to 0 after the softmax",
        fills_what_is_visible: "hide what is visible",
        fills_what_is_visible_with_a_number: "turn your condition round",
        never_refuses: "Raise a ValueError if any one row",
        large_and_never_refuses: "all have a score of -1e9",
        struck_out_late: "a row of A is all 0",
        twice_as_warm: "with the ratio 2.12, expected 4.48",
        clipped: "reach your softmax, as they are",
        low_by_ten: "to an input that is not visible",
        forgets_one: "to an input that is not visible, at [1, 0]",
    },
    "attention_step": {
        step_in_loops: RIGHT,
        only_the_visible: RIGHT,
        Step(): RIGHT,
        step(
            lambda s, h: dot(s, h) / math.sqrt(len(s))
        ): "root of the width, as Transformers",
        step(
            dot, mask=lambda e, visible: e.masked_fill(~visible, -1e9)
        ): "a finite number",
        step(dot, mask=lambda e, visible: e * visible): "exp(0) = 1 is a weight",
        step(to_random_places): "exp of the difference of the scores",
        step(lambda s, h: torch.ones(len(h))): "a_t is equal for all visible inputs",
        step(dot, mix=lambda a, h: h.mean(dim=0)): "c_t is not a_t h",
        other_order: "in another order: expected c_t, a_t",
        looks_at_the_first: "there is an answer to give",
    },
    "error_rate": {
        the_books_metrics: RIGHT,
        links_in_a_loop: RIGHT,
        matrices_of_links: RIGHT,
        rate(down_the_columns): "argmax runs down the columns",
        rate(without_stop): "cut [STOP] off first",
        rate(tensors_in_a_set): "None of your links is found among the gold ones",
        rate(turned_round): "The gold ones are (i, j)",
        beta_two: "[(0, 2), (2, 3), (3, 0)], 2 of them gold: 1 - 2 * 2 / (3 + 6)",
        one_gold_link_a_word: "You count the words that have a gold link",
        refuses_if_there_is_no_gold: "there is an answer to give",
        divides_by_zero: "a ValueError is due: 0 / 0 is no rate",
    },
    "work_per_word": {
        by_formula: RIGHT,
        count_in_loops: RIGHT,
        size_of_the_products: RIGHT,
        pair_by_pair: "In the bilinear score you count W h_i",
        layers_turned_round: "whether s is in it",
        additions_too: "Additions, tanh, the softmax and the context are not counted",
        with_a_capital: "has the keys ['Dot', 'bilinear', 'mlp'], expected ['dot', 'b",
    },
}
