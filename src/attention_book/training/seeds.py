"""Random numbers that start from a seed and leave no trace behind.

A model's first weights come from torch's global generators, one of the CPU and one of
each GPU. Inside `with seeded(0):` they start from the seed; afterwards they go on as if
nothing had happened, so that a cell can be run twice, or moved.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from attention_book.shapes import check_count


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Run a block with torch's generators started from `seed`, then put them back."""
    check_count("seed", seed, 0)
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        torch.random.default_generator.manual_seed(seed)
        torch.cuda.manual_seed_all(seed)  # does nothing without a GPU
        yield
