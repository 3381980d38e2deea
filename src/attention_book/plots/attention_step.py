"""One step of attention, drawn: a state asks, every input gets a score and a weight,
and their mixture helps to write the next word. Read it from the bottom to the top.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, Drawing
from attention_book.plots.style import INK
from attention_book.shapes import check_filled

WORDS, INPUTS, SCORES, WEIGHTS, CONTEXT = 0.0, 0.95, 2.0, 2.95, 4.2  # heights
FAINTEST = 0.2


def attention_step(
    source: Sequence[str],
    weights: Sequence[float],
    *,
    read: str,
    written: str,
) -> Axes:
    """Draw one step of a decoder that attends.

    Parameters
    ----------
    source : sequence of N_X str
        The words of the inputs.
    weights : sequence of N_X float
        The weight of each input, 0 to 1; they sum to 1. The scores drawn below are
        their logarithms.
    read, written : str
        The word before, which the state has read, and the word that is written.
    """
    check_filled("source", source, "word")
    if len(weights) != len(source):
        raise ValueError(
            f"weights has {len(weights)} numbers, expected {len(source)}: one for each "
            "word of source"
        )
    if min(weights) <= 0 or abs(sum(weights) - 1) > 1e-3:
        raise ValueError(
            f"weights is {list(weights)}: expected positive numbers that sum to 1"
        )
    N_X = len(source)
    asker, middle = N_X + 1.4, (N_X + 1) / 2
    draw = Drawing(3.9, 4.8)
    scores = np.log(weights)
    bars = 0.12 + 0.38 * (scores - scores.min()) / max(np.ptp(scores), 1e-9)
    for i, (word, weight, bar) in enumerate(zip(source, weights, bars, strict=True), 1):
        draw.label(i, WORDS, word, size=SIZE + 1)
        draw.column(i, INPUTS, ASKED)
        draw.line((i, 0.18), (i, INPUTS - 0.47))
        draw.line((i, INPUTS + 0.47), (i, SCORES - 0.3), colour=ASKED)
        draw.fill((i - 0.14, SCORES - 0.25), 0.28, bar, INK)
        draw.arrow((i, SCORES + 0.32), (i, WEIGHTS - 0.24))
        alpha = max(weight / max(weights), FAINTEST)
        draw.square(i, WEIGHTS, alpha, side=0.4)
        way = (i, WEIGHTS + 0.24), (middle, CONTEXT - 0.47)
        draw.line(*way, colour=OUT, alpha=alpha, lw=2.6)
    draw.column(middle, CONTEXT, OUT)
    _asker(draw, asker)
    draw.arrow((middle + 0.2, CONTEXT), (asker - 0.62, CONTEXT), OUT)
    draw.label(asker, WORDS, read, size=SIZE + 1)
    draw.label(asker, CONTEXT, written, size=SIZE + 1, fontweight="bold")
    for x, y, name, colour in (
        (1.32, INPUTS, "$h_1$", ASKED),
        (N_X + 0.32, INPUTS, "$h_T$", ASKED),
        (0.35, SCORES, "$e_t$", INK),
        (0.35, WEIGHTS, "$a_t$", ASKED),
        (middle - 0.42, CONTEXT, "$c_t$", OUT),
        (asker + 0.34, INPUTS, "$s$", ASKS),
    ):
        draw.label(x, y, name, colour, SIZE + 3)
    return draw.cropped(xlim=(0, N_X + 2.2), ylim=(-0.3, CONTEXT + 0.5))


def _asker(draw: Drawing, x: float) -> None:
    """The state, and its ways to the scores and to the next word."""
    aside, low = x - 0.4, SCORES - 0.32
    draw.column(x, INPUTS, ASKS)
    draw.line((x, 0.18), (x, INPUTS - 0.47))
    draw.line((x - 0.15, INPUTS + 0.2), (aside, INPUTS + 0.2), colour=ASKS)
    draw.line((aside, INPUTS + 0.2), (aside, low), colour=ASKS)
    draw.arrow((aside, low), (0.75, low), ASKS)
    draw.arrow((x, INPUTS + 0.47), (x, CONTEXT - 0.3), ASKS)
