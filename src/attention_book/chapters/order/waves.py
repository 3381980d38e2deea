"""Waves: a position as a column of waves, and which positions are alike.

P[t] holds sines and cosines of t at D / 2 frequencies, from 1 down to nearly 1 / base
[vaswani2017attention]. The product of two rows depends on how far apart they are, and
not on where: sliding t moves the curve along and leaves its shape. A learned table has
no such shape to keep.
"""

from attention_book import runs
from attention_book.chapters.order.tasks import LONGEST
from attention_book.widgets.controls import select, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.functions import positional_encoding, row_cosines
from attention_book.widgets.grids import heat_map
from attention_book.widgets.panel import fixed
from attention_book.widgets.widget import Widget

POSITION, WIDTH, TABLE = "position t", "width D", "table P"
N = 48
WIDTHS = (4, 8, 16, 32)
LECTURES = 10_000
BASES = {f"sine, base {base}": base for base in (10, 100, 1000, LECTURES)}
LEARNED = "learned, D = 32"
TABLES = (*BASES, LEARNED)
APART = (1, 6, 12)
SWINGS = "The first rows swing quickly, later ones ever more slowly."
STILL = [*[SWINGS] * len(BASES), "Every number in it was learned."]  # of each table


def waves() -> Widget:
    """Show positions as columns, and how like position t every other is.

    Beside the waves stands a learned table, of the widest width.
    """
    reader = runs.load("order-who-learned").model()
    learned = reader.positions.P.detach().double().numpy()[:N]
    base = over(TABLE, lambda table: BASES.get(table, LECTURES))
    P = computed("positional_encoding", N=N, D=control(WIDTH), base=base)
    is_learned = over(TABLE, lambda table: float(table == LEARNED))
    shown = computed("either", second=is_learned, A=P, B=learned)
    t = control(POSITION)

    def summary(D: int, table: str) -> str:
        if table == LEARNED:
            # the question stands last
            steps = [row_cosines(learned, t)[t + 1] for t in range(LONGEST)]
            return (
                f"Trained at positions 0 to {LONGEST} alone. Cosines at distance 1 "
                f"there: {fixed(min(steps), 2)} to {fixed(max(steps), 2)}."
            )
        alike = row_cosines(positional_encoding(N, D, BASES[table]), 0)
        said = ", ".join(f"{fixed(alike[k], 2)} at distance {k}" for k in APART)
        return f"Cosine, for every t: {said}."

    def sine(D: int, table: str) -> str:
        return f"sine, D = {D}, base {BASES.get(table, LECTURES)}"

    return Widget(
        title="Positions as waves",
        question="Predict: what does t change in the curve?",
        controls=[
            slider(POSITION, range(N), default=10),
            slider(WIDTH, WIDTHS, default=32),
            select(TABLE, TABLES, default="sine, base 10000"),
        ],
        panels=[
            heat_map(
                over(WIDTH, TABLE, lambda D, table: range(D if table in BASES else 32)),
                range(N),
                computed("transposed", rows=shown),
                label="P: a column for each position",
                axes=("entry", "position"),
                limits=(-1.5, 1.5),
                diverging=True,
                say="entry {row} of position {column} is {value}",
                still=over(TABLE, STILL),
                cell=(6, 4),
                half=True,
            ),
            lines(
                range(N),
                {
                    "sine": computed("row_cosines", rows=P, at=t),
                    "learned": computed("row_cosines", rows=learned, at=t),
                },
                x_label="position u",
                y_label="cosine of position t and position u",
                marker=t,
                called={"sine": over(WIDTH, TABLE, sine)},
                y_limits=(-1, 1),
                height=160,
                half=True,
            ),
        ],
        follow={"position": POSITION},
        summary=over(WIDTH, TABLE, summary),
        link="positions",
    )
