"""Self-attention between cells against its form of 1 by 1 convolutions, which is how
papers draw it, and as the identity that it begins as."""

from math import sqrt

import pytest
import torch
from parity import agree, leaf, slopes
from torch import nn

from attention_book.layers import GridSelfAttention

B, D, D_Q, D_V, N_ROWS, N_COLUMNS = 2, 6, 4, 5, 3, 7


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
    layer = GridSelfAttention(D, D_Q, D_V).double()
    layer.gate.data.fill_(0.7)
    return layer


def test_it_is_1_by_1_convolutions_in_value_and_gradient(layer):
    twin, grid = Convolved(layer), leaf(B, D, N_ROWS, N_COLUMNS)
    (out, A), (their_out, their_A) = layer(grid), twin(grid)
    agree((out, A), (their_out, their_A))
    attend = layer.attend
    matrices = attend.W_Q, attend.W_K, attend.W_V, layer.W_O
    of_grid, of_gate, *of_W = slopes(out, [grid, layer.gate, *matrices])
    kernels = [f.weight for f in (twin.q, twin.k, twin.v, twin.o)]
    their_grid, their_gate, *of_f = slopes(their_out, [grid, twin.gate, *kernels])
    agree((of_grid, of_gate), (their_grid, their_gate))
    agree([slope.T for slope in of_W], [slope[:, :, 0, 0] for slope in of_f])


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


def test_rows_of_the_weights_are_cells_that_ask_row_by_row(layer):
    grid = leaf(1, D, N_ROWS, N_COLUMNS)
    _, A = layer(grid)
    X = layer.cells(grid)
    assert torch.equal(X[0, 2 * N_COLUMNS + 4], grid[0, :, 2, 4])
    Q, K, _ = layer.attend.project(X[0])
    row, column = 2, 4  # this cell asks
    E = Q[row * N_COLUMNS + column] @ K.T / sqrt(D_Q)
    agree(A[0, row * N_COLUMNS + column], E.softmax(-1))


def test_what_does_not_fit_is_named(as_a_reader, layer):
    with pytest.raises(ValueError, match="W_Q"):
        layer(torch.zeros(B, D + 1, N_ROWS, N_COLUMNS).double())
    with pytest.raises(ValueError, match="grid"):
        layer(torch.zeros(D, N_ROWS, N_COLUMNS).double())
    for name in ("D", "D_Q", "D_V"):
        with pytest.raises(ValueError, match=f"^{name} is 0, expected at least 1"):
            GridSelfAttention(**dict(D=D, D_Q=D_Q, D_V=D_V) | {name: 0})
