"""PositionalEncoding: a position as a column of waves, and which positions are alike.

P[t] holds sines and cosines of t at D / 2 frequencies, from 1 down to nearly 1 / base
[vaswani2017attention]. The product of two rows depends on how far apart they are, and
not on where: sliding t moves the curve along and leaves its shape.
"""

from __future__ import annotations

from attention_book.widgets.controls import select, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.functions import positional_encoding as encoding
from attention_book.widgets.functions import row_cosines
from attention_book.widgets.grids import heat_map
from attention_book.widgets.widget import Widget

POSITION, WIDTH, BASE = "position t", "width D", "base"
N = 48
WIDTHS, BASES = (4, 8, 16, 32), (10, 100, 1000, 10_000)
APART = (1, 6, 12)


def positional_encoding(*, link: str = "positions") -> Widget:
    """Show sine positions as columns, and how like position t every other is."""
    P = computed("positional_encoding", N=N, D=control(WIDTH), base=control(BASE))

    def summary(D: int, base: int) -> str:
        alike = row_cosines(encoding(N, D, base), 0)
        said = [f"at distance {k} {alike[k]:.2f}" for k in APART]
        return f"Cosine, for every t: {', '.join(said)}."

    return Widget(
        title="Positions as waves",
        question="Predict: what does t change in the curve?",
        controls=[
            slider(POSITION, range(N), default=20),
            slider(WIDTH, WIDTHS, default=32),
            select(BASE, BASES, default=10_000),
        ],
        panels=[
            heat_map(
                over(WIDTH, [range(D) for D in WIDTHS]),
                range(N),
                computed("transposed", rows=P),
                label="P: a column for each position",
                axes=("entry", "position"),
                limits=(-1, 1),
                diverging=True,
                say="entry {row} of position {column} is {value}",
                cell=(6, 4),
                half=True,
            ),
            lines(
                range(N),
                {"cosine": computed("row_cosines", rows=P, at=control(POSITION))},
                x_label="position u",
                y_label="cosine of position t and position u",
                marker=control(POSITION),
                y_limits=(-1, 1),
                height=190,
                half=True,
            ),
        ],
        follow={"position": POSITION},
        summary=over(WIDTH, BASE, summary),
        link=link,
    )
