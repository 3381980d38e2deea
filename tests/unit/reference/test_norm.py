"""The NumPy layer norm against torch's, and against its laws."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

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
    np.testing.assert_allclose(
        layer_norm(x, GAMMA, BETA, eps), theirs.numpy(), atol=TOLERANCE, rtol=0
    )


def test_eps_is_that_of_torch_unless_told():
    x = 1e-3 * np.random.default_rng(2).normal(size=(3, D))  # so small that eps matters
    theirs = F.layer_norm(
        torch.from_numpy(x), (D,), torch.from_numpy(GAMMA), torch.from_numpy(BETA)
    )
    np.testing.assert_allclose(
        layer_norm(x, GAMMA, BETA), theirs.numpy(), atol=TOLERANCE, rtol=0
    )


def test_a_vector_of_equal_numbers_becomes_beta():
    np.testing.assert_array_equal(
        layer_norm(np.full((2, D), 3.0), GAMMA, BETA), [BETA, BETA]
    )


@given(arrays(np.float64, (3, D), elements=st.floats(-100, 100)), st.floats(-100, 100))
def test_a_shift_of_a_vector_changes_nothing(x, shift):
    np.testing.assert_allclose(
        layer_norm(x + shift, np.ones(D), np.zeros(D), 1.0),
        layer_norm(x, np.ones(D), np.zeros(D), 1.0),
        atol=1e-9,
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda x: -x,
        lambda x: x * [10, 1, 1, 1, 1],
        lambda x: x[[1, 0, 2, 3, 4]],
        lambda x: x / 1000,  # so small that eps matters
    ],
)
def test_other_changes_of_a_vector_show(change):
    x = np.array([5.0, 1.0, 4.0, 7.0, 3.0])
    was, now = (layer_norm(each, np.ones(5), np.zeros(5)) for each in (x, change(x)))
    assert abs(was - now).max() > 0.5


def test_no_vector_knows_of_another():
    x = np.random.default_rng(3).normal(size=(2, 3, D))
    together = layer_norm(x, GAMMA, BETA)
    for at in np.ndindex(2, 3):
        np.testing.assert_array_equal(layer_norm(x[at], GAMMA, BETA), together[at])


def test_x_stays_as_it_is():
    x = np.random.default_rng(4).normal(size=(3, D))
    before = x.copy()
    layer_norm(x, GAMMA, BETA)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize(
    ("x", "gamma", "beta", "eps", "says"),
    [
        (
            np.zeros((2, D)),
            np.ones(D + 1),
            np.zeros(D),
            1e-5,
            r"gamma has shape \(6,\), expected \(D,\) = \(5,\)",
        ),
        (
            np.zeros((2, D)),
            np.ones(D),
            np.zeros((2, D)),
            1e-5,
            r"beta has shape \(2, 5\), expected \(D,\) = \(5,\)",
        ),
        (
            np.zeros((2, D)),
            np.ones(D),
            np.zeros(D),
            0.0,
            "eps is 0.0, expected a finite number above 0",
        ),
        (np.zeros((2, D)), np.ones(D), np.zeros(D), float("inf"), "eps is inf"),
        (np.zeros((2, D)), np.ones(D), np.zeros(D), float("nan"), "eps is nan"),
        (np.zeros((2, 0)), np.ones(0), np.zeros(0), 1e-5, r"x has shape \(2, 0\)"),
        (np.array(1.0), np.ones(1), np.zeros(1), 1e-5, r"x has shape \(\)"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, x, gamma, beta, eps, says):
    with pytest.raises(ValueError, match=says):
        layer_norm(x, gamma, beta, eps)
