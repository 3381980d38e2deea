"""Chapter 10's widgets."""

import numpy as np

from attention_book import runs
from attention_book.chapters.norm_and_residuals.deep_stack import Measured
from attention_book.chapters.norm_and_residuals.deep_stack import (
    deep_stack as _deep_stack,
)
from attention_book.chapters.norm_and_residuals.experiments import (
    at_start,
    frequency_alone,
)
from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    norm_by_hand as _norm_by_hand,
)
from attention_book.chapters.norm_and_residuals.recipes import RECORDED
from attention_book.widgets import Widget


def norm_by_hand() -> Widget:
    """Drag the six numbers of a vector; mean, spread and output follow."""
    return _norm_by_hand()


def deep_stack() -> Widget:
    """Show stream and gradients at the start, and losses, by depth, norm and start."""
    stacks = {}
    for name, N_blocks, start in RECORDED:
        run = runs.load(f"deep-{name}-{N_blocks}-{start}")
        fresh = [at_start(name, N_blocks, start, seed) for seed in run.curves]
        stacks[name, N_blocks, start] = Measured(
            sizes=np.array([each.sizes for each in fresh]),
            gradients=np.array([each.gradients for each in fresh]),
            steps=next(iter(run.curves.values())).step,
            losses=np.array([curve.loss for curve in run.curves.values()]),
            unseen=run.per_seed("unseen"),
        )
    return _deep_stack(stacks, frequency_alone())
