"""The NumPy layer norm against torch's, and against its laws."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from parity import agree

from attention_book.reference import layer_norm

D = 5
TOLERANCE = 1e-10
rng = np.random.default_rng(0)
GAMMA, BETA = rng.normal(size=D), rng.normal(size=D)


@pytest.mark.parametrize("shape", [(D,), (3, D), (2, 3, D), (2, 4, 3, D)])
@pytest.mark.parametrize("eps", [1e-12, 1e-5, 0.5])
def test_it_agrees_with_torch_whatever_stands_in_front(shape, eps):
    x = np.random.default_rng(1).normal(size=shape) * 3 + 2
    theirs = F.layer_norm(
        torch.from_numpy(x), (D,), torch.from_numpy(GAMMA), torch.from_numpy(BETA), eps
    )
    agree(layer_norm(x, GAMMA, BETA, eps), theirs.numpy(), TOLERANCE)


def test_eps_is_that_of_torch_unless_told():
    x = 1e-3 * np.random.default_rng(2).normal(size=(3, D))  # so small that eps matters
    theirs = F.layer_norm(
        torch.from_numpy(x), (D,), torch.from_numpy(GAMMA), torch.from_numpy(BETA)
    )
    agree(layer_norm(x, GAMMA, BETA), theirs.numpy(), TOLERANCE)


def test_a_vector_of_equal_numbers_becomes_beta():
    np.testing.assert_array_equal(
        layer_norm(np.full((2, D), 3.0), GAMMA, BETA), [BETA, BETA]
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gamma": np.ones(6)}, r"gamma has shape \(6,\), expected \(D,\) = \(5,\)"),
        ({"beta": np.ones((2, D))}, r"beta has shape \(2, 5\), expected \(D,\)"),
        ({"eps": 0.0}, "eps is 0.0, expected a finite number above 0"),
        ({"eps": float("nan")}, "eps is nan"),
        ({"x": np.array(1.0)}, r"x has shape \(\)"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, change, says):
    right = {"x": np.zeros((2, D)), "gamma": GAMMA, "beta": BETA}
    with pytest.raises(ValueError, match=says):
        layer_norm(**right | change)
