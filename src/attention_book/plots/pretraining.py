"""Pretraining and fine-tuning, drawn: one encoder, read at two places by two heads.

Read each half from the bottom to the top. What is outlined in gold is new.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, GOLD, OUT, SIZE, Drawing
from attention_book.plots.style import INK

STEP, ASIDE = 0.85, 4.2  # from word to word, and from one half to the other
CELL, EDGE = 0.13, 0.25  # a cell of a vector; from its centre to where lines begin
WORDS, ENCODER, OUTPUT, HEAD, ANSWER = 0.0, 1.05, 2.0, 2.85, 3.6  # heights
TALL = 0.7  # height of the encoder


def pretrain_and_tune(
    pretrained: Sequence[str], word: str, labelled: Sequence[str], label: str
) -> Axes:
    """Draw an encoder in pretraining and in fine-tuning.

    Parameters
    ----------
    pretrained, labelled : N words each
        What it reads: first with [MASK] as its last word, then with a label. [CLS] is
        the first word of both.
    word, label : str
        What the head is asked for: at [MASK], and at [CLS].
    """
    N = len(pretrained)
    if len(labelled) != N or N < 2:
        raise ValueError(
            f"pretrained has {N} words and labelled {len(labelled)}: expected as many, "
            "at least 2"
        )
    draw = Drawing(3.4)
    right = (N - 1) * STEP
    _half(draw, 0.0, pretrained, N - 1, "pretrain", "word head", word, INK)
    _half(draw, ASIDE, labelled, 0, "fine-tune", "new head", label, GOLD)
    start, end = (right + 0.45, ENCODER), (ASIDE - 0.45, ENCODER)
    draw.arrow(start, end, ASKED)
    draw.label((start[0] + end[0]) / 2, ENCODER + 0.2, "weights", ASKED)
    limits = {"xlim": (-0.65, ASIDE + right + 0.65), "ylim": (-0.3, ANSWER + 0.85)}
    return draw.cropped(**limits)


def _half(
    draw: Drawing,
    left: float,
    words: Sequence[str],
    read: int,
    title: str,
    head: str,
    answer: str,
    edge: str,
) -> None:
    """An encoder over words, and a head that reads one of its vectors."""
    middle, wide = left + (len(words) - 1) * STEP / 2, (len(words) - 1) * STEP + 0.8
    draw.label(middle, ANSWER + 0.6, title, size=SIZE + 1)
    draw.box(middle, ENCODER, "encoder", ASKED, wide, TALL)
    for n, word in enumerate(words):
        x = left + n * STEP
        draw.label(x, WORDS, word)
        draw.arrow((x, WORDS + 0.2), (x, ENCODER - TALL / 2), ASKED)
        draw.arrow((x, ENCODER + TALL / 2), (x, OUTPUT - EDGE), OUT)
        draw.column(x, OUTPUT, OUT, 3, tall=CELL)
    x = left + read * STEP
    draw.arrow((x, OUTPUT + EDGE), (x, HEAD - 0.22), OUT)
    draw.box(x, HEAD, "", edge, 1.25, 0.44)
    draw.label(x, HEAD, head)
    draw.arrow((x, HEAD + 0.22), (x, ANSWER - 0.2))
    draw.label(x, ANSWER, answer, fontweight="bold")
