"""How two blocks look something up in a text, drawn: chapter 15."""

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, TAKEN, Drawing

WORDS = ("fox", "7", "bird", "2", "fox")
STEP = 1.1  # from word to word
ROWS = (0.0, 1.2, 2.4)  # words, after block 1, after block 2


def two_looks() -> Axes:
    """Draw the two looks after which *fox* is followed by 7."""
    draw = Drawing(2.9)
    places = [0.4 + STEP * n for n in range(len(WORDS))]
    for n, (x, word) in enumerate(zip(places, WORDS, strict=True)):
        draw.box(x, ROWS[0], word, ASKED)
        carried = f"{word} after {WORDS[n - 1]}" if n % 2 else word
        colour = TAKEN if n % 2 else ASKED
        draw.box(x, ROWS[1], carried, colour, 1.0 if n % 2 else 0.62)
        if n % 2:
            draw.arrow((places[n - 1], 0.27), (x - 0.12, ROWS[1] - 0.27), TAKEN)
    draw.box(places[-1], ROWS[2], "7", OUT)
    draw.arrow((places[1], ROWS[1] + 0.27), (places[-1] - 0.33, ROWS[2] - 0.1), ASKS)
    draw.label(places[0] - 0.1, 0.6, "block 1", TAKEN)
    draw.label(places[1], 1.95, "block 2", ASKS)
    return draw.cropped(xlim=(-0.1, 5.2), ylim=(-0.3, 2.75), aspect="equal")
