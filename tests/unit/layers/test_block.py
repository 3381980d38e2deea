"""Block and encoder against torch's layers and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import reference
from attention_book.layers import (
    MLP,
    Block,
    Encoder,
    LayerNorm,
    MultiHeadSelfAttention,
    RMSNorm,
    causal_mask,
    from_torch,
    padding_mask,
    to_torch,
)

B, N, D, N_heads, D_hidden, N_blocks = 3, 5, 12, 4, 7, 3
TOLERANCE = 1e-12
LENGTHS = torch.tensor([2, 5, 3])
HIDING = {  # ours, and what torch's layer wants: its opposite, in two places
    "nothing": (None, None, None),
    "causal": (causal_mask(N), ~causal_mask(N), None),
    "padding": (padding_mask(LENGTHS, N)[:, None], None, ~padding_mask(LENGTHS, N)),
    "both": (
        causal_mask(N) & padding_mask(LENGTHS, N)[:, None],
        ~causal_mask(N),
        ~padding_mask(LENGTHS, N),
    ),
}


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def stirred(layer):
    """In double precision, with norms and biases that have learned something."""
    with torch.no_grad():
        for weights in layer.double().parameters():
            if weights.ndim == 1:
                weights.normal_()
    return layer


def inputs():
    return torch.randn(B, N, D, dtype=torch.float64, requires_grad=True)


def gradients(Y, layer, X):
    """Gradients of a fixed mixture of all outputs, to the inputs and each weight."""
    pull = torch.sin(torch.arange(Y.numel(), dtype=Y.dtype)).view_as(Y)
    of = {"X": X, **dict(layer.named_parameters())}
    found = torch.autograd.grad((Y * pull).sum(), [*of.values()])
    return dict(zip(of, found, strict=True))


def same(ours, theirs):
    torch.testing.assert_close(ours, theirs, atol=TOLERANCE, rtol=0)


NAMES = {
    "attend.W_O": "self_attn.out_proj.weight",
    "mlp.W_1": "linear1.weight",
    "mlp.b_1": "linear1.bias",
    "mlp.W_2": "linear2.weight",
    "mlp.b_2": "linear2.bias",
    "norm_1.gamma": "norm1.weight",
    "norm_1.beta": "norm1.bias",
    "norm_2.gamma": "norm2.weight",
    "norm_2.beta": "norm2.bias",
}


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("fast", [False, True])
def test_a_block_is_torchs_in_value_and_gradient(fast, norm, hiding):
    visible, src_mask, hidden = HIDING[hiding]
    layer, X = stirred(Block(D, N_heads, D_hidden, norm, fast=fast)), inputs()
    twin = to_torch(layer)
    Y, A = layer(X, visible)
    Y_twin = twin(X, src_mask=src_mask, src_key_padding_mask=hidden)
    same(Y, Y_twin)
    assert (A is None) == fast
    ours, theirs = gradients(Y, layer, X), gradients(Y_twin, twin, X)
    of_all = theirs["self_attn.in_proj_weight"].chunk(3)
    theirs |= zip(["attend.W_Q", "attend.W_K", "attend.W_V"], of_all, strict=True)
    for name, gradient in ours.items():
        same(
            gradient.T if gradient.ndim == 2 else gradient,
            theirs[NAMES.get(name, name)],
        )


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("fast", [False, True])
def test_an_encoder_is_torchs_in_value_and_gradient(fast, norm, hiding):
    visible, mask, hidden = HIDING[hiding]
    sizes = N_blocks, D, N_heads, D_hidden
    layer, X = stirred(Encoder(*sizes, norm, fast=fast)), inputs()
    twin = to_torch(layer)
    Y, weights = layer(X, visible)
    Y_twin = twin(X, mask=mask, src_key_padding_mask=hidden)
    same(Y, Y_twin)
    same(gradients(Y, layer, X)["X"], gradients(Y_twin, twin, X)["X"])
    assert [A is None for A in weights] == [fast] * N_blocks


@pytest.mark.parametrize(
    ("norm", "twin"), [("post", reference.block), ("pre", reference.pre_norm_block)]
)
def test_a_block_is_its_twin_in_numpy(norm, twin):
    layer, X = stirred(Block(D, N_heads, D_hidden, norm)), inputs()

    def of(part):
        def with_arrays(X):
            Y = part(torch.from_numpy(X))
            return (Y if isinstance(Y, torch.Tensor) else Y[0]).detach().numpy()

        return with_arrays

    parts = (layer.attend, layer.mlp, layer.norm_1, layer.norm_2)
    expected = twin(X.detach().numpy(), *map(of, parts))
    np.testing.assert_allclose(layer(X)[0].detach(), expected, atol=TOLERANCE)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_fast_block_has_the_weights_of_one_that_is_read(norm):
    layer = stirred(Block(D, N_heads, D_hidden, norm))
    fast, X = Block(D, N_heads, D_hidden, norm, fast=True).double(), inputs()
    fast.load_state_dict(layer.state_dict())
    same(fast(X)[0], layer(X)[0])


def test_without_norms_and_residuals_the_parts_follow_each_other():
    layer, X = Block(D, N_heads, D_hidden, "none", residual=False).double(), inputs()
    same(layer(X)[0], layer.mlp(layer.attend(X)[0]))
    with_them = Block(D, N_heads, D_hidden, "none").double()
    with_them.load_state_dict(layer.state_dict())
    Z = X + layer.attend(X)[0]
    same(with_them(X)[0], Z + layer.mlp(Z))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("bias", [False, True])
def test_torchs_weights_carried_over_compute_the_same(norm, bias):
    block = nn.TransformerEncoderLayer(
        D, N_heads, D_hidden, 0.0, batch_first=True, norm_first=norm == "pre", bias=bias
    )
    end = nn.LayerNorm(D, bias=bias) if norm == "pre" else None
    twin = nn.TransformerEncoder(block, N_blocks, end, enable_nested_tensor=False)
    for layer in twin.double().layers:  # deep copies: each gets weights of its own
        for weights in (layer.linear1.weight, layer.norm1.weight):
            weights.data.normal_()
        if bias:
            layer.linear2.bias.data.normal_()
    X = inputs()
    layer = from_torch(twin)
    same(layer(X)[0], twin(X))
    layer.blocks[0].mlp.W_1.data.zero_()  # a copy: torch's keeps its own
    assert twin.layers[0].linear1.weight.abs().min() > 0


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_there_and_back_is_the_same_encoder(norm):
    layer = stirred(Encoder(N_blocks, D, N_heads, D_hidden, norm))
    layer.blocks[1].norm_2.eps = 0.5
    back = from_torch(to_torch(layer))
    assert back.blocks[1].norm_2.eps == 0.5
    for name, weights in layer.state_dict().items():
        assert torch.equal(weights, back.state_dict()[name]), name


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {"norm": "none"},
            "residual=True and norm='none', expected residual",
        ),
        ({"residual": False}, "layer has residual=False and norm='pre', expected"),
    ],
)
def test_a_block_that_torch_does_not_have_is_named(options, says):
    with pytest.raises(ValueError, match=says):
        to_torch(Block(D, N_heads, D_hidden, **options))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"activation": "gelu"}, "twin has activation=.*gelu.*, expected F.relu"),
        ({"dropout": 0.5}, "twin has dropout=0.5, expected 0"),
        ({"batch_first": False}, "twin has batch_first=False"),
    ],
)
def test_a_torch_block_that_cannot_be_carried_over_is_named(options, says):
    options = {"dropout": 0.0, "batch_first": True} | options
    with pytest.raises(ValueError, match=says):
        from_torch(nn.TransformerEncoderLayer(D, N_heads, D_hidden, **options))


def torchs(norm_first, N):
    block = nn.TransformerEncoderLayer(
        D, N_heads, D_hidden, 0.0, batch_first=True, norm_first=norm_first
    )
    end = nn.LayerNorm(D) if norm_first else None
    return nn.TransformerEncoder(block, N, end, enable_nested_tensor=False)


@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoders_last_norm_that_ours_does_not_have_is_named(norm_first):
    twin = torchs(norm_first, 1)
    twin.norm = None if norm_first else nn.LayerNorm(D)
    with pytest.raises(ValueError, match=f"behind layers with norm_first={norm_first}"):
        from_torch(twin)


def test_an_exchanged_last_norm_is_named():
    layer = Encoder(N_blocks, D, N_heads, D_hidden)
    layer.norm = RMSNorm(D)
    with pytest.raises(TypeError, match="layer is a RMSNorm, expected"):
        to_torch(layer)
    layer.norm = nn.Identity()
    assert to_torch(layer).norm is None


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("attend", "MultiHeadSelfAttention"),
        ("mlp", "MLP"),
        ("norm_1", "LayerNorm"),
        ("norm_2", "LayerNorm"),
    ],
)
def test_an_exchanged_part_of_a_block_is_named(part, kind):
    layer = Block(D, N_heads, D_hidden)
    setattr(layer, part, nn.Identity())
    with pytest.raises(TypeError, match=rf"layer\.{part} must be a {kind}, got Ident"):
        to_torch(layer)


def test_an_encoder_without_layers_is_named():
    with pytest.raises(ValueError, match=r"twin\.layers is empty, expected at least"):
        from_torch(torchs(True, 0))


@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoder_of_unlike_layers_is_named(norm_first):
    twin = torchs(norm_first, 2)
    twin.layers[1] = torchs(not norm_first, 1).layers[0]
    with pytest.raises(ValueError, match="norm_first=True and with norm_first=False"):
        from_torch(twin)


def test_what_does_not_fit_is_named(as_a_reader):
    with pytest.raises(ValueError, match="norm is 'last', expected one of pre, post"):
        Block(D, N_heads, D_hidden, norm="last")
    with pytest.raises(ValueError, match="D_hidden is 0, expected at least 1"):
        Block(D, N_heads, 0)
    with pytest.raises(ValueError, match="N_blocks is 0, expected at least 1"):
        Encoder(0, D, N_heads, D_hidden)
    with pytest.raises(ValueError, match=r"W_1 has shape \(12, 7\), .* D as in X"):
        MLP(D, D_hidden)(torch.zeros(N, 9))
    with pytest.raises(TypeError, match="layer is a Linear, expected a SelfAttention"):
        to_torch(nn.Linear(3, 3))


def test_a_block_is_made_of_the_books_own_parts():
    parts = [type(part) for part in Block(D, N_heads, D_hidden).children()]
    assert parts == [MultiHeadSelfAttention, MLP, LayerNorm, LayerNorm]
