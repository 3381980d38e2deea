"""NormByHand is the reference's norm, and what its buttons are there to show holds."""

import numpy as np
import pytest

from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    BETA,
    GAMMA,
    OUT,
    PRESETS,
)
from attention_book.chapters.norm_and_residuals.widgets import norm_by_hand
from attention_book.reference import layer_norm


def shown(widget):
    """What the panel shows: x, z and y."""
    fields = widget.panels[0].fields
    return [fields[f"v{k}"].at(widget.index) for k in range(3)]


def z_of(preset):
    widget = norm_by_hand()
    widget.setting = {"x": PRESETS[preset]}
    return shown(widget)[1]


@pytest.mark.parametrize("gamma", [0.0, 0.75, 1.25])
@pytest.mark.parametrize("x", [*PRESETS.values(), np.full(6, -4.0), np.arange(6) / 10])
def test_z_and_y_are_those_of_the_reference(x, gamma):
    widget = norm_by_hand()
    widget.setting = {"x": x, GAMMA: gamma, BETA: -0.25}
    right = [
        layer_norm(np.array(x), np.full(6, g), np.full(6, b))
        for g, b in ((1.0, 0.0), (gamma, -0.25))
    ]
    np.testing.assert_allclose(shown(widget), [x, *right], rtol=0, atol=1e-12)


def test_a_tenth_of_all_numbers_and_three_more_change_what_comes_out_by_epsilon():
    start = z_of("at the start")
    np.testing.assert_allclose(z_of("+ 3"), start, rtol=0, atol=1e-12)
    assert 0 < abs(z_of("÷ 10") - start).max() < 2e-5


def test_one_outlier_makes_all_others_nearly_alike():
    others = np.arange(6) != 2
    start, outlier = (z_of(name)[others] for name in ("at the start", "one outlier"))
    assert (outlier < 0).all()
    assert np.ptp(outlier) < 0.2 * np.ptp(start)


def test_no_bar_of_z_or_y_is_ever_cut_off():
    widget = norm_by_hand()
    gamma, beta = (
        max(control.values)
        for control in widget.controls
        if control.name in (GAMMA, BETA)
    )
    assert gamma * np.sqrt(5) + beta <= OUT  # one of six far off: as far as z can be


def test_it_opens_with_a_norm_that_neither_scales_nor_shifts_and_fits_a_screen():
    widget = norm_by_hand()
    x, z, y = shown(widget)
    np.testing.assert_array_equal(z, y)
    assert abs(x).max() > 3 * abs(z).max()
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760
