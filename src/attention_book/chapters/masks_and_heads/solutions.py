"""Chapter 7, *Masks and heads*: worked solutions."""

import numpy as np
from jaxtyping import Bool, Float
from torch import Tensor


def masks_and_heads_mix(
    a: Float[np.ndarray, "N_X"], X: Float[np.ndarray, "N_X D"]
) -> Float[np.ndarray, "D"]:
    """Mix a set of vectors with weights: the sum of a_i x_i over the inputs."""
    return a @ X


def for_torch(
    visible: Bool[Tensor, "B N N"], N_heads: int
) -> Bool[Tensor, "B_heads N N"]:
    """Write masks as torch's layer wants them: a mask for each head, True hides."""
    hidden = ~visible
    return hidden.repeat_interleave(N_heads, dim=0)  # all heads of a sentence together
