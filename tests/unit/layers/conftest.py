"""Every test of the layers draws the same numbers, alone or among others."""

import pytest
import torch


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield
