"""How large a model is."""

from torch import nn


def N_weights(model: nn.Module) -> int:
    """Count the numbers that a model learns."""
    return sum(weight.numel() for weight in model.parameters())
