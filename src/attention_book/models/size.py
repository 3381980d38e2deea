"""How large a model is, and how much it works."""

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode


def N_weights(model: nn.Module) -> int:
    """Count the numbers that a model learns."""
    return sum(weight.numel() for weight in model.parameters())


@torch.no_grad()
def N_products(model: nn.Module, *inputs: Tensor) -> int:
    """Count the multiplications in a model's products of matrices and convolutions.

    The model is run once, as it is: in training, a batch norm moves.

    ValueError if none is counted though the model has a matrix: PyTorch does not look
    into fused kernels, such as those of `nn.LSTM`, or of its attention in evaluation.
    """
    with FlopCounterMode(display=False) as counter:
        model(*inputs)
    counted = counter.get_total_flops() // 2  # each comes with an addition
    _check_counted(counted, model)
    return counted


def _check_counted(counted: int, model: nn.Module) -> None:
    if not counted and any(weight.ndim > 1 for weight in model.parameters()):
        raise ValueError(
            f"model is {type(model).__name__}, whose products PyTorch cannot count"
        )
