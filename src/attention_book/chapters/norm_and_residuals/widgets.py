"""Chapter 10's widgets."""

import numpy as np

from attention_book import runs
from attention_book.chapters.norm_and_residuals import climb as _climb
from attention_book.chapters.norm_and_residuals.experiments import frequency_alone
from attention_book.chapters.norm_and_residuals.fresh_stack import network
from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    divisor,
    norm_by_hand,
)
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, RECORDED
from attention_book.chapters.norm_and_residuals.sentences import WORDS
from attention_book.widgets import Widget

__all__ = ["by_depth", "climb", "divisor", "likeness", "norm_by_hand"]


def climb() -> Widget:
    """Choose a stack: see a vector's size on its way up, and what the stack learned."""
    trained = {}
    for stack, N_blocks, start in RECORDED:
        run = runs.load(f"deep-{stack}-{N_blocks}-{start}")
        curves = [*run.curves.values()]
        losses = np.array([each.loss for each in curves])
        trained[stack, N_blocks, start] = _climb.Trained(losses, run.per_seed("unseen"))
    sentence = WORDS.encode(_climb.SENTENCE.split())
    steps = curves[0].step
    return _climb.climb(network(), sentence, trained, steps, frequency_alone())


def likeness() -> Widget:
    """Type a sentence: is the last word's vector still another than the others'?"""
    return _climb.likeness(network(), WORDS.words)


def by_depth() -> Widget:
    """Predict which stacks with full weights learn, and see."""
    named = {"no norm": "none", "post-norm": "post", "pre-norm": "pre"}

    def losses(norm: str) -> np.ndarray:
        some = (runs.load(f"deep-{norm}-{N_blocks}-full") for N_blocks in DEPTHS)
        return np.array([run.per_seed("unseen") for run in some])

    by_norm = {name: losses(norm) for name, norm in named.items()}
    return _climb.by_depth(by_norm, frequency_alone())
