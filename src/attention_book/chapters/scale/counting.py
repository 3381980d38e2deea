"""What PyTorch itself counts."""

from collections.abc import Callable
from typing import Any

from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode


def counted(run: Callable[[], Any]) -> int:
    """Run it, and give the operations of its products of matrices.

    Attention is computed by formula: PyTorch cannot look into its fast kernel.
    """
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        run()
    return int(counter.get_total_flops())
