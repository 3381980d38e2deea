"""ReceptiveField: what is lit is what torch's own layers let a gradient reach."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.chapters.three_ways.receptive_field import (
    DEPTH,
    WAYS,
    D,
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


class Recurrent(nn.GRU):
    def forward(self, X):
        return super().forward(X)[0]


AWAY = torch.arange(N)[:, None] - torch.arange(N)
TORCH = {
    "GRU": lambda layers: Recurrent(WIDTH, WIDTH, num_layers=layers),
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


def shown(widget, panel):
    return widget.panels[panel].fields["text"].at(widget.index)


@pytest.mark.parametrize("layers", DEPTHS)
@pytest.mark.parametrize("name", WAYS)
def test_an_output_sees_what_torchs_layers_let_its_gradient_reach(name, layers):
    torch.manual_seed(layers)
    X = torch.randn(N, WIDTH, dtype=torch.float64, requires_grad=True)
    Y = TORCH[name](layers).double()(X)
    edges = edges_of(WAYS[name])
    for place in range(N):
        (gradient,) = torch.autograd.grad(Y[place].sum(), X, retain_graph=True)
        reached = gradient.abs().sum(dim=1) > 0
        np.testing.assert_array_equal(seen_from(edges, layers, place)[0], reached)


@pytest.mark.parametrize("name", WAYS)
def test_only_a_gru_has_to_wait_for_its_neighbour(name):
    steps = first_steps(edges_of(WAYS[name]))
    layer, place = np.mgrid[: DEPTH + 1, :N]
    expected = np.where(layer > 0, layer + place, 0) if name == "GRU" else layer
    np.testing.assert_array_equal(steps, expected)


@pytest.mark.parametrize("name", WAYS)
def test_the_first_input_is_one_edge_a_layer_away_but_for_a_gru(name):
    edges = edges_of(WAYS[name])
    for layers in DEPTHS:
        for place in range(N):
            length = path_lengths(edges)[layers, place]
            if not seen_from(edges, layers, place)[0, 0]:
                assert np.isinf(length)
            else:
                assert length == layers + (place if name == "GRU" else 0)


def test_it_opens_where_two_layers_do_not_reach_and_four_do():
    widget = receptive_field()
    assert widget.setting == {"way": "convolution, k = 5", "layers": 2, "output": 9}
    assert shown(widget, 1) == "Steps, as numbered: 2. Path from input 1: none."
    reached = []
    for layers in DEPTHS:
        for output in (9, 12):
            widget.setting = {"layers": layers, "output": output}
            reached.append(shown(widget, 1).split(": ")[-1])
    assert reached == ["none."] * 6 + ["4 long.", "none."]


def test_a_gru_takes_a_step_for_each_place_and_layer():
    widget, said = receptive_field(), []
    for layers, output in ((3, 9), (3, 12), (1, 1)):
        widget.setting = {"way": "GRU", "layers": layers, "output": output}
        said.append(shown(widget, 1))
    assert said == [
        "Steps, as numbered: 11 (14 for all outputs). Path from input 1: 11 long.",
        "Steps, as numbered: 14. Path from input 1: 14 long.",
        "Steps, as numbered: 1 (12 for all outputs). Path from input 1: 1 long.",
    ]


@pytest.mark.parametrize(
    ("name", "one_layer", "formula"),
    [
        ("GRU", 6 * 12 * 64**2, "L·6·n·d²"),
        ("convolution, k = 5", 5 * 12 * 64**2, "L·k·n·d²"),
        ("dilated convolution, k = 3", 3 * 12 * 64**2, "L·k·n·d²"),
        (
            "causal self-attention",
            2 * 12**2 * 64 + 3 * 12 * 64**2,
            "L·(2·n²·d + 3·n·d²)",
        ),
        (
            "restricted self-attention, r = 3",
            6 * 3 * 12 * 64 + 3 * 12 * 64**2,
            "L·(6·r·n·d + 3·n·d²)",
        ),
    ],
)
def test_work_is_that_of_the_matrices_and_grows_with_the_layers(
    name, one_layer, formula
):
    assert (N, D) == (12, 64)
    widget = receptive_field()
    for layers in DEPTHS:
        widget.setting = {"way": name, "layers": layers}
        said = shown(widget, 2)
        assert said.startswith(f"Work {formula} with d = 64: {layers * one_layer:,} ")
    assert said.endswith("for n = 1,024.")


def test_it_says_how_much_is_seen_and_fits_a_screen():
    widget = receptive_field()
    said = widget.spec["summary"]["of"]
    assert "Output 9 sees 8 of 12 inputs; the others are hatched." in said
    assert "Output 9 sees all 12 inputs." in said
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760
