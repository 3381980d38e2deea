"""ReceptiveField: what is lit is what the layers let a gradient reach."""

from functools import partial

import numpy as np
import pytest
import torch

from attention_book import layers
from attention_book.chapters.three_ways.experiments import outputs
from attention_book.chapters.three_ways.model import CausalSelfAttention
from attention_book.chapters.three_ways.receptive_field import (
    DEPTH,
    WAYS,
    N,
    edges_of,
    first_steps,
    path_lengths,
    seen_from,
)
from attention_book.chapters.three_ways.solutions import causal_convolution
from attention_book.chapters.three_ways.widgets import receptive_field

D = 4
DEPTHS = range(1, DEPTH + 1)
LAYERS = {  # the layer of a number, from 0
    "GRU": lambda number: layers.GRU(D, D),
    "convolution, k = 3": lambda number: layers.Convolution(D, D, 3),
    "convolution, k = 5": lambda number: layers.Convolution(D, D, 5),
    "causal convolution, k = 3": lambda number: partial(
        causal_convolution, W=torch.randn(3, D, D)
    ),
    "dilated convolution, k = 3": lambda number: layers.Convolution(
        D, D, 3, dilation=2**number
    ),
    "self-attention": lambda number: layers.SelfAttention(D, D, D),
    "causal self-attention": lambda number: CausalSelfAttention(D, D, D),
    "restricted self-attention, r = 3": lambda number: layers.WindowSelfAttention(
        D, D, D, r=3
    ),
}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", WAYS)
def test_an_output_sees_what_the_layers_let_its_gradient_reach(name, depth):
    torch.manual_seed(depth)
    Y = X = torch.randn(1, N, D, requires_grad=True)
    for number in range(depth):
        Y = outputs(LAYERS[name](number), Y)
    edges = edges_of(WAYS[name])
    for place in range(N):
        (gradient,) = torch.autograd.grad(Y[0, place].sum(), X, retain_graph=True)
        reached = gradient[0].abs().sum(dim=1) > 0
        np.testing.assert_array_equal(seen_from(edges, depth, place)[0], reached)


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
    for depth in DEPTHS:
        for output in (9, 12):
            widget.setting = {"layers": depth, "output": output}
            said = widget.panels[1].fields["text"].at(widget.index)
            reached.append(said.split(": ")[-1])
    assert reached == ["none."] * 6 + ["4 long.", "none."]
