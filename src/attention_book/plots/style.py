"""The one style. A chapter calls `use_style()` once, at its top."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import seaborn as sns

STYLE = Path(__file__).parent / "book.mplstyle"
INK = "#7a828e"  # text and lines that read on a white page and on a black one
PALETTE = ("#2f80c8", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def use_style() -> None:
    """Switch matplotlib and seaborn to the book's style; notebooks' figures are SVG."""
    plt.style.use(STYLE)
    sns.set_palette(PALETTE)
    if "ipykernel" in sys.modules:  # only a kernel has the inline backend
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
