"""Self-attention between cells against its form of 1 by 1 convolutions, which is how
papers draw it, and as the identity that it begins as."""

from math import sqrt

import pytest
import torch
from torch import nn

from attention_book.layers import GridSelfAttention

B, D, D_Q, D_V, N_ROWS, N_COLUMNS = 2, 6, 4, 5, 3, 7
TOLERANCE = 1e-12


class Convolved(nn.Module):
    """The same module as papers write it: convolutions, and grids flattened to sets."""

    def __init__(self, ours: GridSelfAttention):
        super().__init__()
        attend = ours.attend
        self.q, self.k, self.v, self.o = (
            as_convolution(W) for W in (attend.W_Q, attend.W_K, attend.W_V, ours.W_O)
        )
        self.gate = nn.Parameter(ours.gate.detach().clone())

    def forward(self, grid):
        Q, K, V = (f(grid).flatten(2) for f in (self.q, self.k, self.v))
        A = torch.softmax(Q.mT @ K / sqrt(Q.shape[1]), dim=-1)
        Y = (V @ A.mT).unflatten(-1, grid.shape[2:])
        return grid + self.gate * self.o(Y), A


def as_convolution(W):
    convolution = nn.Conv2d(*W.shape, 1, bias=False, dtype=torch.float64)
    convolution.weight.data = W.detach().T[:, :, None, None].clone()
    return convolution


@pytest.fixture
def layer():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        layer = GridSelfAttention(D, D_Q, D_V).double()
        layer.gate.data.fill_(0.7)
        yield layer


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def agree(ours, theirs):
    torch.testing.assert_close(ours, theirs, atol=TOLERANCE, rtol=0)


def test_it_is_1_by_1_convolutions_in_value_and_gradient(layer):
    twin, grid = Convolved(layer), leaf(B, D, N_ROWS, N_COLUMNS)
    again, seed = grid.detach().clone().requires_grad_(), torch.randn_like(grid)
    (out, A), (their_out, their_A) = layer(grid), twin(again)
    agree(out, their_out)
    agree(A, their_A)
    (out * seed).sum().backward()
    (their_out * seed).sum().backward()
    agree(grid.grad, again.grad)
    agree(layer.gate.grad, twin.gate.grad)
    attend = layer.attend
    for W, f in zip(
        (attend.W_Q, attend.W_K, attend.W_V, layer.W_O),
        (twin.q, twin.k, twin.v, twin.o),
        strict=True,
    ):
        agree(W.grad.T, f.weight.grad[:, :, 0, 0])


def test_it_begins_as_the_identity_whose_gate_learns():
    layer, grid = GridSelfAttention(D, D_Q, D_V), torch.randn(B, D, N_ROWS, N_COLUMNS)
    out, _ = layer(grid)
    assert torch.equal(out, grid)
    (out * torch.randn_like(out)).sum().backward()
    assert layer.gate.grad != 0
    assert not layer.W_O.grad.any()  # as long as the gate is 0 nothing else learns


def test_cells_that_change_places_take_their_outputs_along(layer):
    grid, s = leaf(B, D, N_ROWS, N_COLUMNS), torch.randperm(N_ROWS * N_COLUMNS)

    def shuffled(grid):
        return grid.flatten(2)[..., s].unflatten(-1, grid.shape[2:])

    agree(layer(shuffled(grid))[0], shuffled(layer(grid)[0]))


def test_cells_are_vectors_row_by_row(layer):
    grid = leaf(B, D, N_ROWS, N_COLUMNS)
    X = layer.cells(grid)
    assert X.shape == (B, N_ROWS * N_COLUMNS, D)
    assert torch.equal(X[1, 2 * N_COLUMNS + 4], grid[1, :, 2, 4])


def test_rows_of_the_weights_are_cells_that_ask_row_by_row(layer):
    grid = leaf(1, D, N_ROWS, N_COLUMNS)
    _, A = layer(grid)
    assert A.shape == (1, N_ROWS * N_COLUMNS, N_ROWS * N_COLUMNS)
    agree(A.sum(dim=-1), torch.ones(1, N_ROWS * N_COLUMNS, dtype=torch.float64))
    Q, K, _ = layer.attend.project(grid[0].flatten(1).T)
    row, column = 2, 4  # this cell asks
    E = Q[row * N_COLUMNS + column] @ K.T / sqrt(D_Q)
    agree(A[0, row * N_COLUMNS + column], E.softmax(-1))


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ((B, D + 1, N_ROWS, N_COLUMNS), "W_Q"),
        ((D, N_ROWS, N_COLUMNS), "grid"),
    ],
)
def test_a_grid_of_another_shape_is_named(as_a_reader, layer, shape, says):
    with pytest.raises(ValueError, match=says):
        layer(torch.randn(*shape, dtype=torch.float64))


@pytest.mark.parametrize("name", ["D", "D_Q", "D_V"])
def test_a_width_that_cannot_be_is_named(as_a_reader, name):
    with pytest.raises(ValueError, match=f"^{name} is 0, expected at least 1"):
        GridSelfAttention(**dict(D=D, D_Q=D_Q, D_V=D_V) | {name: 0})
