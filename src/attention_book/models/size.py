"""How large a model is, and how much it works."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
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


def N_bytes_kept(model: nn.Module, run: Callable[[], Tensor]) -> int:
    """Count the bytes that `run` keeps for the backward pass, each storage once and
    without the weights of `model`.

    ValueError if what `run` gives has no gradient.
    """
    own = {each.untyped_storage().data_ptr() for each in model.parameters()}
    kept = dict[int, Tensor]()

    def pack(tensor: Tensor) -> Tensor:  # stays, so that no other takes its place
        kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        end = run()
    if not end.requires_grad:
        raise ValueError("run gives a tensor without a gradient: nothing is kept")
    return sum(t.untyped_storage().nbytes() for at, t in kept.items() if at not in own)


def _check_counted(counted: int, model: nn.Module) -> None:
    if not counted and any(weight.ndim > 1 for weight in model.parameters()):
        raise ValueError(
            f"model is {type(model).__name__}, whose products PyTorch cannot count"
        )
