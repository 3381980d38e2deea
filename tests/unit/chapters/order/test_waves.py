"""Waves draws the reference's positions, and says what its curve shows."""

import re

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.order.tasks import LONGEST
from attention_book.chapters.order.waves import (
    BASES,
    LEARNED,
    POSITION,
    TABLE,
    TABLES,
    WIDTH,
    WIDTHS,
    N,
)
from attention_book.chapters.order.widgets import waves
from attention_book.reference import positional_encoding

LECTURES = "sine, base 10000"
CORNERS = [(t, D, table) for t in (0, 20, N - 1) for D in WIDTHS for table in BASES]


@pytest.fixture(scope="module")
def widget():
    return waves()


def shown(widget, t, D, table, curve="y0"):
    """The map, a row for each position, and the curve."""
    widget.setting = {POSITION: t, WIDTH: D, TABLE: table}
    heat, lines = (panel.fields for panel in widget.panels)
    return heat["values"].at(widget.index).T, lines[curve].at(widget.index)


def said(widget, D, table):
    """What is read out."""
    widget.setting = {WIDTH: D, TABLE: table}
    return widget.summary.replace("\N{MINUS SIGN}", "-")


@pytest.mark.parametrize("D", WIDTHS)
def test_the_map_holds_the_references_positions(widget, D):
    P, _ = shown(widget, 3, D, LECTURES)
    np.testing.assert_allclose(P, positional_encoding(N, D), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("t", "D", "table"), CORNERS)
def test_the_curve_is_the_dot_product_with_every_position(widget, t, D, table):
    P, curve = shown(widget, t, D, table)
    np.testing.assert_allclose(curve, P @ P[t] / (D / 2), rtol=0, atol=1e-12)
    assert curve.argmax() == t


@pytest.mark.parametrize("t", [0, 7, N - 1])
def test_sliding_t_moves_the_curve_and_keeps_its_shape(widget, t):
    apart = np.abs(np.arange(N) - t)
    for D in WIDTHS:
        _, first = shown(widget, 0, D, "sine, base 1000")
        _, curve = shown(widget, t, D, "sine, base 1000")
        np.testing.assert_allclose(curve, first[apart], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("t", "D", "table"), CORNERS)
def test_what_is_said_is_on_the_curve(widget, t, D, table):
    _, curve = shown(widget, t, D, table)
    found = re.findall(r"(-?\d\.\d\d) at distance (\d+)", said(widget, D, table))
    assert len(found) == 3
    for cosine, distance in found:
        u = t + int(distance) if t + int(distance) < N else t - int(distance)
        assert f"{curve[u]:z.2f}" == cosine


def test_the_learned_table_is_the_recorded_one_beside_any_sine(widget):
    P = runs.load("order-who-learned").model().positions.P.detach().numpy()[:N]
    for D in WIDTHS:
        table, _ = shown(widget, 5, D, LEARNED)
        np.testing.assert_allclose(table, P, atol=1e-6)
    for table in TABLES:
        _, curve = shown(widget, 5, 8, table, "y1")
        cosines = P @ P[5] / np.linalg.norm(P, axis=1) / np.linalg.norm(P[5])
        np.testing.assert_allclose(curve, cosines, atol=1e-6)


def test_what_is_said_of_the_learned_table_is_on_its_curves(widget):
    steps = [shown(widget, t, 4, LEARNED, "y1")[1][t + 1] for t in range(LONGEST)]
    for D in WIDTHS:
        found = re.findall(r"-?\d\.\d\d", said(widget, D, LEARNED))
        assert found == [f"{min(steps):.2f}", f"{max(steps):.2f}"]
