"""A tree of a sentence, drawn: phrases above, words at the bottom from left to right.

Labels are what comes out, so violet; gold is an outline around one phrase.
"""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from matplotlib.textpath import TextPath

from attention_book.plots.diagrams import GOLD, OUT, SIZE, Drawing
from attention_book.trees import Node, Phrase, centres, middle, nodes, spelled

GAP = 5  # points between two words
FREE = 0.3  # rows that a label takes above and below its middle


def parse_tree(
    tree: Phrase,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    gold: tuple[str, int, int] | None = None,
) -> Axes:
    """Draw a labelled tree.

    Parameters
    ----------
    tree : Phrase
        With `label` and `parts`, which are words and trees.
    ax : Axes, optional
        Where to draw; a new figure when left out. A figure as wide as a page has room
        for two trees of seven short words side by side.
    title : str, optional
        What stands above it.
    gold : (label, start, end), optional
        A phrase to outline, its words counted from 0 and `end` the one after its last.
    """
    made = nodes([*spelled(tree)])
    words = [node.name for node in made if node.kind == "word"]
    bottom = 1 + max(node.row for node in made if node.kind == "phrase")
    widths = [TextPath((0, 0), word, size=SIZE).get_extents().width for word in words]
    x = centres(widths, GAP)
    draw = Drawing(0.5 * (bottom + 1), ax=ax)
    places = [
        (middle(node, x), -bottom if node.kind == "word" else -node.row)
        for node in made
    ]
    for node, (at, y) in zip(made, places, strict=True):
        properties = (
            {"colour": OUT, "fontweight": "bold"} if node.kind == "phrase" else {}
        )
        draw.label(at, y, node.name, size=SIZE, **properties)
        if node.parent >= 0:
            above, top = places[node.parent]
            bend = -node.row + FREE
            draw.line((above, top - FREE), (at, bend), (at, y + FREE), lw=1.2)
    if gold is not None:
        draw.ax.add_patch(_outline(_named(gold, made), x, widths, bottom))
    if title is not None:
        draw.ax.set_title(title, fontsize=SIZE)
    wide = sum(widths) + len(words) * GAP
    return draw.cropped(xlim=(0, wide), ylim=(-bottom - 0.5, 0.5))


def _named(gold: tuple[str, int, int], made: list[Node]) -> Node:
    """The phrase of this label over these words."""
    phrases = [node for node in made if node.kind == "phrase"]
    found = [node for node in phrases if (node.name, node.start, node.end) == gold]
    if not found:
        known = ", ".join(f"({n.name!r}, {n.start}, {n.end})" for n in phrases)
        raise ValueError(f"gold is {gold!r}, expected one of {known}")
    return found[0]


def _outline(node: Node, x, widths: list[float], bottom: int) -> FancyBboxPatch:
    """A frame around a phrase and all that stands in it."""
    first, last = node.start, node.end - 1
    left = x[first] - (widths[first] + GAP) / 2
    right = x[last] + (widths[last] + GAP) / 2
    height = bottom - node.row + 2 * FREE
    properties = {"fill": False, "ec": GOLD, "lw": 2, "clip_on": False}
    properties |= {"boxstyle": "round,pad=0,rounding_size=4", "mutation_aspect": 0.05}
    return FancyBboxPatch((left, -bottom - FREE), right - left, height, **properties)
