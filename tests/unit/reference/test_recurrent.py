"""The NumPy cells against torch's, and the softmax against its laws."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from parity import agree
from torch import nn

from attention_book.reference import encode, gru_cell, rnn_cell, softmax
from attention_book.reference.recurrent import sigmoid

N_X, D_X, D_H = 5, 3, 4
TOLERANCE = 1e-12


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(N_X, D_X))


def torch_weights(cell):
    """torch keeps W_x as (D_out, D_in); ours multiply from the right."""
    numbers = [
        p.detach().numpy()
        for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    ]
    return numbers[0].T, numbers[1].T, numbers[2], numbers[3]


def test_the_plain_cell_agrees_with_torch(X):
    torch.manual_seed(1)
    oracle = nn.RNNCell(D_X, D_H).double()
    W_x, W_h, b_x, b_h = torch_weights(oracle)
    h_prev = np.random.default_rng(1).normal(size=D_H)
    ours = rnn_cell(X[0], h_prev, W_x, W_h, b_x + b_h)
    theirs = oracle(torch.from_numpy(X[0]), torch.from_numpy(h_prev)).detach().numpy()
    agree(ours, theirs)


def test_a_gate_that_keeps_everything_leaves_the_state_alone(X):
    h_prev = np.linspace(-1, 1, D_H)
    b_x = np.concatenate([np.zeros(D_H), np.full(D_H, 1e4), np.zeros(D_H)])
    weights = np.zeros((D_X, 3 * D_H)), np.zeros((D_H, 3 * D_H)), b_x, np.zeros(3 * D_H)
    np.testing.assert_array_equal(gru_cell(X[0], h_prev, *weights), h_prev)


def test_the_sigmoid_does_not_overflow():
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(sigmoid(np.array([-1e4, 0.0, 1e4])), [0, 0.5, 1])


@given(
    arrays(
        np.float64, array_shapes(min_dims=1, max_dims=3), elements=st.floats(-1e3, 1e3)
    )
)
def test_softmax_rows_sum_to_one(e):
    a = softmax(e)
    assert (a >= 0).all()
    np.testing.assert_allclose(a.sum(axis=-1), 1, atol=TOLERANCE)


@given(arrays(np.float64, (2, 5), elements=st.floats(-50, 50)), st.floats(-1e3, 1e3))
def test_softmax_ignores_a_shift_of_all_scores(e, shift):
    np.testing.assert_allclose(
        softmax(e + shift), softmax(e), rtol=1e-9, atol=TOLERANCE
    )


@given(arrays(np.float64, (3, 5), elements=st.floats(-50, 50)))
def test_softmax_agrees_with_torch(e):
    theirs = torch.softmax(torch.from_numpy(e), dim=-1).numpy()
    np.testing.assert_allclose(softmax(e), theirs, atol=TOLERANCE, rtol=1e-12)


def test_softmax_gives_forbidden_places_no_weight():
    np.testing.assert_array_equal(softmax(np.array([0.0, -np.inf, 0.0])), [0.5, 0, 0.5])


@pytest.mark.parametrize(
    ("e", "says"),
    [
        (np.array([[0.0, 1.0], [-np.inf, -np.inf]]), "may look nowhere"),
        (np.array([0.0, np.nan]), "NaN"),
        (np.array([0.0, np.inf]), r"\+inf"),
        (np.zeros((2, 0)), "at least one score"),
        (np.array(1.0), "at least one score"),
    ],
)
def test_softmax_names_bad_scores(as_a_reader, e, says):
    with pytest.raises(ValueError, match=says):
        softmax(e)


ZEROS = {"x_t": (D_X,), "h_prev": (D_H,), "W_x": (D_X, 3 * D_H), "W_h": (D_H, 3 * D_H)}
ZEROS |= {"b_x": (3 * D_H,), "b_h": (3 * D_H,)}


@pytest.mark.parametrize(
    ("name", "shape", "says"),
    [
        ("x_t", (D_X + 1,), "x_t has shape"),
        ("W_x", (D_X, 2 * D_H), "W_x has shape"),
        ("W_h", (D_X, 3 * D_H), "W_h has shape"),
        ("b_x", (D_H,), "b_x has shape"),
        ("b_h", (D_H,), "b_h has shape"),
    ],
)
def test_the_gated_cell_names_the_array_that_does_not_fit(
    as_a_reader, name, shape, says
):
    arguments = {
        key: np.zeros(shape if key == name else right) for key, right in ZEROS.items()
    }
    with pytest.raises(ValueError, match=says):
        gru_cell(**arguments)


@pytest.mark.parametrize("shape", [(0, D_X), (D_X,)])
def test_encode_rejects_what_is_no_sequence(as_a_reader, shape):
    with pytest.raises(ValueError, match=r"expected \(N_X, D_X\)"):
        encode(np.zeros(shape), rnn_cell, np.zeros(D_H))
