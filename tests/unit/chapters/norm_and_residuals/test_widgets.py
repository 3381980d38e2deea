"""NormByHand is the reference's norm, and what its buttons are there to show holds.
Climb shows each stack's losses where its name stands.
"""

import json
from itertools import product

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.norm_and_residuals.fresh_stack import way_up
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, STARTS
from attention_book.chapters.norm_and_residuals.widgets import (
    ALONE,
    BETA,
    EPS,
    GAMMA,
    NORMS,
    PRESETS,
    WINDOW,
    X,
    by_depth,
    climb,
    divisor,
    likeness,
    norm_by_hand,
)
from attention_book.reference import layer_norm


def shown(widget):
    """What the panel shows: x, z and y."""
    fields = widget.panels[0].fields
    return [fields[f"v{k}"].at(widget.index) for k in range(3)]


def z_of(preset, eps=1e-5):
    widget = norm_by_hand()
    widget.setting = {"x": PRESETS[preset], EPS: eps}
    return shown(widget)[1]


@pytest.mark.parametrize("eps", [1e-5, 1.0])
@pytest.mark.parametrize("gamma", [0.0, 0.75, 1.25])
@pytest.mark.parametrize("x", [*PRESETS.values(), np.full(5, -4.0), np.arange(5) / 10])
def test_z_and_y_are_those_of_the_reference(x, gamma, eps):
    widget = norm_by_hand()
    widget.setting = {"x": x, GAMMA: gamma, BETA: -0.25, EPS: eps}
    right = [
        layer_norm(np.array(x), np.full(5, g), np.full(5, b), eps)
        for g, b in ((1.0, 0.0), (gamma, -0.25))
    ]
    np.testing.assert_allclose(shown(widget), [x, *right], rtol=0, atol=1e-12)


def test_a_tenth_of_all_numbers_and_three_more_change_what_comes_out_by_epsilon():
    start = z_of("start")
    np.testing.assert_allclose(start, [0.5, -1.5, 0, 1.5, -0.5], atol=1e-5)
    np.testing.assert_allclose(z_of("start + 3"), start, rtol=0, atol=1e-12)
    assert 0 < abs(z_of("start ÷ 10") - start).max() < 5e-4


def test_one_outlier_makes_all_others_nearly_alike():
    others = PRESETS["outlier"] == X
    assert others.sum() == len(X) - 1, "one number is changed, and only one"
    start, outlier = (z_of(name)[others] for name in ("start", "outlier"))
    assert (outlier < 0).all()
    assert np.ptp(outlier) < 0.2 * np.ptp(start)


def test_epsilon_decides_where_numbers_are_alike():
    assert np.var(PRESETS["alike"]) == pytest.approx(0.004)
    assert z_of("alike").max() == pytest.approx(1.58, abs=5e-3)
    assert z_of("alike", eps=1.0).max() == pytest.approx(0.10, abs=5e-3)


@pytest.mark.parametrize(
    ("D", "less", "said"),
    [
        (
            4,
            100 * (1 - 0.75**0.5),
            "becomes 1.73 when you divide by D and 1.50 by D − 1",
        ),
        (64, 0.78, "which is 0.8 % less"),
    ],
)
def test_one_and_zeros_is_the_norm_by_torchs_two_spreads(D, less, said):
    widget = divisor()
    widget.setting = {"D": D}
    y, (k,) = widget.panels[0].fields["y0"].at(widget.index), widget.index
    assert y[k] == pytest.approx(less, abs=0.01)
    assert said in widget.summary


@pytest.fixture(scope="module")
def opened():
    return climb()


def test_it_opens_where_a_vector_vanishes_and_nothing_is_learned(opened):
    assert opened.setting == {
        "residual": "off",
        "norm": "none",
        "initial weights": "small",
        "blocks": 24,
    }
    up = opened.panels[0].fields["y0"].at(opened.index)
    assert len(up) == 25
    assert up[-1] < 1e-26


def test_each_stack_has_the_losses_of_its_name(opened):
    loss, low, high = (opened.panels[1].fields[k] for k in ("y0", "low0", "high0"))
    every = product(("on", "off"), NORMS.items(), STARTS, DEPTHS)
    for residual, (norm, stack), start, depth in every:
        opened.setting = {
            "residual": residual,
            "norm": norm,
            "initial weights": start,
            "blocks": depth,
        }
        at = opened.index
        cut = "-cut" * (residual == "off")
        run = runs.load(f"deep-{stack}{cut}-{depth}-{start}")
        first = [curve.loss[:WINDOW].mean() for curve in run.curves.values()]
        found = [field.at(at)[0] for field in (loss, low, high)]
        np.testing.assert_allclose(found, [first[0], min(first), max(first)])


def test_eight_of_twelve_kinds_of_24_blocks_learn_nothing():
    learned = [
        runs.load(f"deep-{norm}{cut}-24-{start}").per_seed("unseen").min() < 4.2
        for norm, cut, start in product(("none", "pre", "post"), ("", "-cut"), STARTS)
    ]
    assert (len(learned), sum(learned)) == (12, 4)


def test_the_first_and_the_last_size_are_said_and_who_stays_at_the_baseline(opened):
    said = json.dumps(opened.spec["summary"], ensure_ascii=False)
    for each in (
        "Size: 1.4 at first, 3 × 10⁻²⁷ at the top. After training: at the unigram ",
        "Size: 1.4 at first, 7.7 at the top. After training: 2.36, 2.37, 2.38 nats (",
        "790,000 at the top. After training: 1,700,794, 741,790, 536,700 nats (",
    ):
        assert said.count(each) == 1


def test_a_single_word_has_no_likeness_and_the_figure_says_so():
    for norm, residual in product(("none", "pre", "post"), (True, False)):
        one, two = (way_up(text, norm, residual) for text in ("bread", "the bread"))
        assert (one["rows"], one["several"].item()) == (0, 0)
        assert (two["rows"], two["several"].item()) == (25, 1)
    assert ALONE in str(likeness().spec["summary"])


def test_which_stacks_learn_is_predicted_before_it_is_shown():
    widget = by_depth()
    assert widget.spec["predict"]["options"] == ["no norm", "post-norm", "pre-norm"]
    fields = widget.panels[0].fields
    for k, norm in enumerate(("none", "post", "pre")):
        runs_of = [runs.load(f"deep-{norm}-{N}-full") for N in DEPTHS]
        unseen = [run.per_seed("unseen") for run in runs_of]
        for name, of in ((f"y{k}", np.mean), (f"low{k}", np.min), (f"high{k}", np.max)):
            due = of(unseen, axis=1)
            np.testing.assert_allclose(fields[name].at(widget.index), due)
