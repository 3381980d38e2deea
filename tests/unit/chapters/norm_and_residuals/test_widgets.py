"""NormByHand is the reference's norm, and what its buttons are there to show holds.
Climb shows each stack's losses where its name stands.
"""

from itertools import product

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.norm_and_residuals.climb import FACTORS, NORMS, WINDOW
from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    BETA,
    EPS,
    GAMMA,
    PRESETS,
    REACH,
    X,
    one_and_zeros,
)
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, STARTS
from attention_book.chapters.norm_and_residuals.widgets import (
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
    np.testing.assert_allclose(z_of("+ 3"), start, rtol=0, atol=1e-12)
    assert 0 < abs(z_of("÷ 10") - start).max() < 5e-4


def test_one_outlier_makes_all_others_nearly_alike():
    others = np.arange(5) != 2
    start, outlier = (z_of(name)[others] for name in ("start", "outlier"))
    assert (outlier < 0).all()
    assert np.ptp(outlier) < 0.2 * np.ptp(start)


def test_epsilon_decides_where_numbers_are_alike():
    assert np.var(PRESETS["alike"]) == pytest.approx(0.004)
    assert z_of("alike").max() == pytest.approx(1.58, abs=5e-3)
    assert z_of("alike", eps=1.0).max() == pytest.approx(0.10, abs=5e-3)


def test_no_bar_of_z_or_y_is_ever_cut_off():
    widget = norm_by_hand()
    sliders = {each.name: each.values for each in widget.controls[:2]}
    limits = [each["limits"] for each in widget.panels[0].options["vectors"]]
    for end in (max, min):
        outlier = np.full(5, -end(-REACH, REACH))  # one of five as far off as can be
        outlier[2] = end(-REACH, REACH)
        widget.setting = {
            "x": outlier,
            GAMMA: max(sliders[GAMMA]),
            BETA: end(sliders[BETA]),
        }
        drawn = shown(widget)
        assert abs(drawn[1]).max() > 1.99
        for values, (low, high) in zip(drawn, limits, strict=True):
            assert low <= min(values)
            assert max(values) <= high


def test_the_norm_opens_with_the_five_numbers_of_the_text():
    x, z, y = shown(norm_by_hand())
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(z, y)


def test_scale_and_shift_are_said_to_be_the_same_for_all_features():
    for control in norm_by_hand().controls[:2]:
        assert control.name.endswith("(here one for all)")


@pytest.mark.parametrize("widget", [climb, likeness, norm_by_hand, divisor])
def test_a_figure_fits_a_screen(widget):
    wide, narrow = widget().spec["height"]
    assert wide <= 620
    assert narrow <= 760


def test_one_and_zeros_is_the_norm_by_torchs_two_spreads():
    assert one_and_zeros(4) == (pytest.approx(3**0.5), pytest.approx(1.5))
    by_D, by_less = one_and_zeros(64)
    assert 1 - by_less / by_D == pytest.approx(0.008, abs=5e-4)
    widget = divisor()
    widget.setting = {"D": 64}
    (less,) = (widget.panels[0].fields["y0"].at(widget.index)[i] for i in [5])
    assert less == pytest.approx(100 * (1 - by_less / by_D))


@pytest.fixture(scope="module")
def opened():
    return climb()


def test_it_opens_where_a_vector_vanishes_and_nothing_is_learned(opened):
    assert opened.setting == {
        "residual": "off",
        "norm": "none",
        "initial weights ×": 1.0,
        "blocks": 24,
    }
    size = opened.panels[0].fields["y0"].at(opened.index)
    assert len(size) == 25
    assert size[-1] < 1e-26


def test_each_recorded_stack_has_the_losses_of_its_name_and_others_have_none(opened):
    loss, low, high = (opened.panels[1].fields[k] for k in ("y0", "low0", "high0"))
    starts = {factor: name for name, factor in STARTS.items()}
    every = product(("on", "off"), NORMS.items(), FACTORS.items(), DEPTHS)
    for residual, (norm, stack), (label, factor), depth in every:
        opened.setting = {
            "residual": residual,
            "norm": norm,
            "initial weights ×": label,
            "blocks": depth,
        }
        at = opened.index
        if factor not in starts:
            assert len(loss.at(at)) == len(low.at(at)) == 0
            continue
        cut = "-cut" * (residual == "off")
        run = runs.load(f"deep-{stack}{cut}-{depth}-{starts[factor]}")
        first = [curve.loss[:WINDOW].mean() for curve in run.curves.values()]
        found = [field.at(at)[0] for field in (loss, low, high)]
        np.testing.assert_allclose(found, [first[0], min(first), max(first)])


def test_eight_of_twelve_kinds_of_24_blocks_learn_nothing():
    learned = [
        runs.load(f"deep-{norm}{cut}-24-{start}").per_seed("unseen").min() < 4.2
        for norm, cut, start in product(("none", "pre", "post"), ("", "-cut"), STARTS)
    ]
    assert (len(learned), sum(learned)) == (12, 4)


def test_a_size_beyond_the_plot_is_said_to_be_so_wherever_the_reader_goes(opened):
    assert opened.panels[0].options["beyond"] == [True, True]
    assert likeness().panels[0].options["beyond"] == [False, False]
