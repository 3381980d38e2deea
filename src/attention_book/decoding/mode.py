"""A model that writes does not learn: evaluation mode, no gradients, then as before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Put a model into evaluation mode without gradients, and then back as it was."""
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part, was_training in modes:
            part.training = was_training
