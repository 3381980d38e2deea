"""Drawings of norms and residuals: a stream past two blocks, over which numbers a norm
averages, and where it stands.

What a part finds is green, the sums violet; gold is around the numbers that one mean is
taken over. Padding is hatched.
"""

from __future__ import annotations

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, GOLD, OUT, SIZE, TAKEN, Drawing
from attention_book.plots.style import INK

D, CELL, STEP = 5, 0.2, 0.42  # cells of a vector, a cell's height, from word to word
LENGTHS, N_X = (4, 3), 4  # words of the 2 sentences, and places in each
ACROSS = 4.6  # from drawing to drawing
FORK, TOP, SIDE = 0.5, 2.75, 0.9  # heights; how far aside a part stands
BOXES = {"$f$": (TAKEN, 0.86, 0.4), "norm": (INK, 0.86, 0.4)}  # colour, width, height
PLACES = {  # what stands beside the stream, and what in it, behind the sum
    "no norm": (("$f$",), ()),
    "post-norm": (("$f$",), ("norm",)),
    "pre-norm": (("norm", "$f$"), ()),
}


def residual_stream() -> Axes:
    """Draw two blocks beside the stream, each of attention and an MLP."""
    draw = Drawing(4.2)
    draw.column(0, 0, ASKED, tall=0.13)
    below = 0.26
    parts = ("attention", "MLP") * 2
    for k, part in enumerate(parts):
        y = 0.5 + k + 0.25 * (k // 2)  # where its side road leaves
        plus = y + 0.7
        draw.line((0, y), (SIDE, y), (SIDE, y + 0.15), colour=TAKEN)
        draw.box(SIDE, y + 0.35, part, TAKEN, 1.5, 0.4)
        draw.line((SIDE, y + 0.55), (SIDE, plus), colour=TAKEN)
        draw.arrow((SIDE, plus), (0.15, plus), TAKEN)
        draw.label(0, plus, "+", OUT, SIZE + 3)
        colour = OUT if k else ASKED
        draw.line((0, below), (0, y + 0.57), colour=colour, lw=3)
        below = plus + 0.13
        if k % 2 == 0:
            draw.frame((-0.3, y - 0.12), 2.2, 1.96, INK, ls=":")
            draw.label(2.05, y + 0.86, f"block {k // 2 + 1}", ha="left")
    draw.line((0, below), (0, y + 1.1), colour=OUT, lw=3)
    draw.column(0, y + 1.36, OUT, tall=0.13)
    draw.label(-0.35, 0, "$X$", ASKED, SIZE + 1)
    draw.label(-0.35, y + 1.36, "$Y$", OUT, SIZE + 1)
    return draw.cropped(xlim=(-1.6, 3.4), ylim=(-0.35, y + 1.75))


def norm_axes() -> Axes:
    """Draw over which numbers layer norm and batch norm average, for one output."""
    draw = Drawing(2.3)
    for left, name in ((0.0, "layer norm"), (ACROSS, "batch norm")):
        for b, length in enumerate(LENGTHS):
            for i in range(N_X):
                x = left + _place(b, i)
                draw.column(x, 0, ASKED, D, tall=CELL, hidden=i >= length)
            draw.label(left + _place(b, 1.5), -0.85, f"sentence {b + 1}")
        middle = left + N_X * STEP - 0.1
        draw.label(middle, 0.95, name, size=SIZE + 1, va="baseline")
    gold = {"colour": GOLD, "lw": 2.6, "zorder": 4}
    one_word = (_place(0, 1) - 0.17, -D * CELL / 2 - 0.05)
    draw.frame(one_word, 0.34, D * CELL + 0.1, **gold)
    one_feature = (ACROSS - 0.19, CELL / 2 - 0.02)
    draw.frame(one_feature, _place(1, N_X - 1) + 0.38, CELL + 0.04, **gold)
    limits = {"xlim": (-0.35, ACROSS + _place(1, N_X)), "ylim": (-1.05, 1.25)}
    return draw.cropped(**limits, aspect="equal")


def _place(b: int, i: float) -> float:
    """Where word i of sentence b stands."""
    return b * (N_X * STEP + 0.35) + i * STEP


def norm_places() -> Axes:
    """Draw one part with its residual, without a norm, post-norm and pre-norm."""
    draw = Drawing(3.0)
    for k, (name, (beside, behind)) in enumerate(PLACES.items()):
        x, y = 2.6 * k, FORK
        aside = x + SIDE
        draw.column(x, 0, ASKED, tall=0.13)
        draw.line((x, FORK), (aside, FORK), colour=TAKEN)
        for part in beside:
            draw.line((aside, y), (aside, y + 0.2), colour=TAKEN)
            draw.box(aside, y + 0.4, part, *BOXES[part])
            y += 0.6
        plus = y + 0.2
        draw.line((aside, y), (aside, plus), colour=TAKEN)
        draw.arrow((aside, plus), (x + 0.15, plus), TAKEN)
        draw.line((x, 0.26), (x, plus - 0.13), colour=ASKED, lw=3)
        draw.label(x, plus, "+", OUT, SIZE + 3, fontweight="bold")
        stops = [plus + 0.13]
        for part in behind:
            draw.box(x, plus + 0.6, part, *BOXES[part])
            stops += [plus + 0.4, plus + 0.8]
        for low, high in zip(stops[::2], [*stops[1::2], TOP], strict=True):
            draw.line((x, low), (x, high), colour=OUT, lw=3)
        draw.column(x, TOP + 0.26, OUT, tall=0.13)
        draw.label(x + SIDE / 2, -0.55, name)
    return draw.cropped(xlim=(-0.5, 7.0), ylim=(-0.75, TOP + 0.65))
