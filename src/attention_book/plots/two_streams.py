"""Chapter 17, drawn: what a region is, who looks at whom, what two streams learn from
pictures and captions, and paths that are scored by an instruction.

Gold is what belongs to one region: its box, and where it meets its word.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from attention_book.plots.diagrams import ASKED, ASKS, EVEN, GOLD, OUT, Drawing, Point
from attention_book.plots.style import INK
from attention_book.shapes import check_chance, check_count, check_shape

PAGE = 4.2  # inches
THIN = 0.13  # height of a vector's cell

PIXELS, BOX, CELLS = 32, 8, 8  # sides of a picture, a box (pixels), a feature map
SIDE, LOW, MAP, POOLED = 2.6, 1.65, 3.9, 7.85  # of picture and map; where things are
PIXEL = SIDE / PIXELS
NUMBERS = ("left", "top", "right", "bottom", "area")  # of a box
ROW, BESIDE = 0.75, 1.12  # height of the numbers, and from one to the next

LAYER = {"words": (0.0, 6), "regions": (4.7, 4)}  # where a stream begins; vectors
APART, ALL, LOOKS, CHANGED = 0.55, 0.32, 2.05, 3.15  # to the next; heights

WEIGHT, SECOND = 0.5, 4.35  # side of a weight; where the second map begins

WORDS = (0.0, 0.65, 1.4, 2.5, 3.15, 3.8)  # where they are
SEEN = (5.0, 5.85, 6.7, 7.55)  # where [IMG] and the regions are
MASKED, COVERED = WORDS[2], SEEN[2]  # what is hidden of both
PICTURE, THUMB = 0.6, 0.44  # sides of a region's image
BARS = 1.3  # width of all bars
READ, STREAMS, FOUND, SAID = 0.9, 1.9, 2.9, 3.85  # heights

ENTRANCE, PANORAMAS, SCORER, SCORES = (0.2, 0.9), 0.7, 6.4, 7.1  # from left to right
WIDE, HIGH, NEXT, RISE = 1.4, 0.7, 1.75, 0.9  # of a panorama; to the next, and path
LONGEST = 1.3  # of a score
STEPS = [(k // 2 / 4 + 0.1, (k + 1) // 2 / 4) for k in range(7)]
SIGHTS = {
    "door": [[(0.3, 0), (0.3, 0.8), (0.7, 0.8), (0.7, 0)]],
    "stairs": [[*STEPS]],
    "sofa": [
        [(0, 0.1), (0, 0.5), (0.15, 0.5), (0.15, 0.3), (0.85, 0.3), (0.85, 0.5)],
        [(0.85, 0.5), (1, 0.5), (1, 0.1), (0, 0.1)],
        [(0.15, 0.5), (0.15, 0.75), (0.85, 0.75), (0.85, 0.5)],
    ],
    "table": [
        [(0.1, 0), (0.1, 0.5)],
        [(-0.1, 0.5), (1.1, 0.5)],
        [(0.9, 0.5), (0.9, 0)],
    ],
}
PATHS = (  # what is passed, and how well it fits the instruction
    (("door", "stairs", "sofa"), 0.9),
    (("door", "stairs", "table"), 0.4),
    (("door", "table", "sofa"), 0.3),
)
STAGES = {"text alone": "BERT", "web captions": "ViLBERT", "paths": "VLN-BERT"}


def region_vector(
    images: Float[np.ndarray, "N 8 8"], places: Int[np.ndarray, "N 2"]
) -> Axes:
    """Draw how the vector of a picture's first region is made.

    Parameters
    ----------
    images : (N, 8, 8)
        What is in each box; 0 is paper, 1 is ink.
    places : (N, 2)
        Top and left of each box, in pixels of a picture of 32 × 32.
    """
    images, places = np.asarray(images, float), np.asarray(places)
    check_shape("images", images, f"N {BOX} {BOX}")
    check_shape("places", places, "N 2", N=len(images))
    for pixel in places.ravel().tolist():
        check_count("places", pixel, 0, PIXELS - BOX)
    picture = np.zeros((PIXELS, PIXELS))
    for image, (top, left) in zip(images, places, strict=True):
        picture[top : top + BOX, left : left + BOX] = image
    draw = Drawing(2.75, PAGE)
    _show(draw, picture, 0, LOW, SIDE)
    _feature_map(draw, picture)
    draw.frame((0, LOW), SIDE, SIDE, INK, lw=0.8)
    for x in (0, MAP):
        for n, (top, left) in enumerate(places):
            corner = (x + left * PIXEL, LOW + SIDE - (top + BOX) * PIXEL)
            mark = {"colour": INK, "lw": 1} if n else {"colour": GOLD, "lw": 2}
            draw.frame(corner, BOX * PIXEL, BOX * PIXEL, **mark, zorder=4)
    top, left = places[0].tolist()
    y = LOW + SIDE - (top + BOX / 2) * PIXEL
    draw.arrow((SIDE + 0.1, LOW + SIDE / 2), (MAP - 0.1, LOW + SIDE / 2))
    draw.label((SIDE + MAP) / 2, LOW + SIDE / 2 + 0.25, "CNN")
    draw.arrow((MAP + (left + BOX) * PIXEL, y), (POOLED - 0.2, y), GOLD)
    draw.label(MAP + SIDE + 0.6, y + 0.25, "pooled")
    draw.column(POOLED, y, ASKED, 5, tall=THIN)
    draw.arrow((POOLED, y - 0.38), (POOLED, ROW + 0.22), ASKED)
    _numbers(draw, top, left, y)
    draw.ax.add_patch(Circle((POOLED, ROW), 0.2, fill=False, ec=INK, lw=1.4))
    draw.label(POOLED, ROW, "+")
    draw.arrow((POOLED, ROW - 0.22), (POOLED, -0.1), OUT)
    draw.column(POOLED, -0.45, OUT, 5, tall=THIN)
    draw.label(POOLED - 0.3, -0.45, "region", OUT, ha="right")
    return draw.cropped(
        xlim=(-0.5, 8.1), ylim=(-0.85, LOW + SIDE + 0.1), aspect="equal"
    )


def co_attention_layer() -> Axes:
    """Draw a co-attention: what asks, what is asked, and what comes out of it."""
    draw = Drawing(2.5, PAGE)
    middles = {}
    for name, (left, N) in LAYER.items():
        places = left + APART * np.arange(N)
        middles[name] = middle = places.mean()
        for x in places:
            draw.column(x, 0, ASKED, 3, tall=THIN)
            draw.arrow((x, LOOKS + 0.32), (x, CHANGED - 0.22), OUT)
            draw.column(x, CHANGED, OUT, 3, tall=THIN)
        draw.line((places[0] - 0.13, ALL), (places[-1] + 0.13, ALL))
        draw.label(middle, -0.45, name)
        draw.box(middle, LOOKS, f"{name} look", ASKED, 3, 0.6)
    for name, other, side in (("words", "regions", -1), ("regions", "words", 1)):
        own = middles[name] + 0.75 * side
        draw.arrow((own, ALL), (own, LOOKS - 0.32), ASKS)
        draw.label(own + 0.25 * side, 1.1, "$Q$", ASKS)
        start, end = middles[name] - side / 2, middles[other] + side / 2
        draw.arrow((start, ALL), (end, LOOKS - 0.32), ASKED)
        draw.label(start, 1.1, "$K, V$", ASKED)
    right = middles["regions"] + 1.6
    return draw.cropped(xlim=(-0.25, right), ylim=(-0.7, 3.4), aspect="equal")


def co_attention_maps(
    A_words: Float[np.ndarray, "N_T N_R"],
    A_regions: Float[np.ndarray, "N_R N_T"],
    words: Sequence[str],
    images: Float[np.ndarray, "N 8 8"],
    *,
    gold: Collection[tuple[int, int]] = (),
) -> Axes:
    """Draw the two maps of a co-attention side by side.

    Parameters
    ----------
    A_words, A_regions : (N_T, N_R) and (N_R, N_T)
        The weights of the words over [IMG] and the regions, and the reverse.
    words : N_T str
        What is read, with [CLS].
    images : (N_R - 1, 8, 8)
        What is in the box of each region, without [IMG].
    gold : collection of (word, region)
        Which belong together, outlined in both maps; [CLS] and [IMG] are number 0.
    """
    A_words, A_regions = np.asarray(A_words, float), np.asarray(A_regions, float)
    images = np.asarray(images, float)
    N_T, N_R = len(words), 1 + len(images)
    check_shape("images", images, f"N {BOX} {BOX}")
    check_shape("A_words", A_words, "N_T N_R", N_T=N_T, N_R=N_R)
    check_shape("A_regions", A_regions, "N_R N_T", N_T=N_T, N_R=N_R)
    for word, seen in gold:
        check_count("gold", word, 0, N_T - 1)
        check_count("gold", seen, 0, N_R - 1)
    draw = Drawing(2.7, PAGE)
    for left, A, rows, columns, title in (
        (0.0, A_words, words, images, "words look"),
        (SECOND, A_regions, images, words, "regions look"),
    ):
        places = left + WEIGHT * np.arange(A.shape[1])
        draw.label(places.mean(), 1.65, title, fontweight="bold")
        for (i, j), weight in np.ndenumerate(A):
            draw.square(places[j], -WEIGHT * i, weight, side=WEIGHT)
            if ((i, j) if columns is images else (j, i)) in gold:
                corner = places[j] - WEIGHT / 2, -WEIGHT * (i + 0.5)
                draw.frame(corner, WEIGHT, WEIGHT, GOLD, lw=2, zorder=4)
        for j, x in enumerate(places):
            _name(draw, columns, j, (x, WEIGHT), ASKED, row=False)
        for i in range(len(A)):
            _name(draw, rows, i, (left - 1.1 * WEIGHT, -WEIGHT * i), ASKS, row=True)
    right = SECOND + (N_T - 0.5) * WEIGHT
    limits = {"xlim": (-1.4, right + 0.1), "ylim": ((0.4 - N_T) * WEIGHT, 1.9)}
    return draw.cropped(**limits, aspect="equal")


def two_stream_tasks(
    words: Sequence[str],
    images: Float[np.ndarray, "3 8 8"],
    classes: Float[np.ndarray, " N_classes"],
) -> Axes:
    """Draw what two streams are asked for: a hidden word, what is in a hidden region,
    and whether caption and picture belong together.

    Parameters
    ----------
    words : 6 str
        What is read, with [CLS]; the third one is hidden.
    images : (3, 8, 8)
        What is in the box of each region; the second one's is hidden.
    classes : (N_classes,)
        What a detector gives there, probabilities.
    """
    images, classes = np.asarray(images, float), np.asarray(classes, float)
    check_count("the number of words", len(words), len(WORDS), len(WORDS))
    check_shape("images", images, f"3 {BOX} {BOX}")
    check_shape("classes", classes, "N_classes")
    for chance in classes.tolist():
        check_chance("classes", chance)
    draw = Drawing(3.05, PAGE)
    for x, word in zip(WORDS, words, strict=True):
        draw.label(x, 0, "[MASK]" if x == MASKED else word)
    draw.label(SEEN[0], 0, "[IMG]")
    for x, image in zip(SEEN[1:], images, strict=True):
        corner = (x - PICTURE / 2, -PICTURE / 2)
        if x == COVERED:
            draw.frame(corner, PICTURE, PICTURE, INK, lw=0.5, hatch="/////")
        else:
            _show(draw, image, *corner, PICTURE)
        draw.frame(corner, PICTURE, PICTURE, INK, lw=1, zorder=4)
    for name, places in {"words": WORDS, "regions": SEEN}.items():
        for x in places:
            draw.column(x, READ, ASKED, 3, tall=THIN)
            draw.arrow((x, READ + 0.22), (x, STREAMS - 0.32), ASKED)
            draw.arrow((x, STREAMS + 0.32), (x, FOUND - 0.22), OUT)
            draw.column(x, FOUND, OUT, 3, tall=THIN)
        middle, wide = (places[0] + places[-1]) / 2, places[-1] - places[0] + 0.7
        draw.box(middle, STREAMS, name, ASKED, wide, 0.6)
    ends = (WORDS[-1] + 0.37, STREAMS), (SEEN[0] - 0.37, STREAMS)
    draw.arrow(*ends, arrowstyle="<|-|>")
    draw.arrow((MASKED, FOUND + 0.22), (MASKED, SAID - 0.2))
    draw.label(MASKED, SAID, words[2], fontweight="bold")
    _classes(draw, classes)
    _together(draw)
    return draw.cropped(xlim=(-0.5, 8.1), ylim=(-0.4, SAID + 1.6), aspect="equal")


def scored_paths() -> Axes:
    """Draw paths through a building, scored by an instruction, and the three stages in
    which the network that scores them is trained.
    """
    draw = Drawing(3.2, PAGE)
    best = max(fit for _, fit in PATHS)
    top = RISE * (len(PATHS) - 1)
    for n, (seen, fit) in enumerate(PATHS):
        y, edge = top - RISE * n, GOLD if fit == best else INK
        before = ENTRANCE
        for k, name in enumerate(seen):
            x = PANORAMAS + NEXT * k
            draw.line(before, (x, y), colour=edge)
            draw.frame((x, y - HIGH / 2), WIDE, HIGH, edge, lw=1.4)
            for line in SIGHTS[name]:
                corner = x + (WIDE - HIGH) / 2, y - HIGH / 2
                draw.line(*(tuple(corner + HIGH * np.array(p)) for p in line))
            before = (x + WIDE, y)
        draw.arrow(before, (SCORER - 0.3, y), edge)
        draw.arrow((SCORER + 0.3, y), (SCORES - 0.05, y), OUT)
        draw.cell((SCORES, y - 0.15), fit * LONGEST, 0.3, OUT, EVEN)
    draw.ax.plot(*ENTRANCE, "o", color=INK)
    told = top + 0.85
    draw.label(PANORAMAS, told, "down the stairs, to the sofa", ASKS, ha="left")
    draw.line((4.9, told), (SCORER, told), colour=ASKS)
    draw.arrow((SCORER, told), (SCORER, top + 0.42), ASKS)
    draw.box(SCORER, top / 2, "", ASKED, 0.56, top + 0.8)
    draw.label(SCORER, top / 2, "VLN-BERT", ASKED, rotation=90, fontweight="bold")
    draw.label(SCORES + 0.5, told - 0.3, "score", OUT)
    _stages(draw, -1.75)
    return draw.cropped(xlim=(0, 8.5), ylim=(-2.2, told + 0.25), aspect="equal")


def _show(draw: Drawing, image: np.ndarray, x: float, y: float, side: float) -> None:
    """Show an image from its lower left corner."""
    properties = {"cmap": "gray_r", "vmin": 0, "vmax": 1, "zorder": 1}
    draw.ax.imshow(image, extent=(x, x + side, y, y + side), **properties)


def _feature_map(draw: Drawing, picture: np.ndarray) -> None:
    """As many cells as a CNN might leave; where there is ink they are darker."""
    step = SIDE / CELLS
    cells = picture.reshape(CELLS, PIXELS // CELLS, CELLS, -1).mean(axis=(1, 3))
    for (r, c), ink in np.ndenumerate(cells / max(cells.max(), 1e-9)):
        corner = (MAP + c * step, LOW + SIDE - (r + 1) * step)
        draw.cell(corner, step, step, ASKED, 0.1 + 0.6 * ink, lw=0.4, alpha=0.6)


def _numbers(draw: Drawing, top: int, left: int, y: float) -> None:
    """Where a box is, from its place in the picture down to the sum."""
    far = (left * PIXEL, y), (-0.35, y), (-0.35, ROW)
    draw.line(*far, colour=GOLD)
    draw.arrow(far[-1], (0.1, ROW), GOLD)
    near, end = (left, top), (left + BOX, top + BOX)
    values = [*(k / PIXELS for k in (*near, *end)), (BOX / PIXELS) ** 2]
    for n, (name, value) in enumerate(zip(NUMBERS, values, strict=True)):
        x = 0.5 + n * BESIDE
        draw.cell((x - 0.25, ROW - 0.2), 0.5, 0.4, INK, value)
        draw.label(x, ROW - 0.5, name)
    draw.arrow((x + 0.35, ROW), (POOLED - 0.22, ROW))


def _name(
    draw: Drawing,
    names: Sequence[str] | np.ndarray,
    n: int,
    at: Point,
    colour: str,
    *,
    row: bool,
) -> None:
    """Name a row or a column: a word, [IMG], or by its image a region."""
    x, y = at
    if isinstance(names, np.ndarray) and n:
        corner = (x - THUMB / 2, y - THUMB / 2)
        _show(draw, names[n - 1], *corner, THUMB)
        draw.frame(corner, THUMB, THUMB, colour, lw=1.4, zorder=4)
        return
    word = "[IMG]" if isinstance(names, np.ndarray) else names[n]
    if row:
        draw.label(x + THUMB / 2, y, word, colour, ha="right")
    else:
        draw.label(x, y - THUMB / 2, word, colour, rotation=90, va="bottom")


def _classes(draw: Drawing, classes: np.ndarray) -> None:
    """What the detector gives for the region that is hidden, as bars."""
    wide = BARS / len(classes)
    draw.arrow((COVERED, FOUND + 0.22), (COVERED, SAID - 0.35))
    for k, share in enumerate(classes):
        corner = (COVERED - BARS / 2 + (k + 0.1) * wide, SAID - 0.25)
        draw.cell(corner, 0.8 * wide, 0.05 + 0.6 * share, INK, EVEN, lw=0.8)
    draw.label(COVERED, SAID + 0.65, "detector’s classes")


def _together(draw: Drawing) -> None:
    """[CLS] and [IMG] are multiplied, and say whether the two fit."""
    high, middle = SAID + 0.5, (SEEN[0] + MASKED) / 2
    for x, toward in ((0, -0.18), (SEEN[0], 0.18)):
        draw.line((x, FOUND + 0.22), (x, high), colour=OUT)
        draw.arrow((x, high), (middle + toward, high), OUT)
    draw.ax.add_patch(Circle((middle, high), 0.18, fill=False, ec=INK, lw=1.4))
    draw.label(middle, high, "×")
    draw.arrow((middle, high + 0.2), (middle, high + 0.6))
    draw.label(middle, high + 0.8, "does it fit?", fontweight="bold")


def _stages(draw: Drawing, y: float) -> None:
    """What the network reads, one after the other, and what it is called then."""
    for n, (read, name) in enumerate(STAGES.items()):
        x = 1.25 + 2.95 * n
        draw.box(x, y, "", ASKED, 2.3, 0.85)
        draw.label(x, y + 0.18, read)
        draw.label(x, y - 0.2, name, ASKED, fontweight="bold")
        if n:
            draw.arrow((x - 1.8, y), (x - 1.2, y), ASKED)
