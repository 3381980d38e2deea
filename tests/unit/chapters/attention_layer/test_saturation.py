"""Saturation: scores have the variances they should, the gradient is softmax's own, and
what is said is what is drawn.
"""

import numpy as np
import pytest
import torch

from attention_book.chapters.attention_layer.gradients import (
    PLAIN,
    SCALED,
    WIDTHS,
    drawn_scores,
    gradient_size,
    softmax_jacobian,
)
from attention_book.chapters.attention_layer.widgets import SCORES, WIDTH, saturation
from attention_book.reference import softmax

SETTINGS = [(D, how) for D in WIDTHS for how in (PLAIN, SCALED)]


@pytest.fixture(scope="module")
def widget():
    return saturation()


def shown(widget, D, how):
    """Fields of bars and lines at a setting."""
    widget.setting = {WIDTH: D, SCORES: how}
    return [
        {name: field.at(widget.index) for name, field in panel.fields.items()}
        for panel in widget.panels
    ]


@pytest.mark.parametrize(("D", "how"), SETTINGS)
def test_weights_are_of_the_scores_that_stand_before_them(widget, D, how):
    bars, _ = shown(widget, D, how)
    e = [float(each.split("= ")[1].replace("−", "-")) for each in bars["labels"]]
    np.testing.assert_allclose(bars["values"], softmax(np.array(e)), atol=0.06)
    assert bars["values"].sum() == pytest.approx(1)


@pytest.mark.parametrize(("D", "how"), SETTINGS)
def test_what_is_said_is_the_curve_at_the_marker(widget, D, how):
    _, lines = shown(widget, D, how)
    at = list(lines["x"]).index(D)
    assert widget.summary.startswith(f"At D = {D} ")
    size = lines["y0"][at]
    written = f"{size:.2f}" if size >= 0.005 else "below 0.005"
    assert widget.summary.endswith(f" {written} for {how}.")
    assert (lines["low0"] <= lines["y0"]).all()
    assert (lines["y0"] <= lines["high0"]).all()


def test_no_score_is_less_than_zero_by_nothing(widget):
    labels = widget.panels[0].fields["labels"].leaves.ravel()
    assert not [each for leaf in labels for each in leaf if each.endswith("−0.0")]


def test_undivided_weights_become_one_hot_and_divided_ones_do_not(widget):
    (_, plain), (_, scaled) = (shown(widget, 512, how) for how in (PLAIN, SCALED))
    assert plain["y0"][-1] < 0.01 < 0.3 < scaled["y0"].min()
    assert np.ptp(scaled["y0"]) < 0.05
    largest = {
        how: shown(widget, 512, how)[0]["values"].max() for how in (PLAIN, SCALED)
    }
    assert largest[SCALED] < 0.8 < 0.99 < largest[PLAIN]


def test_the_jacobian_is_the_one_that_torch_finds_and_the_gradient_its_norm():
    e = np.random.default_rng(1).normal(size=(3, 5)) * 2
    J = [torch.func.jacrev(lambda x: x.softmax(-1))(row) for row in torch.tensor(e)]
    np.testing.assert_allclose(softmax_jacobian(softmax(e)), np.stack(J), rtol=1e-11)
    expected = [torch.linalg.matrix_norm(each).item() for each in J]
    np.testing.assert_allclose(gradient_size(softmax(e)), expected, rtol=1e-12)


def test_scores_have_the_variance_of_their_width_and_divided_ones_have_one():
    E = drawn_scores(1000, 0)
    plain, scaled = (E[how].var(axis=(0, 2)) for how in (PLAIN, SCALED))
    np.testing.assert_allclose(plain, WIDTHS, rtol=0.15)
    np.testing.assert_allclose(scaled, 1, rtol=0.15)
