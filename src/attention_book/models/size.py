"""How large a model is, and how much it works."""

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode


def N_weights(model: nn.Module) -> int:
    """Count the numbers that a model learns."""
    return sum(weight.numel() for weight in model.parameters())


@torch.no_grad()
def N_products(model: nn.Module, *inputs: Tensor) -> int:
    """Count the multiplications of a forward pass in its products of matrices."""
    with FlopCounterMode(display=False) as counter:
        model(*inputs)
    return counter.get_total_flops() // 2  # each comes with an addition
