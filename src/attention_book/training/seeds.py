"""Random numbers that start from a seed and leave no trace behind.

A model's first weights come from torch's global generator. Inside `with seeded(0):`
that generator starts from the seed; afterwards it goes on as if nothing had happened,
so that a cell can be run twice, or moved.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Run a block with torch's CPU generator started from `seed`, then put the
    generator back.

    Parameters
    ----------
    seed : int
        At least 0.

    Raises
    ------
    ValueError
        If the seed is not a whole number of at least 0.
    """
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed is {seed!r}, expected a whole number of at least 0")
    with torch.random.fork_rng(devices=[]):
        torch.random.default_generator.manual_seed(seed)
        yield
