"""Chapter 16, drawn: what a block's weights are, and four ways to share a model out."""

from __future__ import annotations

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, TAKEN, Drawing
from attention_book.plots.style import INK

SIDE, GAP = 0.8, 0.2  # a square of D x D, and between two of attention's
SQUARES = {"W_Q": ASKS, "W_K": ASKED, "W_V": TAKEN, "W_O": OUT}
RISE = 1.1  # from a row of squares to the next
FAINT, STRONG = 0.2, 0.6  # opacities of a square, and of what a GPU holds

BLOCKS = 4  # of the model that is shared out
TALL, STEP = 0.24, 0.32  # a block, and from one to the next
WEIGHTS, STATE = 0.8, 0.3  # width of a block's weights; of precise copy and averages
GPU, NEXT = 1.36, 1.66  # width of a GPU, and from the first to the second
ACROSS, DOWN = 4.1, 2.75  # from one way to the next
# Way: whether a GPU has all blocks, all of each block, and the state of the optimiser
# (precise copy and averages) of all that it has; and what it sends.
WAYS = {
    "data": (True, True, True, "gradients"),
    "sharded optimiser": (True, True, False, "gradients, new weights"),
    "tensor": (True, False, True, "vectors, in each block"),
    "pipeline": (False, True, True, "vectors, at the cut"),
}


def twelve_squares() -> Axes:
    """Draw the matrices of a block, cut into squares of D x D: there are twelve."""
    draw = Drawing(3.0)
    for n, (name, colour) in enumerate(SQUARES.items()):
        corner = (n * (SIDE + GAP), 2 * RISE)
        draw.cell(corner, SIDE, SIDE, colour, FAINT)
        draw.label(corner[0] + SIDE / 2, corner[1] + SIDE / 2, f"${name}$", colour)
    for name, low in (("W_1", RISE), ("W_2", 0.0)):
        for n in range(4):
            draw.cell((n * SIDE, low), SIDE, SIDE, INK, FAINT)
        draw.label(1.5 * SIDE, low + SIDE / 2, f"${name}$")
    right = 4 * SIDE + 3 * GAP + GAP
    for row, part in enumerate(("MLP, down", "MLP, up", "attention")):
        draw.label(right, row * RISE + SIDE / 2, part, ha="left")
    draw.label(-0.2, SIDE / 2, "$D$")
    draw.label(SIDE / 2, -0.2, "$D$")
    return draw.cropped(xlim=(-0.4, right + 1.3), ylim=(-0.4, 3.1), aspect="equal")


def shared_out() -> Axes:
    """Draw two GPUs that share a model of four blocks, in four ways."""
    draw = Drawing(4.3)
    tall, wide = BLOCKS * STEP, NEXT + GPU
    for way, (name, (*_, sent)) in enumerate(WAYS.items()):
        left, low = ACROSS * (way % 2), -DOWN * (way // 2)
        draw.label(left + wide / 2, low + tall + 0.28, name, fontweight="bold")
        for gpu in (0, 1):
            x = left + gpu * NEXT
            draw.frame((x, low - 0.1), GPU, tall + 0.12, INK, ls=":", lw=1)
            for offset, width, n, colour in _held(name, gpu):
                corner = (x + 0.1 + offset, low + n * STEP)
                draw.cell(corner, width, TALL, colour, STRONG)
        ends = (left + GPU - 0.1, low - 0.35), (left + NEXT + 0.1, low - 0.35)
        draw.arrow(*ends, arrowstyle="<|-|>")
        draw.label(left + wide / 2, low - 0.65, sent)
    draw.label(0, -0.35, "GPU 1", ha="left")
    draw.label(wide, -0.35, "GPU 2", ha="right")
    limits = {"xlim": (-0.3, ACROSS + wide + 0.3)}
    return draw.cropped(**limits, ylim=(-DOWN - 0.85, tall + 0.5), aspect="equal")


def _held(name: str, gpu: int) -> list[tuple[float, float, int, str]]:
    """Tell what a GPU holds: (from the left, width, block, colour) of each part."""
    all_blocks, whole, all_state, _ = WAYS[name]
    mine = range(BLOCKS // 2 * gpu, BLOCKS // 2 * (gpu + 1))
    blocks = range(BLOCKS) if all_blocks else mine
    kept = blocks if all_state else mine
    parts = [(0.0, WEIGHTS, n, ASKED) for n in blocks]
    parts += [(WEIGHTS + 0.06, STATE, n, TAKEN) for n in kept]
    if whole:
        return parts
    return [(x + gpu * w / 2, w / 2, n, colour) for x, w, n, colour in parts]
