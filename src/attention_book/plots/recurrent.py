"""Recurrent networks, drawn: an encoder and a decoder, shapes of problems, the gates of
a GRU. Time runs to the right.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, TAKEN, WIDE, Drawing
from attention_book.plots.style import INK
from attention_book.shapes import check_filled

ENCODER, DECODER, NECK = ASKED, ASKS, OUT
SHAPES = (  # a row each: name, inputs, outputs, steps before the first output
    (
        ("one to one", 1, 1, 0),
        ("one to many", 1, 3, 0),
        ("many to one", 3, 1, 2),
    ),
    (
        ("many to many\n(after reading)", 3, 3, 2),
        ("many to many\n(in step)", 3, 3, 0),
    ),
)
TALL, BROAD = 0.24, 0.32  # of a cell of a GRU
R, Z = (0.15, 0.9, 0.5, 0.8), (0.95, 0.1, 0.6, 0.3)  # what its gates let through


def encoder_decoder(source: Sequence[str], target: Sequence[str]) -> Axes:
    """Draw the unrolled encoder, the decoder above it, and the one context c between.

    Parameters
    ----------
    source, target : sequence of str
        The words; [START] and [STOP] are added where the decoder needs them.
    """
    check_filled("source", source, "word")
    check_filled("target", target, "word")
    fed, predicted = ["[START]", *target], [*target, "[STOP]"]
    steps = max(len(source), len(fed))
    draw = Drawing(4.1, WIDE * max(1.0, (steps + 1.7) / 5.7))
    # where c, h and s are, and the way from c to s
    neck, read, write, bus = steps + 0.8, 1.0, 3.75, 2.2
    for t, word in enumerate(source, start=1):
        x = t + steps - len(source)
        draw.column(x, read, ENCODER, name=f"$h_{{{t}}}$")
        draw.label(x, 0, word)
        draw.arrow((x, 0.2), (x, 0.56))
        if t > 1:
            draw.arrow((x - 0.83, read), (x - 0.17, read))
    draw.arrow((steps + 0.17, read), (neck - 0.17, read), NECK)
    draw.column(neck, read, NECK, name="$c$")
    draw.line((neck, read + 0.42), (neck, bus), (0, bus), colour=NECK)
    draw.column(0, write, DECODER, name="$s_0$")
    draw.arrow((0, bus), (0, write - 0.44), NECK)
    for t, (seen, said) in enumerate(zip(fed, predicted, strict=True), start=1):
        draw.column(t, write, DECODER, name=f"$s_{{{t}}}$")
        draw.label(t, 2.75, seen)
        draw.label(t, 4.75, said, fontweight="bold")
        draw.arrow((t, 2.95), (t, write - 0.44))
        draw.arrow((t, write + 0.44), (t, 4.55))
        draw.arrow((t - 0.83, write), (t - 0.17, write))
        draw.line((t - 0.42, bus), (t - 0.42, 3.1), colour=NECK)
        draw.arrow((t - 0.42, 3.1), (t - 0.14, write - 0.36), NECK)
    return draw.cropped(xlim=(-0.3, neck + 0.45), ylim=(-0.25, 5.0))


def sequence_shapes() -> Axes:
    """Draw five shapes of sequence problems: inputs below, states, outputs above."""
    draw = Drawing(3.3)
    for down, shapes in enumerate(SHAPES):
        left, y = 0.0, -3.4 * down
        for name, n_in, n_out, delay in shapes:
            steps = max(n_in, n_out + delay)
            for t in range(steps):
                x = left + t
                draw.box(x, y + 1, "", ENCODER, width=0.5, height=0.42)
                if t:
                    draw.arrow((x - 0.72, y + 1), (x - 0.27, y + 1))
                if t < n_in:
                    draw.box(x, y + 0.1, "", INK, width=0.34, height=0.26)
                    draw.arrow((x, y + 0.25), (x, y + 0.77))
                if delay <= t < delay + n_out:
                    draw.box(x, y + 1.9, "", OUT, width=0.34, height=0.26)
                    draw.arrow((x, y + 1.23), (x, y + 1.75))
            draw.label(left + (steps - 1) / 2, y - 0.3, name, va="top")
            left += steps + 1.3
    return draw.cropped(xlim=(-0.9, 9.2), ylim=(-4.9, 2.2))


def gru_gates() -> Axes:
    """Draw one step of a GRU: h_t = (1 - z) * n + z * h_{t-1}."""
    draw = Drawing(3.5)
    even, half = (0.5,) * len(Z), len(Z) * TALL / 2
    keep, propose, out = 2.9, 1.15, 2.0  # heights of the two ways, and where they meet
    for x, y, colour, weights, name in (
        (0, keep, ASKED, even, "$h_{t-1}$"),
        (3.7, keep, INK, Z, "$z$"),
        (1, propose, INK, R, "$r$"),
        (2.35, propose, TAKEN, even, "$n$"),
        (3.7, propose, INK, [1 - gate for gate in Z], "$1 - z$"),
    ):
        draw.column(x, y, colour, weights, name, width=BROAD, tall=TALL)
    draw.arrow((0.2, keep), (3.5, keep), ASKED)
    draw.arrow((3.9, keep), (4.95, out + 0.2), ASKED)
    draw.line((0, keep - half - 0.03), (0, propose), colour=ASKED)
    draw.arrow((0, propose), (0.8, propose), ASKED)
    draw.arrow((1.2, propose), (2.15, propose), ASKED)
    draw.label(2.35, 0.02, "$x_t$")
    draw.arrow((2.35, 0.2), (2.35, propose - half - 0.03))
    draw.arrow((2.55, propose), (3.5, propose), TAKEN)
    draw.arrow((3.9, propose), (4.95, out - 0.2), TAKEN)
    for k, gate in enumerate(Z):  # each entry: so much of the old, so much of the new
        y = out + half - (k + 1) * TALL
        for x, colour, weight in ((5.0, ASKED, gate), (5.2, TAKEN, 1 - gate)):
            draw.fill((x, y), 0.2, TALL, colour, weight)
        draw.frame((5.0, y), 0.4, TALL, ASKED, lw=1.1)
    draw.label(5.2, out + half + 0.06, "$h_t$", ASKED, SIZE + 1, va="bottom")
    return draw.cropped(xlim=(-0.25, 5.6), ylim=(-0.2, keep + half + 0.1))
