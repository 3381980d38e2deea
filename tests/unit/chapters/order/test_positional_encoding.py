"""PositionalEncoding draws the reference's positions, and says what its curve shows."""

import re

import numpy as np
import pytest

from attention_book.chapters.order.positional_encoding import (
    BASE,
    BASES,
    POSITION,
    WIDTH,
    WIDTHS,
    N,
)
from attention_book.chapters.order.widgets import positional_encoding
from attention_book.reference import positional_encoding as reference

CORNERS = [(t, D, base) for t in (0, 20, N - 1) for D in WIDTHS for base in BASES]


@pytest.fixture(scope="module")
def widget():
    return positional_encoding()


def shown(widget, t, D, base):
    """The map, a row for each position, and the curve."""
    widget.setting = {POSITION: t, WIDTH: D, BASE: base}
    heat, lines = (panel.fields for panel in widget.panels)
    return heat["values"].at(widget.index).T, lines["y0"].at(widget.index)


@pytest.mark.parametrize("D", WIDTHS)
def test_the_map_holds_the_references_positions(widget, D):
    P, _ = shown(widget, 3, D, 10_000)
    np.testing.assert_allclose(P, reference(N, D), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("t", "D", "base"), CORNERS)
def test_the_curve_is_the_dot_product_with_every_position(widget, t, D, base):
    P, curve = shown(widget, t, D, base)
    np.testing.assert_allclose(curve, P @ P[t] / (D / 2), rtol=0, atol=1e-12)
    assert curve.argmax() == t


@pytest.mark.parametrize("t", [0, 7, N - 1])
def test_sliding_t_moves_the_curve_and_keeps_its_shape(widget, t):
    apart = np.abs(np.arange(N) - t)
    for D in WIDTHS:
        _, first = shown(widget, 0, D, 1000)
        _, curve = shown(widget, t, D, 1000)
        np.testing.assert_allclose(curve, first[apart], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("t", "D", "base"), CORNERS)
def test_what_is_said_is_on_the_curve(widget, t, D, base):
    _, curve = shown(widget, t, D, base)
    said = widget.spec["summary"]["of"][
        WIDTHS.index(D) * len(BASES) + BASES.index(base)
    ]
    found = re.findall(r"at distance (\d+) (-?\d\.\d\d)", said)
    assert len(found) == 3
    for distance, cosine in found:
        u = t + int(distance) if t + int(distance) < N else t - int(distance)
        assert f"{curve[u]:.2f}" == cosine


def test_it_opens_at_the_lectures_base_and_fits_a_screen():
    widget = positional_encoding()
    assert widget.setting == {POSITION: 20, WIDTH: 32, BASE: 10_000}
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760
