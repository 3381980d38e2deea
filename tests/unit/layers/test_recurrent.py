"""Our GRU against torch's and our NumPy: values and gradients, padded or not."""

import numpy as np
import pytest
import torch
from parity import agree, leaf, slopes
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_book.layers import GRU, BidirectionalGRU, GRUCell, Stack, stacked
from attention_book.reference import encode, gru_cell

B, N_X, D_X, D_H = 4, 6, 3, 5
LENGTHS = torch.tensor([2, 6, 1, 4])
VISIBLE = torch.arange(N_X) < LENGTHS[:, None]
TOLERANCE = 1e-10


def copy_weights(cell, oracle, suffix=""):
    names = {"from_input.weight": "weight_ih", "from_state.weight": "weight_hh"}
    names |= {"from_input.bias": "bias_ih", "from_state.bias": "bias_hh"}
    ours = dict(cell.named_parameters())
    pairs = [
        (ours[our], getattr(oracle, their + suffix)) for our, their in names.items()
    ]
    for our, their in pairs:
        their.data.copy_(our)
    return pairs


def test_the_cell_agrees_with_torch_in_value_and_in_every_gradient():
    cell, oracle = GRUCell(D_X, D_H).double(), nn.GRUCell(D_X, D_H).double()
    our, their = zip(*copy_weights(cell, oracle), strict=True)
    x_t, h_prev = leaf(B, D_X), leaf(B, D_H)
    ours, theirs = cell(x_t, h_prev), oracle(x_t, h_prev)
    agree(ours, theirs, TOLERANCE)
    ours, theirs = (
        slopes(Y, [x_t, h_prev, *weights])
        for Y, weights in ((ours, our), (theirs, their))
    )
    agree(ours, theirs, TOLERANCE)


def packed(oracle, X, padded, h_0):
    """Run torch's GRU without padding, where it leaves zeros and we the last state."""
    lengths = LENGTHS if padded else torch.full((B,), N_X)
    sequence = pack_padded_sequence(X, lengths, batch_first=True, enforce_sorted=False)
    h, h_T = oracle(sequence, h_0)
    h, _ = pad_packed_sequence(h, batch_first=True, total_length=N_X)
    return h, torch.cat([*h_T], dim=-1)  # layer by layer, direction by direction


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("N_layers", [1, 2])
@pytest.mark.parametrize("both", [False, True])
def test_layers_agree_with_torch_in_value_and_in_every_gradient(padded, N_layers, both):
    kind, width = (BidirectionalGRU, 2 * D_H) if both else (GRU, D_H)
    layer = stacked(kind, D_X, width, N_layers).double()
    oracle = nn.GRU(
        D_X, D_H, N_layers, batch_first=True, bidirectional=both, dtype=torch.float64
    )
    pairs = []
    for k, each in enumerate(layer.layers if N_layers > 1 else [layer]):
        ways = {"": each.forwards, "_reverse": each.backwards} if both else {"": each}
        for end, way in ways.items():
            pairs += copy_weights(way.cell, oracle, f"_l{k}{end}")
    assert len(pairs) == 4 * N_layers * (1 + both)
    X, h_0 = leaf(B, N_X, D_X), leaf(B, N_layers * D_H)
    first = None if both else torch.stack(h_0.chunk(N_layers, dim=-1))
    seen = VISIBLE[..., None] if padded else torch.ones(B, N_X, 1, dtype=torch.bool)
    found = layer(X, VISIBLE if padded else None, *([] if both else [h_0]))
    sides = []
    for (h, h_T), weights in zip(
        (found, packed(oracle, X, padded, first)), zip(*pairs, strict=True), strict=True
    ):
        Y = torch.cat([(h * seen).flatten(), h_T.flatten()])
        leaves = [X, *weights] if both else [X, h_0, *weights]
        sides.append((Y, slopes(Y, leaves)))
    agree(*sides, TOLERANCE)


def test_the_layer_agrees_with_the_numpy_reference():
    layer = GRU(D_X, D_H).double()
    X = torch.randn(1, N_X, D_X, dtype=torch.float64)
    weights = {name: p.detach().numpy() for name, p in layer.cell.named_parameters()}
    h, h_T = encode(
        X[0].numpy(),
        gru_cell,
        np.zeros(D_H),
        W_x=weights["from_input.weight"].T,
        W_h=weights["from_state.weight"].T,
        b_x=weights["from_input.bias"],
        b_h=weights["from_state.bias"],
    )
    ours, last = layer(X)
    np.testing.assert_allclose(ours[0].detach(), h, atol=TOLERANCE, rtol=0)
    np.testing.assert_allclose(last[0].detach(), h_T, atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("visible", [None, VISIBLE], ids=["plain", "padded"])
def test_the_walk_that_torch_writes_down_is_the_same(as_a_reader, monkeypatch, visible):
    layer, given = GRU(D_X, D_H).double(), (leaf(B, N_X, D_X), visible, leaf(B, D_H))
    with torch.no_grad():
        walked = layer(*given)
        monkeypatch.setattr("attention_book.layers.recurrent.tracing", lambda: True)
        agree(layer(*given), walked)


def test_no_gradient_reaches_the_padding():
    X = leaf(B, N_X, D_X)
    h, h_T = GRU(D_X, D_H).double()(X, VISIBLE)
    (h.sum() + h_T.sum()).backward()
    assert (X.grad[~VISIBLE] == 0).all()
    assert (X.grad[VISIBLE] != 0).any(dim=-1).all()


def test_the_state_after_the_last_word_is_the_same_alone_and_in_a_padded_batch():
    layer, X = GRU(D_X, D_H).double(), leaf(B, N_X, D_X)
    _, h_T = layer(X, VISIBLE)
    for row, length in enumerate(LENGTHS.tolist()):
        _, alone = layer(X[row : row + 1, :length])
        agree(h_T[row], alone[0], TOLERANCE)


def test_padding_before_the_words_changes_nothing_either():
    layer, X = GRU(D_X, D_H).double(), leaf(B, N_X, D_X)
    visible = torch.arange(N_X) >= 2
    _, h_T = layer(X, visible.expand(B, -1))
    _, alone = layer(X[:, 2:])
    agree(h_T, alone, TOLERANCE)


def test_first_weights_are_as_small_as_torchs():
    weights = torch.cat([p.detach().flatten() for p in GRUCell(40, 100).parameters()])
    assert weights.abs().max() <= 100**-0.5 + 1e-7
    assert weights.std().item() == pytest.approx(100**-0.5 / 3**0.5, rel=0.02)


X_OK = torch.zeros(B, N_X, D_X)
NOWHERE = VISIBLE.clone()
NOWHERE[2] = False
THREE, TWO_STATES = Stack(GRU(3, 2), GRU(2, 2), GRU(2, 2)), torch.zeros(B, 2 * 2)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: GRU(3, 5)(torch.zeros(4, 6, 4)), r"X has shape .*4\).* \(B, N_X, 3\)"),
        (lambda: GRU(3, 5)(torch.zeros(B, 0, 3)), "expected .*, not empty"),
        (lambda: GRU(3, 5)(X_OK, VISIBLE[:, :-1]), r"visible.*\(4, 5\)"),
        (lambda: GRU(3, 5)(X_OK, VISIBLE.float()), "torch.float32.*expected bool"),
        (lambda: GRU(3, 5)(X_OK, NOWHERE), "row 2"),
        (lambda: GRU(3, 5)(X_OK, h_0=torch.zeros(1, 5)), "h_0 has shape"),
        (lambda: GRUCell(3, 5)(torch.zeros(4, 4), torch.zeros(4, 5)), "x_t has shape"),
        (
            lambda: GRUCell(3, 5)(torch.zeros(4, 3), torch.zeros(1, 5)),
            r"h_prev has shape \(1, 5\), expected \(B, D_H\) = \(4, 5\)",
        ),
        (lambda: GRU(0, 5), "at least 1"),
        (lambda: GRU(3, -1), "at least 1"),
        (lambda: THREE.cell(X_OK[:, 0], TWO_STATES), "argument 2 is shorter"),
        (lambda: THREE(X_OK, h_0=TWO_STATES), "argument 2 is shorter"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_a_stack_walked_step_by_step_gives_the_same_states():
    stack, X = stacked(GRU, D_X, D_H, 3).double(), leaf(B, N_X, D_X)
    h_t = leaf(B, 3 * D_H)
    h, h_T = stack(X, h_0=h_t)
    for x_t, h_top in zip(X.unbind(1), h.unbind(1), strict=True):
        h_t = stack.cell(x_t, h_t)
        agree(h_t[:, -D_H:], h_top, TOLERANCE)
    agree(h_t, h_T, TOLERANCE)


class Echo(nn.Module):
    """A layer whose states are what it reads."""

    def cell(self, x_t, h_prev):
        return x_t

    def forward(self, X, visible=None):
        return X, X[:, -1]


def test_dropout_falls_between_the_layers_only():
    X, stack = torch.ones(50, 20, 8), Stack(Echo(), Echo(), dropout=0.25)
    h, h_T = stack(X)
    assert (h == 0).float().mean().item() == pytest.approx(0.25, abs=0.03)
    assert h.max().item() == pytest.approx(4 / 3)
    assert torch.equal(h_T[:, :8], X[:, -1])  # what the first reads is whole
    new = stack.cell(X[:, 0], torch.zeros(50, 16))
    assert torch.equal(new[:, :8], X[:, 0])
    assert (new[:, 8:] == 0).float().mean().item() == pytest.approx(0.25, abs=0.1)
    assert torch.equal(stack.eval()(X)[0], X)
