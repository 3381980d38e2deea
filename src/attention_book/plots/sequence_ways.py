"""Four ways to process a sequence, drawn: one layer each, over the same inputs.

The ways that lead to the last output are dark, all others faint, and an input that it
does not see is hatched.
"""

from __future__ import annotations

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, EVEN, OUT, Drawing, Point

N = 5  # inputs
STEP, HIGH, CELL = 0.62, 1.25, 0.13  # from input to input, from X to Y, a vector's cell
ACROSS, DOWN = 3.6, 2.45  # from drawing to drawing
REACH = {  # how far an output looks to either side; a recurrent one: back to its state
    "recurrent": 0,
    "convolution, k = 3": 1,
    "self-attention": N,
    "restricted, r = 3": 2,
}


def sequence_ways() -> Axes:
    """Draw a recurrent, a convolutional and two attention layers."""
    draw = Drawing(3.7)
    for place, (name, reach) in enumerate(REACH.items()):
        left, low = ACROSS * (place % 2), -DOWN * (place // 2)
        _layer(draw, left, low, reach, recurrent=name == "recurrent")
        draw.label(left + (N - 1) / 2 * STEP, low + HIGH + 0.55, name)
        draw.label(left - 0.42, low, "$X$", ASKED)
        draw.label(left - 0.42, low + HIGH, "$Y$", OUT)
    limits = {"ylim": (-DOWN - 0.4, HIGH + 0.8), "aspect": "equal"}
    return draw.cropped(xlim=(-0.65, ACROSS + N * STEP - 0.3), **limits)


def _layer(
    draw: Drawing, left: float, low: float, reach: int, *, recurrent: bool
) -> None:
    """One layer: inputs, outputs, and who is made from whom."""
    high, last = low + HIGH, N - 1
    for i in range(N):
        x = left + i * STEP
        seen = recurrent or last - i <= reach
        draw.column(x, low, ASKED, 3, tall=CELL, hidden=not seen)
        draw.column(x, high, OUT, (EVEN if i == last else 0.2,) * 3, tall=CELL)
        for j in range(max(0, i - reach), min(N, i + reach + 1)):
            ends = (left + j * STEP, low + 0.24), (x, high - 0.24)
            _edge(draw, *ends, dark=recurrent or i == last)
        if recurrent and i:
            _edge(draw, (x - STEP + 0.16, high), (x - 0.16, high), dark=True)


def _edge(draw: Drawing, start: Point, end: Point, *, dark: bool) -> None:
    properties = {"lw": 1.4, "zorder": 2} if dark else {"lw": 0.9, "zorder": 1}
    draw.arrow(start, end, mutation_scale=8, alpha=1 if dark else 0.25, **properties)
