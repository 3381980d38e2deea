"""ReceptiveField: what is lit is what torch's own layers let a gradient reach."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.chapters.three_ways.receptive_field import (
    DEPTH,
    WAYS,
    N,
    edges_of,
    first_steps,
    path_lengths,
    seen_from,
)
from attention_book.chapters.three_ways.widgets import receptive_field

WIDTH = 4
DEPTHS = range(1, DEPTH + 1)


class Convolutions(nn.Module):
    """Layers of torch's convolution, with tanh; `causal` fills up on the left alone."""

    def __init__(self, layers, k, causal=False, dilated=False):
        super().__init__()
        steps = [2**layer if dilated else 1 for layer in range(layers)]
        self.fill = [
            ((k - 1) * s, 0) if causal else ((k - 1) * s // 2,) * 2 for s in steps
        ]
        self.layers = nn.ModuleList(
            nn.Conv1d(WIDTH, WIDTH, k, dilation=s) for s in steps
        )

    def forward(self, X):
        Z = X.T[None]
        for layer, fill in zip(self.layers, self.fill, strict=True):
            Z = layer(F.pad(Z, fill)).tanh()
        return Z[0].T


class Attentions(nn.Module):
    """Layers of torch's self-attention, each behind the same mask (True: hidden)."""

    def __init__(self, layers, hidden):
        super().__init__()
        self.hidden = hidden
        self.layers = nn.ModuleList(
            nn.MultiheadAttention(WIDTH, 2, batch_first=True) for _ in range(layers)
        )

    def forward(self, X):
        Z = X[None]
        for layer in self.layers:
            Z, _ = layer(Z, Z, Z, attn_mask=self.hidden)
        return Z[0]


AWAY = torch.arange(N)[:, None] - torch.arange(N)
TORCH = {
    "GRU": lambda layers: nn.GRU(WIDTH, WIDTH, num_layers=layers),
    "convolution, k = 3": lambda layers: Convolutions(layers, 3),
    "convolution, k = 5": lambda layers: Convolutions(layers, 5),
    "causal convolution, k = 3": lambda layers: Convolutions(layers, 3, causal=True),
    "dilated convolution, k = 3": lambda layers: Convolutions(layers, 3, dilated=True),
    "self-attention": lambda layers: Attentions(layers, None),
    "causal self-attention": lambda layers: Attentions(layers, AWAY < 0),
    "restricted self-attention, r = 3": lambda layers: Attentions(
        layers, AWAY.abs() >= 3
    ),
}


@pytest.mark.parametrize("layers", DEPTHS)
@pytest.mark.parametrize("name", WAYS)
def test_an_output_sees_what_torchs_layers_let_its_gradient_reach(name, layers):
    torch.manual_seed(layers)
    X = torch.randn(N, WIDTH, dtype=torch.float64, requires_grad=True)
    Y = TORCH[name](layers).double()(X)
    Y = Y[0] if name == "GRU" else Y  # without its last state
    edges = edges_of(WAYS[name])
    for place in range(N):
        (gradient,) = torch.autograd.grad(Y[place].sum(), X, retain_graph=True)
        reached = gradient.abs().sum(dim=1) > 0
        np.testing.assert_array_equal(seen_from(edges, layers, place)[0], reached)


@pytest.mark.parametrize("name", WAYS)
def test_a_layer_is_a_step_and_an_edge_but_a_gru_waits_for_its_neighbour(name):
    edges, (layer, place) = edges_of(WAYS[name]), np.mgrid[: DEPTH + 1, :N]
    far = layer + place if name == "GRU" else layer
    np.testing.assert_array_equal(first_steps(edges)[1:], far[1:])
    for k in DEPTHS:
        for i in range(N):
            sees = seen_from(edges, k, i)[0, 0]
            assert path_lengths(edges)[k, i] == (far[k, i] if sees else np.inf)


def test_it_opens_where_two_layers_do_not_reach_and_four_do():
    widget = receptive_field()
    assert widget.setting == {"way": "convolution, k = 5", "layers": 2, "output": 9}
    reached = []
    for layers in DEPTHS:
        for output in (9, 12):
            widget.setting = {"layers": layers, "output": output}
            said = widget.panels[1].fields["text"].at(widget.index)
            reached.append(said.split(": ")[-1])
    assert reached == ["none."] * 6 + ["4 long.", "none."]
