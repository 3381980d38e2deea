"""Our GRU against torch's and our NumPy: values and gradients, padded or not."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_book.layers import GRU, BidirectionalGRU, GRUCell, Stack, stacked
from attention_book.reference import encode, gru_cell

B, N_X, D_X, D_H = 4, 6, 3, 5
LENGTHS = torch.tensor([2, 6, 1, 4])
VISIBLE = torch.arange(N_X) < LENGTHS[:, None]
TOLERANCE = 1e-10


def largest_difference(ours, theirs):
    return (ours - theirs).abs().max().item()


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


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def test_the_cell_agrees_with_torch_in_value_and_in_every_gradient():
    cell, oracle = GRUCell(D_X, D_H).double(), nn.GRUCell(D_X, D_H).double()
    pairs = copy_weights(cell, oracle)
    x_t, h_prev = leaf(B, D_X), leaf(B, D_H)
    x_too, h_too = (
        x_t.detach().clone().requires_grad_(),
        h_prev.detach().clone().requires_grad_(),
    )
    pull = torch.randn(B, D_H, dtype=torch.float64)
    ours, theirs = cell(x_t, h_prev), oracle(x_too, h_too)
    (ours * pull).sum().backward()
    (theirs * pull).sum().backward()
    assert largest_difference(ours, theirs) <= TOLERANCE
    for our, their in [*pairs, (x_t, x_too), (h_prev, h_too)]:
        assert largest_difference(our.grad, their.grad) <= TOLERANCE


def packed(oracle, X, h_0):
    """Run torch's GRU without padding, where it leaves zeros and we the last state."""
    sequence = pack_padded_sequence(X, LENGTHS, batch_first=True, enforce_sorted=False)
    h, h_T = oracle(sequence, h_0[None])
    return pad_packed_sequence(h, batch_first=True, total_length=N_X)[0], h_T[0]


@pytest.mark.parametrize("padded", [False, True])
def test_the_layer_agrees_with_torch_in_value_and_in_every_gradient(padded):
    layer, oracle = GRU(D_X, D_H).double(), nn.GRU(D_X, D_H, batch_first=True).double()
    pairs = copy_weights(layer.cell, oracle, "_l0")
    X, h_0 = leaf(B, N_X, D_X), leaf(B, D_H)
    X_too, h_too = (
        X.detach().clone().requires_grad_(),
        h_0.detach().clone().requires_grad_(),
    )
    seen = VISIBLE[..., None] if padded else torch.ones(B, N_X, 1, dtype=torch.bool)
    pull, pull_T = (
        torch.randn(B, N_X, D_H).double() * seen,
        torch.randn(B, D_H).double(),
    )
    h, h_T = layer(X, VISIBLE if padded else None, h_0)
    if padded:
        oracle_h, oracle_T = packed(oracle, X_too, h_too)
    else:
        oracle_h, oracle_T = oracle(X_too, h_too[None])
        oracle_T = oracle_T[0]
    ((h * pull).sum() + (h_T * pull_T).sum()).backward()
    ((oracle_h * pull).sum() + (oracle_T * pull_T).sum()).backward()
    assert largest_difference(h * seen, oracle_h * seen) <= TOLERANCE
    assert largest_difference(h_T, oracle_T) <= TOLERANCE
    for our, their in [*pairs, (X, X_too), (h_0, h_too)]:
        assert largest_difference(our.grad, their.grad) <= TOLERANCE


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
    np.testing.assert_allclose(ours[0].detach().numpy(), h, atol=TOLERANCE, rtol=0)
    np.testing.assert_allclose(last[0].detach().numpy(), h_T, atol=TOLERANCE, rtol=0)


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
        assert largest_difference(h_T[row], alone[0]) <= TOLERANCE


def test_padding_before_the_words_changes_nothing_either():
    layer, X = GRU(D_X, D_H).double(), leaf(B, N_X, D_X)
    visible = torch.arange(N_X) >= 2
    _, h_T = layer(X, visible.expand(B, -1))
    _, alone = layer(X[:, 2:])
    assert largest_difference(h_T, alone) <= TOLERANCE


def test_first_weights_are_as_small_as_torchs():
    weights = torch.cat([p.detach().flatten() for p in GRUCell(40, 100).parameters()])
    assert weights.abs().max() <= 100**-0.5 + 1e-7
    assert weights.std().item() == pytest.approx(100**-0.5 / 3**0.5, rel=0.02)


X_OK = torch.zeros(B, N_X, D_X)
NOWHERE = VISIBLE.clone()
NOWHERE[2] = False


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            {"X": torch.zeros(B, N_X, D_X + 1)},
            r"X has shape \(4, 6, 4\).* \(B, N_X, 3\)",
        ),
        ({"X": torch.zeros(N_X, D_X)}, "X has shape"),
        ({"X": torch.zeros(B, 0, D_X)}, "expected .*, not empty"),
        ({"X": X_OK, "visible": VISIBLE[:, :-1]}, r"visible.*\(4, 5\)"),
        ({"X": X_OK, "visible": VISIBLE.float()}, "torch.float32.*expected bool"),
        ({"X": X_OK, "visible": NOWHERE}, "row 2"),
        ({"X": X_OK, "h_0": torch.zeros(B, D_H + 1)}, "h_0 has shape"),
        ({"X": X_OK, "h_0": torch.zeros(1, D_H)}, "h_0 has shape"),
    ],
)
def test_the_layer_names_bad_input(as_a_reader, arguments, says):
    with pytest.raises(ValueError, match=says):
        GRU(D_X, D_H)(**arguments)


@pytest.mark.parametrize(
    ("x_t", "h_prev", "says"),
    [
        (torch.zeros(B, D_X + 1), torch.zeros(B, D_H), "x_t has shape"),
        (torch.zeros(B, D_X), torch.zeros(B, D_H + 1), "h_prev has shape"),
        (
            torch.zeros(B, D_X),
            torch.zeros(1, D_H),
            r"h_prev has shape \(1, 5\), expected \(B, D_H\) = \(4, 5\)",
        ),
    ],
)
def test_the_cell_names_bad_input(as_a_reader, x_t, h_prev, says):
    with pytest.raises(ValueError, match=says):
        GRUCell(D_X, D_H)(x_t, h_prev)


@pytest.mark.parametrize("widths", [(0, 5), (3, -1)])
def test_widths_must_be_positive(widths):
    with pytest.raises(ValueError, match="at least 1"):
        GRU(*widths)


@pytest.mark.parametrize("padded", [False, True])
def test_both_directions_agree_with_torch_in_value_and_in_every_gradient(padded):
    layer = BidirectionalGRU(D_X, 2 * D_H).double()
    oracle = nn.GRU(D_X, D_H, batch_first=True, bidirectional=True).double()
    pairs = copy_weights(layer.forwards.cell, oracle, "_l0")
    pairs += copy_weights(layer.backwards.cell, oracle, "_l0_reverse")
    X, zeros = leaf(B, N_X, D_X), torch.zeros(2, B, D_H, dtype=torch.float64)
    X_too = X.detach().clone().requires_grad_()
    seen = VISIBLE[..., None] if padded else torch.ones(B, N_X, 1, dtype=torch.bool)
    pull, pull_T = (
        torch.randn(B, N_X, 2 * D_H).double() * seen,
        torch.randn(B, 2 * D_H).double(),
    )
    h, h_T = layer(X, VISIBLE if padded else None)
    lengths = LENGTHS if padded else torch.full((B,), N_X)
    sequence = pack_padded_sequence(
        X_too, lengths, batch_first=True, enforce_sorted=False
    )
    oracle_h, oracle_T = oracle(sequence, zeros)
    oracle_h = pad_packed_sequence(oracle_h, batch_first=True, total_length=N_X)[0]
    oracle_T = torch.cat([oracle_T[0], oracle_T[1]], dim=-1)
    ((h * pull).sum() + (h_T * pull_T).sum()).backward()
    ((oracle_h * pull).sum() + (oracle_T * pull_T).sum()).backward()
    assert largest_difference(h * seen, oracle_h * seen) <= TOLERANCE
    assert largest_difference(h_T, oracle_T) <= TOLERANCE
    for our, their in [*pairs, (X, X_too)]:
        assert largest_difference(our.grad, their.grad) <= TOLERANCE


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("both", [False, True])
def test_a_stack_agrees_with_torch_in_value_and_in_every_gradient(padded, both):
    kind, width = (BidirectionalGRU, 2 * D_H) if both else (GRU, D_H)
    stack = stacked(kind, D_X, width, 2).double()
    oracle = nn.GRU(
        D_X, D_H, num_layers=2, batch_first=True, bidirectional=both
    ).double()
    pairs = []
    for k, layer in enumerate(stack.layers):
        cells = {"": layer.forwards, "_reverse": layer.backwards} if both else {}
        for end, each in (cells or {"": layer}).items():
            pairs += copy_weights(each.cell, oracle, f"_l{k}{end}")
    X = leaf(B, N_X, D_X)
    X_too = X.detach().clone().requires_grad_()
    h_0 = None if both else torch.randn(B, 2 * D_H, dtype=torch.float64)
    seen = VISIBLE[..., None] if padded else torch.ones(B, N_X, 1, dtype=torch.bool)
    h, h_T = stack(X, VISIBLE if padded else None, h_0)
    lengths = LENGTHS if padded else torch.full((B,), N_X)
    sequence = pack_padded_sequence(
        X_too, lengths, batch_first=True, enforce_sorted=False
    )
    first = None if both else torch.stack(h_0.chunk(2, dim=-1))
    oracle_h, oracle_T = oracle(sequence, first)
    oracle_h = pad_packed_sequence(oracle_h, batch_first=True, total_length=N_X)[0]
    oracle_T = torch.cat([*oracle_T], dim=-1)  # layer by layer, direction by direction
    pull, pull_T = torch.randn_like(h) * seen, torch.randn_like(h_T)
    ((h * pull).sum() + (h_T * pull_T).sum()).backward()
    ((oracle_h * pull).sum() + (oracle_T * pull_T).sum()).backward()
    assert largest_difference(h * seen, oracle_h * seen) <= TOLERANCE
    assert largest_difference(h_T, oracle_T) <= TOLERANCE
    assert len(pairs) == 8 * (1 + both)
    for our, their in [*pairs, (X, X_too)]:
        assert largest_difference(our.grad, their.grad) <= TOLERANCE


def test_a_stack_walked_step_by_step_gives_the_same_states():
    stack, X, h_t = (
        stacked(GRU, D_X, D_H, 3).double(),
        leaf(B, N_X, D_X),
        leaf(B, 3 * D_H),
    )
    h, h_T = stack(X, h_0=h_t)
    for x_t, h_top in zip(X.unbind(1), h.unbind(1), strict=True):
        h_t = stack.cell(x_t, h_t)
        assert largest_difference(h_t[:, -D_H:], h_top) <= TOLERANCE
    assert largest_difference(h_t, h_T) <= TOLERANCE


def test_a_stack_of_one_is_the_layer_itself():
    assert isinstance(stacked(GRU, D_X, D_H, 1, 0.5), GRU)


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
