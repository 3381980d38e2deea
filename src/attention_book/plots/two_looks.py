"""How two blocks look something up in a text, drawn: chapter 15."""

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, TAKEN, Drawing

WORDS = ("fox", "7", "bird", "2", "fox")
STEP, WIDE = 1.25, 1.15  # from word to word; a box
ROWS = (0.0, 1.2, 2.5, 3.4)  # words, after block 1, the query, what is found
EDGE = 0.27  # from a row to where arrows begin


def two_looks() -> Axes:
    """Draw the two looks after which *fox* is followed by 7."""
    draw = Drawing(3.6)
    places = [STEP * n for n in range(len(WORDS))]
    for n, (x, word) in enumerate(zip(places, WORDS, strict=True)):
        draw.box(x, ROWS[0], word, ASKED, WIDE)
        if n % 2 == 0:
            draw.box(x, ROWS[1], word, ASKED, WIDE)
            continue
        draw.box(x, ROWS[1], f"{word}\nafter {WORDS[n - 1]}", TAKEN, WIDE, 0.62)
        draw.arrow((places[n - 1], EDGE), (x - 0.2, ROWS[1] - 0.33), TAKEN)
    last = places[-1]
    draw.box(last, ROWS[2], "after fox?", ASKS, WIDE)
    draw.box(last, ROWS[3], "7", OUT, WIDE)
    draw.arrow((last, ROWS[1] + EDGE), (last, ROWS[2] - EDGE), ASKS)
    draw.arrow((last - WIDE / 2, ROWS[2]), (places[1] + 0.3, ROWS[1] + 0.33), ASKS)
    draw.line(
        (last - 0.4, ROWS[2] - EDGE),
        (places[3], ROWS[1] + 0.33),
        colour=ASKED,
        linestyle=":",
    )
    draw.arrow((places[1], ROWS[1] + 0.33), (last - WIDE / 2, ROWS[3]), OUT)
    draw.label(places[0], 0.6, "block 1", TAKEN)
    draw.label(places[0], ROWS[2], "block 2", ASKS)
    draw.label(places[3] - 0.2, 2.52, "match", ASKS)
    draw.label(places[3] - 0.5, 1.75, "no match", ASKED)
    return draw.cropped(xlim=(-0.65, last + 0.65), ylim=(-0.3, 3.7), aspect="equal")
