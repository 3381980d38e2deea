"""A model that writes does not learn: evaluation mode, no gradients, then as before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Put a model into evaluation mode without gradients, and then back as it was."""
    training = [part for part in model.modules() if part.training]
    if training:  # `eval` visits every part
        model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part in training:
            part.training = True


@contextmanager
def writing(model: Any) -> Iterator[None]:
    """Evaluate in inference mode, which takes less time: what comes out cannot take
    part in training.
    """
    with evaluating(model), torch.inference_mode():
        yield
