"""Directions of translation among three languages, drawn: those that are trained, those
that never were, and the way around through English.
"""

from __future__ import annotations

from matplotlib.axes import Axes

from attention_book.plots.diagrams import OUT, Drawing
from attention_book.plots.style import INK

LANGUAGES = {"EN": (2.6, 2.1), "FR": (0.9, 0.5), "ES": (4.3, 0.5)}
TRAINED = (("EN", "FR"), ("EN", "ES"))
ZERO_SHOT = ("FR", "ES")


def directions_drawing() -> Axes:
    """Draw which directions one model is trained in, and two ways from FR to ES."""
    draw = Drawing(2.7)
    for name, (x, y) in LANGUAGES.items():
        draw.box(x, y, name, INK, 0.7, 0.44)
    for pair in TRAINED:
        _way(draw, *pair, arrowstyle="<|-|>")
    _way(draw, *ZERO_SHOT, arrowstyle="<|-|>", ls=(0, (4, 3)))
    for pair in (("FR", "EN"), ("EN", "ES")):
        bent = {"connectionstyle": "arc3,rad=-0.42", "lw": 2.4}
        _way(draw, *pair, colour=OUT, **bent)
    draw.label(2.6, 1.25, "trained")
    draw.label(2.6, 0.24, "zero-shot")
    draw.label(2.6, 2.72, "pivot through EN", OUT)
    return draw.cropped(xlim=(0, 5.2), ylim=(0.05, 2.95), aspect="equal")


def _way(draw: Drawing, start: str, end: str, **properties) -> None:
    room = {"mutation_scale": 14, "shrinkA": 20, "shrinkB": 20}
    draw.arrow(LANGUAGES[start], LANGUAGES[end], **room | properties)
