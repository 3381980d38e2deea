"""A model that writes or reads along is finished, not learning: evaluation mode, no gradients, then as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Put a model into evaluation mode without gradients, and every part of it back as
    it was, errors or not.

    Parameters
    ----------
    model : torch.nn.Module
        Whose parts may differ in mode, as when some are frozen.
    """
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part, was_training in modes:
            part.training = was_training
