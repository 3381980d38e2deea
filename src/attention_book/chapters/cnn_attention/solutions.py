"""Chapter 9, *Attention inside a CNN*: worked solutions."""

import numpy as np
from jaxtyping import Float
from torch import Tensor

from attention_book.reference import attention


def count_numbers(
    N_rows: int, N_columns: int, D: int, D_Q: int, D_V: int
) -> tuple[int, int]:
    """Count what the module learns, and the weights in A for one picture."""
    matrices = D * D_Q + D * D_Q + D * D_V + D_V * D  # W_Q, W_K, W_V, W_O
    return matrices + 1, (N_rows * N_columns) ** 2  # with the gate


def grid_self_attention(
    grid: Float[np.ndarray, "*B D N_rows N_columns"],
    W_Q: Float[np.ndarray, "D D_Q"],
    W_K: Float[np.ndarray, "D D_Q"],
    W_V: Float[np.ndarray, "D D_V"],
    W_O: Float[np.ndarray, "D_V D"],
    gate: float,
) -> tuple[Float[np.ndarray, "*B D N_rows N_columns"], Float[np.ndarray, "*B N_X N_X"]]:
    """Let every cell look at all cells, and add what it finds, times the gate."""
    *B, D, N_rows, N_columns = grid.shape
    X = np.swapaxes(grid.reshape(*B, D, N_rows * N_columns), -1, -2)  # (B, N_X, D)
    Y, A = attention(X @ W_Q, X @ W_K, X @ W_V)
    found = np.swapaxes(Y @ W_O, -1, -2).reshape(grid.shape)
    return grid + gate * found, A


def cells(grid: Float[Tensor, "B D N_rows N_columns"]) -> Float[Tensor, "B N_X D"]:
    """Take a grid for a set: a vector for each cell, row by row."""
    B, D, N_rows, N_columns = grid.shape
    return grid.reshape(B, D, N_rows * N_columns).mT
