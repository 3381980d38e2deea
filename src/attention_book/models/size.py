"""How large a model is, and how much it works."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
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
    counted = N_operations(lambda: model(*inputs)) // 2  # each comes with an addition
    _check_counted(counted, model)
    return counted


def N_operations(run: Callable[[], Any]) -> int:
    """Count the multiplications and additions in products of matrices while it runs.

    Attention is computed by its formula: PyTorch does not look into its fast kernel.
    """
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        run()
    return int(counter.get_total_flops())


def _check_counted(counted: int, model: nn.Module) -> None:
    if not counted and any(weight.ndim > 1 for weight in model.parameters()):
        raise ValueError(
            f"model is {type(model).__name__}, whose products PyTorch cannot count"
        )
