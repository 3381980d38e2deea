"""The Transformer, drawn: the encoder on the left, the decoder on the right, each from
the bottom to the top.

A line from one vector to another is a look. In the decoder's own attention none leads
to the left, as later words are hidden; its cross-attention looks at the encoder's X.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, TAKEN, Drawing
from attention_book.plots.style import INK

N, STEP, ASIDE = 3, 0.8, 3.6  # words a side; from word to word, to the decoder
CELL, EDGE = 0.13, 0.25  # a cell of a vector; from its centre to where lines begin
PART, HALF = 0.62, 0.21  # height of a look; half that of an MLP
WORDS, READ, SELF, MLP, X = -0.55, 0.45, 1.05, 2.1, 3.0  # heights in the encoder
CROSS, THINK, S, SAID = 2.42, 3.62, 4.45, 5.45  # in the decoder, above its READ, SELF


def transformer_drawing() -> Axes:
    """Draw an encoder block, a decoder block, and what leads from one to the other.

    Sums and norms, which stand around each part, are left out.
    """
    draw = Drawing(5.3)
    left = STEP * np.arange(N)
    right = left + ASIDE
    for places, words, colour in (
        (left, ("he", "sleeps", "[STOP]"), ASKED),
        (right, ("[START]", "il", "dort"), ASKS),
    ):
        for x, word in zip(places, words, strict=True):
            draw.label(x, WORDS, word)
            draw.arrow((x, WORDS + 0.25), (x, READ - EDGE))
            draw.column(x, READ, colour, 3, tall=CELL)
        _attention_lines(draw, places, SELF, colour, causal=colour == ASKS)
    for x in left:
        draw.box(x, MLP, "", ASKED, 0.44, 2 * HALF)
        _line(draw, (x, SELF + PART), (x, MLP - HALF), ASKED)
        draw.arrow((x, MLP + HALF), (x, X - EDGE), ASKED)
        draw.column(x, X, ASKED, 3, tall=CELL)
    for x, word in zip(right, ("il", "dort", "[STOP]"), strict=True):
        _line(draw, (x, SELF + PART), (x, CROSS - HALF), ASKS)
        _line(draw, (x, CROSS + HALF), (x, THINK - HALF), OUT)
        draw.arrow((x, THINK + HALF), (x, S - EDGE), OUT)
        draw.column(x, S, OUT, 3, tall=CELL)
        draw.arrow((x, S + EDGE), (x, SAID - 0.22))
        draw.box(x, THINK, "", OUT, 0.44, 2 * HALF)
        draw.label(x, SAID, word, fontweight="bold")
    _cross(draw, left, right)
    _labels(draw, left, right)
    return draw.cropped(xlim=(-0.75, right[-1] + 1.05), ylim=(WORDS - 0.3, SAID + 0.3))


def _line(draw: Drawing, start, end, colour: str = INK, alpha: float = 1) -> None:
    draw.line(start, end, colour=colour, alpha=alpha, zorder=1)


def _attention_lines(
    draw: Drawing, places, low: float, colour: str, *, causal: bool
) -> None:
    """A line from each vector to each that looks at it; those to the last are dark."""
    for t, to in enumerate(places):
        _line(draw, (to, READ + EDGE), (to, low), colour)
        for x in places[: t + 1 if causal else N]:
            alpha = 1 if to == places[-1] else 0.4
            _line(draw, (x, low), (to, low + PART), INK, alpha)


def _cross(draw: Drawing, left, right) -> None:
    """Keys and values of every X go to each word's cross-attention."""
    turn = (left[-1] + right[0]) / 2
    for x in left:
        _line(draw, (x, X + EDGE), (x, X + 0.5), TAKEN)
    _line(draw, (left[0], X + 0.5), (turn, X + 0.5), TAKEN)
    _line(draw, (turn, X + 0.5), (turn, CROSS), TAKEN)
    draw.arrow((turn, CROSS), (right[0] - 0.36, CROSS), TAKEN)
    middle, width = right.mean(), right[-1] - right[0] + 0.66
    draw.box(middle, CROSS, "cross-attention", OUT, width, 2 * HALF)


def _labels(draw: Drawing, left, right) -> None:
    aside, beside = left[-1] + 0.3, right[-1] + 0.3
    asking = (SELF + PART + CROSS - HALF) / 2
    for x, y, text, colour, side in (
        (aside, SELF + PART / 2, "all see\nall", INK, "left"),
        (beside, SELF + PART / 2, "none\nsees\nlater", INK, "left"),
        (aside, MLP, "MLP", INK, "left"),
        (beside, THINK, "MLP", INK, "left"),
        (aside, READ, "+ position", INK, "left"),
        (beside, READ, "+ position", INK, "left"),
        (left[0] - 0.3, X, "$X$", ASKED, "right"),
        (right[0] - 0.3, S, "$S$", OUT, "right"),
        (left.mean(), X + 0.75, "$K, V$", TAKEN, "center"),
        (beside, asking, "$Q$", ASKS, "left"),
    ):
        draw.label(x, y, text, colour, SIZE, ha=side)
