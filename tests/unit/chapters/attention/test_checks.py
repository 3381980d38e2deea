"""Chapter 2's checks name mistakes written in another way than the zoo's."""

import math
from itertools import takewhile

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention.checks import (
    check_attention_step,
    check_error_rate,
    check_masked_softmax,
    check_work_per_word,
)
from attention_book.chapters.attention.solutions import (
    attention_step,
    error_rate,
    masked_softmax,
    work_per_word,
)


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


def tiny_instead_of_large(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(visible == 0, -1e-9).softmax(-1)


def fills_what_is_visible(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(visible, float("-inf")).softmax(-1)


def never_refuses(e, visible):
    return torch.where(visible, e, torch.tensor(float("-inf"))).softmax(dim=-1)


def large_and_never_refuses(e, visible):
    return torch.where(visible, e, torch.tensor(-1e9)).softmax(dim=-1)


def refuses_only_an_empty_mask(e, visible):
    if not visible.any():
        raise ValueError("nothing to look at")
    return e.masked_fill(~visible, -torch.inf).softmax(dim=-1)


def overflowing_loops(e, visible):
    some_in_every_row(visible)
    A = np.zeros(e.shape)
    for j, row in enumerate(e):
        powers = [
            np.exp(score) if seen else 0.0
            for score, seen in zip(row, visible[j], strict=True)
        ]
        A[j] = np.array(powers) / sum(powers)
    return A


def struck_out_after_exp(e, visible):
    some_in_every_row(visible)
    positive = torch.exp(e - e.max(dim=-1, keepdim=True).values) * visible
    return positive / positive.sum(dim=-1, keepdim=True)


def filled_in_place(e, visible):
    some_in_every_row(visible)
    return e.masked_fill_(~visible, -torch.inf).softmax(-1)


def not_low_enough(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(~visible, -5.0).softmax(-1)


def twice_as_warm(e, visible):
    some_in_every_row(visible)
    return (e / 2).masked_fill(~visible, -torch.inf).softmax(-1)


def large_instead_of_infinite(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(~visible, -1e4).softmax(-1)


def looks_at_the_last_row(e, visible):
    if not visible[-1].any():
        raise ValueError("nothing to look at")
    return e.masked_fill(~visible, -torch.inf).softmax(dim=-1)


def looks_at_the_first_row(e, visible):
    if not visible[0].any():
        raise ValueError("nothing to look at")
    return e.masked_fill(~visible, -torch.inf).softmax(dim=-1)


def first_row_for_all(e, visible):
    some_in_every_row(visible)
    return masked_softmax(e, np.tile(visible[:1], (len(e), 1)))


def logarithms(e, visible):
    some_in_every_row(visible)
    return F.log_softmax(e.masked_fill(~visible, -torch.inf), dim=-1)


def struck_out_late(e, visible):
    some_in_every_row(visible)
    positive = e.softmax(-1) * visible
    return positive / (positive.sum(-1, keepdim=True) + 1e-9)


def clipped(e, visible):
    some_in_every_row(visible)
    return masked_softmax(np.clip(e, -50, 50), visible)


def low_by_ten(e, visible):
    some_in_every_row(visible)
    return e.masked_fill(~visible, e.min() - 10).softmax(-1)


def transposed(e, visible):
    some_in_every_row(visible)
    return np.array(
        [
            masked_softmax(row, np.array([seen[j] for seen in visible]))
            for j, row in enumerate(e)
        ]
    )


@pytest.mark.parametrize(
    ("mask", "mistake"),
    [
        (thrown_away, "mask not used"),
        (after_the_softmax, "mask after the softmax"),
        (tiny_instead_of_large, "hidden scores are 0"),
        (fills_what_is_visible, "mask the wrong way round"),
        (never_refuses, "NaN where nothing is visible"),
        (large_and_never_refuses, "uniform weights where nothing is visible"),
        (refuses_only_an_empty_mask, "NaN where nothing is visible"),
        (overflowing_loops, "no largest score subtracted"),
        (struck_out_after_exp, "largest score taken from the hidden ones, too"),
        (filled_in_place, "scores overwritten"),
        (large_instead_of_infinite, "a finite number in place of minus infinity"),
        (looks_at_the_last_row, "NaN where nothing is visible"),
        (looks_at_the_first_row, "NaN where nothing is visible"),
        (transposed, "mask transposed"),
        (first_row_for_all, "first row of the mask for all"),
        (logarithms, "logarithms of the weights"),
        (not_low_enough, "a law"),
        (twice_as_warm, "a law"),
    ],
)
def test_a_wrong_mask_is_named(mask, mistake):
    assert check_masked_softmax(mask).diagnosis == mistake


@pytest.mark.parametrize(
    ("mask", "says"),
    [
        (struck_out_late, "a row of A is all 0"),
        (clipped, "their scores are not. Do these reach your softmax, as they are"),
        (low_by_ten, "to an input that is not visible"),
    ],
)
def test_of_weights_that_nobody_recorded_a_law_says_what_is_off(mask, says):
    assert says in check_masked_softmax(mask).says


def test_of_what_is_not_hidden_the_place_is_said():
    def forgets_one(e, visible):
        some_in_every_row(visible)
        visible[1, 0] = True
        return e.masked_fill(~visible, -torch.inf).softmax(-1)

    says = check_masked_softmax(lambda e, visible: forgets_one(e, visible.clone())).says
    assert "to an input that is not visible, at [1, 0]. Its score must be -inf" in says


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


def to_fixed_places(s, h):
    """A linear layer to places, as in some tutorials; its weights only copy."""
    layer = torch.nn.Linear(len(s), len(h), bias=False, dtype=s.dtype)
    torch.nn.init.zeros_(layer.weight)
    layer.weight.data[torch.arange(len(h)), torch.arange(len(h)) % len(s)] = 1
    return layer(s).detach()


def to_random_places(s, h):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(len(h), len(s), generator=generator, dtype=s.dtype) @ s


def hides_states(s, h, visible):
    some_in_every_row(visible)
    h = h * visible[:, None]
    scores = [sum(a * b for a, b in zip(s, h_i, strict=True)) for h_i in h]
    powers = np.array([math.exp(score - max(scores)) for score in scores])
    return powers / powers.sum() @ h, powers / powers.sum()


def other_order(s, h, visible):
    return attention_step(s, h, visible)[::-1]


@pytest.mark.parametrize(
    ("attend", "mistake"),
    [
        (
            step(lambda s, h: dot(s, h) / math.sqrt(len(s))),
            "scores divided by the root of the width",
        ),
        (step(lambda s, h: (h * s).mean(dim=1)), "scores divided by the width"),
        (
            step(dot, mask=lambda e, visible: e.masked_fill(~visible, -1e9)),
            "a finite number in place of minus infinity",
        ),
        (step(to_fixed_places), "scores that do not look at the inputs"),
        (step(to_random_places), "a law"),
        (step(lambda s, h: torch.ones(len(h), dtype=s.dtype)), "a law"),
        (
            step(dot, mask=lambda e, visible: e * visible),
            "hidden scores are 0",
        ),
        (step(dot, mask=lambda e, visible: e), "mask not used"),
        (
            step(dot, mix=lambda a, h: torch.einsum("i,id->i", a, h)),
            "context summed over the wrong axis",
        ),
        (
            step(dot, mix=lambda a, h: (a[:, None] * h).mean(dim=0)),
            "a law",
        ),
        (hides_states, "states of hidden inputs set to 0"),
        (other_order, "shape"),
        (step(dot, mix=lambda a, h: h.mean(dim=0)), "a law"),
        (step(lambda s, h: -((h - s) ** 2).sum(dim=1)), "a law"),
    ],
)
def test_a_wrong_step_is_named(attend, mistake):
    assert check_attention_step(attend).diagnosis == mistake


def test_the_other_order_is_told_in_words():
    assert (
        "in another order: expected c_t, a_t" in check_attention_step(other_order).says
    )


@pytest.mark.parametrize(
    ("attend", "says"),
    [
        (step(to_random_places), "expected 1: exp of the difference of the scores"),
        (step(lambda s, h: torch.ones(len(h))), "a_t is equal for all visible inputs"),
        (step(dot, mix=lambda a, h: h.mean(dim=0)), "c_t is not a_t h"),
    ],
)
def test_what_is_off_in_a_step_is_told_by_a_law(attend, says):
    assert says in check_attention_step(attend).says


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


def precision_only(A, gold, length):
    right = [
        (int(row.argmax()), j) in gold
        for j, row in enumerate(A)
        if row.argmax() < length
    ]
    if not right and not gold:
        raise ValueError("no links")
    return 1 - sum(right) / len(right)


def jaccard(A, gold, length):
    links = {(int(row.argmax()), j) for j, row in enumerate(A) if row.argmax() < length}
    if not links | gold:
        raise ValueError("no links")
    return len(links ^ gold) / len(links | gold)


def beta_two(A, gold, length):
    F_1 = 1 - error_rate(A, gold, length)
    return 1 - F_1**2


@pytest.mark.parametrize(
    ("measure", "mistake"),
    [
        (rate(down_the_columns), "strongest over the wrong axis"),
        (rate(tensors_in_a_set), "a law"),
        (rate(turned_round), "links written (j, i)"),
        (precision_only, "precision instead of F"),
        (jaccard, "a law"),
        (beta_two, "a law"),
        (lambda A, gold, length: 2 * error_rate(A, gold, length) - 0.5, "a law"),
    ],
)
def test_a_wrong_rate_is_named(measure, mistake):
    assert check_error_rate(measure).diagnosis == mistake


def test_stop_cut_off_is_named():
    assert (
        check_error_rate(rate(without_stop)).diagnosis
        == "[STOP] cut off before the strongest is found"
    )


def looks_at_one_input(place):
    def attend(s, h, visible):
        if not visible[place]:
            raise ValueError("nothing to look at")
        return attention_step(s, h, visible)

    return attend


@pytest.mark.parametrize("place", [0, -1])
def test_a_guard_that_looks_at_one_input_refuses_what_has_an_answer(place):
    says = check_attention_step(looks_at_one_input(place)).says
    assert says.endswith("there is an answer to give.")


def pair_by_pair(N_X, D_S, D_H, D_A):
    work = {"dot": 0, "bilinear": 0, "mlp": 0}
    for _ in range(N_X):
        work["dot"] += D_H
        work["bilinear"] += D_S * D_H + D_S
        work["mlp"] += D_A * D_S + D_A * D_H + D_A
    return work


def layer_for_every_input(N_X, D_S, D_H, D_A):
    layer = (
        torch.nn.Linear(D_S, D_A, bias=False).weight.numel()
        + torch.nn.Linear(D_A, 1, bias=False).weight.numel()
    )
    return {"dot": N_X * D_H, "bilinear": N_X * D_S, "mlp": N_X * layer}


def hidden_layer_only(N_X, D_S, D_H, D_A):
    return work_per_word(N_X, D_S, D_H, D_A) | {"mlp": D_A * D_S}


def layers_turned_round(N_X, D_S, D_H, D_A):
    return work_per_word(N_X, D_S, D_H, D_A) | {"mlp": D_A * (D_H + N_X)}


def one_too_many(*widths):
    return {name: n + 1 for name, n in work_per_word(*widths).items()}


def additions_too(*widths):
    return {name: 2 * n for name, n in work_per_word(*widths).items()}


def one_less_for_each_dot_product(N_X, D_S, D_H, D_A):
    dot, bilinear, v = (N_X * (2 * width - 1) for width in (D_H, D_S, D_A))
    return {"dot": dot, "bilinear": bilinear, "mlp": D_A * (2 * D_S - 1) + v}


def test_other_keys_are_named():
    says = check_work_per_word(lambda *_: {"Dot": 1, "bilinear": 1, "mlp": 1}).says
    assert "has the keys ['Dot', 'bilinear', 'mlp'], expected ['dot', 'b" in says


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (pair_by_pair, ["In the bilinear score you count W h_i"]),
        (layer_for_every_input, ["In the MLP you count W s for every input"]),
        (hidden_layer_only, ["In the MLP you leave out v"]),
        (layers_turned_round, ["mlp is off", "whether s is in it"]),
        (
            additions_too,
            [
                "bilinear is off",
                "Additions, tanh, the softmax and the context are not counted",
            ],
        ),
        (one_less_for_each_dot_product, ["bilinear is off: you get 35"]),
        (one_too_many, ["bilinear is off"]),
    ],
)
def test_what_is_counted_wrong_is_said_part_by_part(count, says):
    verdict = check_work_per_word(count)
    assert verdict.diagnosis == "a law"
    assert all(part in verdict.says for part in says)


def every_word_that_is_looked_at(A, length):
    return {(int(i), int(j)) for j, i in np.argwhere(A > 0.25) if i < length}


def more_than_half(A, length):
    return {(int(i), int(j)) for j, i in np.argwhere(A > 0.5) if i < length}


def until_one_has_no_link(A, length):
    strongest = enumerate(A.argmax(axis=1).tolist())
    return {(i, j) for j, i in takewhile(lambda look: look[1] < length, strongest)}


def all_but_the_last(A, length):
    return {(i, j) for j, i in enumerate(A[:-1].argmax(axis=1).tolist()) if i < length}


def one_gold_link_a_word(A, gold, length):
    return error_rate(A, {(i, j) for j, i in {j: i for i, j in gold}.items()}, length)


COUNTED_OUT = (
    "gives the links [(0, 2), (2, 3), (3, 0)], 2 of them gold: 1 - 2 * 2 / (3 + 6)."
)


@pytest.mark.parametrize(
    ("measure", "says"),
    [
        (beta_two, COUNTED_OUT),
        (rate(every_word_that_is_looked_at), COUNTED_OUT),
        (rate(more_than_half), COUNTED_OUT),
        (rate(until_one_has_no_link), COUNTED_OUT),
        (rate(all_but_the_last), COUNTED_OUT),
        (one_gold_link_a_word, "You count the words that have a gold link"),
        (rate(tensors_in_a_set), "None of your links is found among the gold ones"),
        (
            lambda *inputs: (1 + error_rate(*inputs)) / 2,
            "You count the common links once",
        ),
        (jaccard, "You divide by the links that are in either set"),
        (lambda *inputs: 1 - error_rate(*inputs), "You return the F measure"),
    ],
)
def test_a_rate_is_taken_apart(measure, says):
    assert says in check_error_rate(measure).says


@pytest.mark.parametrize(
    "strict", [lambda L, G: L and G, lambda L, G: L, lambda L, G: G]
)
def test_whoever_refuses_where_one_side_is_empty_is_told_so(strict):
    def measure(A, gold, length):
        if not strict((A.argmax(axis=1) < length).any(), gold):
            raise ValueError("no links")
        return error_rate(A, gold, length)

    verdict = check_error_rate(measure)
    assert verdict.diagnosis == "crash"
    assert verdict.says.endswith("there is an answer to give.")


def test_whoever_divides_by_zero_is_asked_for_a_ValueError():
    def careless(A, gold, length):
        links = {(int(i), j) for j, i in enumerate(A.argmax(axis=1)) if i < length}
        return 1 - 2 * len(links & gold) / (len(links) + len(gold))

    says = check_error_rate(careless).says
    assert "ZeroDivisionError" in says
    assert "a ValueError is due: 0 / 0 is no rate." in says


def test_the_solution_of_the_step_is_the_one_of_the_mask():
    e, visible = np.array([0.5, -1.0, 2.0]), np.array([True, True, False])
    _, a_t = attention_step(np.array([1.0]), e[:, None], visible)
    np.testing.assert_allclose(a_t, masked_softmax(e, visible))
