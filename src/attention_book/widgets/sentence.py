"""One sentence and where a model looked while it wrote it; no gold links are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.widgets.expect import expect_shape, expect_some, expect_weights
from attention_book.widgets.grids import arcs, heat_map
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget


def one_sentence(
    A: Float[np.ndarray, "N_Y N_X"],
    source: Sequence[str],
    target: Sequence[str],
    *,
    link: str = "sentence",
) -> Widget:
    """Show where attention looked in one sentence, as a map and as arcs.

    Below them stands how sharp it is. Sharp is not right, but without gold links it is
    what can be measured. `A` holds the weights of each written word over the inputs;
    `source` and `target` end in [STOP] if it has a column or a row. `link` is the
    widget's name in the page's address.
    """
    expect_some(source=source, target=target)
    expect_shape("A", A, (len(target), len(source)), "target × source")
    expect_weights("A", A)
    A = np.asarray(A, dtype=float)
    shown: Any = {"axes": ("target", "source"), "limits": (0, 1), "half": True}
    return Widget(
        title="Where it looked",
        question="Point at a word. Does it look at the word you would look at?",
        panels=[
            heat_map(target, source, A, label="weights", **shown),
            arcs(target, source, A, label="the same, as arcs", **shown),
            text(
                f"A word has {A.max(axis=1).mean():.0%} of its weight on one input, on "
                "average."
            ),
        ],
        link=link,
    )
