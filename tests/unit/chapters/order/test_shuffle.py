"""Shuffle: its layer is the reference's, in every order, with positions and without."""

from itertools import permutations

import numpy as np
import pytest

from attention_book.chapters.order.shuffle import (
    OFF,
    ORDER,
    POSITIONS,
    SEED,
    SINE,
    WORDS,
    small_layer,
)
from attention_book.chapters.order.widgets import inside, shuffle
from attention_book.reference import positional_encoding, self_attention

ORDERS = [" ".join(order) for order in permutations(WORDS)]


@pytest.fixture(scope="module")
def widget():
    return shuffle()


@pytest.fixture(scope="module")
def within():
    return inside()


def shown(widget, order, positions=None):
    """A, then Y with its mean below, then the two norms; or what is inside."""
    widget.setting = {ORDER: order} | ({POSITIONS: positions} if positions else {})
    return [panel.fields["values"].at(widget.index) for panel in widget.panels[1:]]


@pytest.mark.parametrize("positions", [OFF, SINE])
@pytest.mark.parametrize("order", ORDERS)
def test_weights_outputs_and_norms_are_those_of_the_reference(widget, order, positions):
    X, W = small_layer(SEED)
    s = [WORDS.index(word) for word in order.split()]
    P = positional_encoding(*X.shape) if positions == SINE else np.zeros(X.shape)
    Y, A = self_attention(X[s] + P, W["Q"], W["K"], W["V"])
    unshuffled, _ = self_attention(X + P, W["Q"], W["K"], W["V"])
    norms = [
        np.linalg.norm(Y - unshuffled[s]),
        np.linalg.norm(Y.mean(axis=0) - unshuffled.mean(axis=0)),
    ]
    expected = [A, np.vstack([Y, Y.mean(axis=0)]), norms]
    for got, want in zip(shown(widget, order, positions), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_without_positions_the_order_changes_nothing_but_the_order(widget, order):
    A, Y, norms = shown(widget, order, OFF)
    s = [WORDS.index(word) for word in order.split()]
    first_A, first_Y, _ = shown(widget, " ".join(WORDS), OFF)
    np.testing.assert_allclose(A, first_A[s][:, s], rtol=0, atol=1e-12)
    np.testing.assert_allclose(Y[-1], first_Y[-1], rtol=0, atol=1e-12)
    assert norms.max() < 1e-12


@pytest.mark.parametrize("order", ORDERS[::5])
def test_what_is_inside_is_the_layers_in_every_order(widget, within, order):
    X, W = small_layer(SEED)
    X = X[[WORDS.index(word) for word in order.split()]]
    Q, K, V = (X @ W[name] for name in "QKV")
    E = Q @ K.T / np.sqrt(Q.shape[1])
    made, scores = shown(within, order)
    np.testing.assert_allclose(made, np.hstack([Q, K, V]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(scores, E, rtol=0, atol=1e-12)
    A = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shown(widget, order, OFF)[0], A, atol=1e-12)
