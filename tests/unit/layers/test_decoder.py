"""Cross-attention and the decoder against torch's layers, in value and gradient; and
one word at a time against all at once.
"""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import reference
from attention_book.layers import (
    Decoder,
    DecoderBlock,
    Encoder,
    FastMultiHeadCrossAttention,
    LayerNorm,
    MultiHeadCrossAttention,
    MultiHeadSelfAttention,
    causal_mask,
    from_torch,
    padding_mask,
    to_torch,
)

B, N_Y, N_X, D, N_heads, D_hidden, N_blocks = 3, 4, 5, 12, 4, 7, 3
TOLERANCE = 1e-12
CAUSAL = causal_mask(N_Y)
S_REAL = padding_mask(torch.tensor([4, 1, 3]), N_Y)
X_REAL = padding_mask(torch.tensor([2, 5, 3]), N_X)
SOME = torch.tensor([[1, 0, 0, 1, 0], [1] * 5, [1, 0, 0, 0, 0], [1, 1, 0, 0, 1]]).bool()
HIDING = {  # ours, for words and for inputs, and what torch wants: its opposite
    "nothing": (None, None, {}),
    "later words": (CAUSAL, None, {"tgt_mask": ~CAUSAL}),
    "padded words": (
        CAUSAL & S_REAL[:, None],
        None,
        {"tgt_mask": ~CAUSAL, "tgt_key_padding_mask": ~S_REAL},
    ),
    "padded inputs": (
        CAUSAL,
        X_REAL[:, None],
        {"tgt_mask": ~CAUSAL, "memory_key_padding_mask": ~X_REAL},
    ),
    "all of it": (
        CAUSAL & S_REAL[:, None],
        SOME & X_REAL[:, None],
        {
            "tgt_mask": ~CAUSAL,
            "tgt_key_padding_mask": ~S_REAL,
            "memory_mask": ~SOME,
            "memory_key_padding_mask": ~X_REAL,
        },
    ),
}
both_norms = pytest.mark.parametrize("norm", ["pre", "post"])
read_and_fast = pytest.mark.parametrize("fast", [False, True])


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


def words_and_inputs():
    S, X = torch.randn(B, N_Y, D).double(), torch.randn(B, N_X, D).double()
    return S.requires_grad_(), X.requires_grad_()


def gradients(Y, layer, S, X):
    """Gradients of a fixed mixture of all outputs, to what is given and each weight."""
    pull = torch.sin(torch.arange(Y.numel(), dtype=Y.dtype)).view_as(Y)
    of = {"S": S, "X": X, **dict(layer.named_parameters())}
    found = torch.autograd.grad((Y * pull).sum(), [*of.values()])
    return dict(zip(of, found, strict=True))


def same(ours, theirs):
    torch.testing.assert_close(ours, theirs, atol=TOLERANCE, rtol=0)


CROSS = [MultiHeadCrossAttention, FastMultiHeadCrossAttention]


@pytest.mark.parametrize("kind", CROSS)
@pytest.mark.parametrize("hiding", ["nothing", "padded inputs", "all of it"])
@pytest.mark.parametrize("heads", [1, N_heads])
def test_cross_attention_is_torchs_in_value_and_gradient(kind, hiding, heads):
    _, visible, theirs = HIDING[hiding]
    masks = {
        "attn_mask": theirs.get("memory_mask"),
        "key_padding_mask": theirs.get("memory_key_padding_mask"),
    }
    layer, (S, X) = kind(D, heads).double(), words_and_inputs()
    twin = to_torch(layer)
    Y, A = layer(S, X, visible)
    Y_twin, A_twin = twin(S, X, X, average_attn_weights=False, **masks)
    same(Y, Y_twin)
    assert (A is None) == (kind is FastMultiHeadCrossAttention)
    if A is not None:
        same(A, A_twin)
    ours, theirs = gradients(Y, layer, S, X), gradients(Y_twin, twin, S, X)
    of_all = theirs["in_proj_weight"].chunk(3)
    theirs |= zip(["W_Q", "W_K", "W_V"], of_all, strict=True)
    theirs["W_O"] = theirs["out_proj.weight"]
    for name, gradient in ours.items():
        same(gradient.T if gradient.ndim == 2 else gradient, theirs[name])


@pytest.mark.parametrize("kind", CROSS)
def test_cross_attention_with_one_head_is_its_twin_in_numpy(kind):
    layer, (S, X) = kind(D, 1).double(), words_and_inputs()
    W_Q, W_K, W_V, W_O = (W.detach().numpy() for W in layer.parameters())
    visible = X_REAL[:, None].expand(-1, N_Y, -1)
    arrays = S.detach().numpy(), X.detach().numpy()
    Y, _ = reference.cross_attention(*arrays, W_Q, W_K, W_V, visible.numpy())
    ours, _ = layer(S, X, visible)
    np.testing.assert_allclose(ours.detach(), Y @ W_O, atol=TOLERANCE)


def test_other_weights_are_the_ones_that_values_are_taken_by():
    layer, (S, X) = MultiHeadCrossAttention(D, N_heads).double(), words_and_inputs()
    K, V = layer.keys_values(X)
    Y, A = layer.look(S, K, V, intervene=lambda A: A.flip(-1))
    same(A, layer(S, X)[1].flip(-1))
    same(Y, layer.look(S, K.flip(-2), V, None)[0])


def test_an_input_at_a_time_is_a_row_of_causal_self_attention():
    layer, (S, _) = MultiHeadSelfAttention(D, N_heads).double(), words_and_inputs()
    Y, A = layer(S, CAUSAL)
    past = layer.keys_values(S[:, :1])
    for t in range(1, N_Y):
        y_t, a_t, past = layer.step(S[:, t : t + 1], past)
        same(y_t[:, 0], Y[:, t])
        same(a_t[:, :, 0], A[:, :, t, : t + 1])
    assert past[0].shape == (B, N_heads, N_Y, D // N_heads)


NAMES = {
    "attend.W_O": "self_attn.out_proj.weight",
    "cross.W_O": "multihead_attn.out_proj.weight",
    "mlp.W_1": "linear1.weight",
    "mlp.b_1": "linear1.bias",
    "mlp.W_2": "linear2.weight",
    "mlp.b_2": "linear2.bias",
    "norm_1.gamma": "norm1.weight",
    "norm_1.beta": "norm1.bias",
    "norm_2.gamma": "norm2.weight",
    "norm_2.beta": "norm2.bias",
    "norm_3.gamma": "norm3.weight",
    "norm_3.beta": "norm3.bias",
}
PARTS = {"attend": "self_attn", "cross": "multihead_attn"}


@pytest.mark.parametrize("hiding", HIDING)
@both_norms
@read_and_fast
def test_a_decoder_block_is_torchs_in_value_and_gradient(fast, norm, hiding):
    visible, X_visible, masks = HIDING[hiding]
    layer = stirred(DecoderBlock(D, N_heads, D_hidden, norm, fast=fast))
    twin, (S, X) = to_torch(layer), words_and_inputs()
    Y, A = layer(S, X, visible, X_visible)
    Y_twin = twin(S, X, **masks)
    same(Y, Y_twin)
    assert (A is None) == fast
    ours, theirs = gradients(Y, layer, S, X), gradients(Y_twin, twin, S, X)
    for part, its in PARTS.items():
        names = [f"{part}.{W}" for W in ("W_Q", "W_K", "W_V")]
        theirs |= zip(names, theirs[f"{its}.in_proj_weight"].chunk(3), strict=True)
    for name, gradient in ours.items():
        same(
            gradient.T if gradient.ndim == 2 else gradient,
            theirs[NAMES.get(name, name)],
        )


@pytest.mark.parametrize("hiding", HIDING)
@both_norms
@read_and_fast
def test_a_decoder_is_torchs_in_value_and_gradient(fast, norm, hiding):
    visible, X_visible, masks = HIDING[hiding]
    layer = stirred(Decoder(N_blocks, D, N_heads, D_hidden, norm, fast=fast))
    twin, (S, X) = to_torch(layer), words_and_inputs()
    Y, weights = layer(S, X, visible, X_visible)
    Y_twin = twin(S, X, **masks)
    same(Y, Y_twin)
    ours, theirs = gradients(Y, layer, S, X), gradients(Y_twin, twin, S, X)
    for name in ("S", "X"):
        same(ours[name], theirs[name])
    assert [A is None for A in weights] == [fast] * N_blocks


def transformed(twin, S, X):
    """What torch's whole gives, with later words and padded inputs hidden."""
    hidden = {"src_key_padding_mask": ~X_REAL, "memory_key_padding_mask": ~X_REAL}
    return twin(X, S, tgt_mask=~CAUSAL, **hidden)


def through(encoder, decoder, S, X):
    """The same with our layers."""
    visible = X_REAL[:, None]
    return decoder(S, encoder(X, visible)[0], CAUSAL, visible)[0]


@both_norms
def test_an_encoder_and_a_decoder_are_torchs_transformer(norm):
    sizes = D, N_heads, D_hidden, norm
    encoder, decoder = stirred(Encoder(2, *sizes)), stirred(Decoder(N_blocks, *sizes))
    twin = nn.Transformer(D, N_heads, 1, 1, batch_first=True)
    twin.encoder, twin.decoder = to_torch(encoder), to_torch(decoder)
    S, X = words_and_inputs()
    Y, Y_twin = through(encoder, decoder, S, X), transformed(twin, S, X)
    same(Y, Y_twin)
    pull = torch.randn_like(Y)
    ours, theirs = (
        torch.autograd.grad((each * pull).sum(), [S, X]) for each in (Y, Y_twin)
    )
    for one, other in zip(ours, theirs, strict=True):
        same(one, other)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch's own choice
@pytest.mark.parametrize("bias", [False, True])
def test_the_weights_of_torchs_transformer_carried_over_compute_the_same(bias):
    sizes = D, N_heads, 2, N_blocks, D_hidden, 0.0
    options = {"batch_first": True, "norm_first": True, "bias": bias}
    twin = stirred_torch(nn.Transformer(*sizes, **options))
    encoder, decoder = from_torch(twin.encoder), from_torch(twin.decoder)
    S, X = words_and_inputs()
    same(through(encoder, decoder, S, X), transformed(twin, S, X))
    decoder.blocks[0].cross.W_V.data.zero_()  # a copy: torch's keeps its own
    assert twin.decoder.layers[0].multihead_attn.in_proj_weight.abs().min() > 0


def stirred_torch(twin):
    """In double precision; norms and biases have learned, but those of attention."""
    for name, weights in twin.double().named_parameters():
        if weights.ndim == 1 and "attn" not in name:
            weights.data.normal_()
    return twin


@both_norms
def test_there_and_back_is_the_same_decoder(norm):
    layer = stirred(Decoder(N_blocks, D, N_heads, D_hidden, norm))
    layer.blocks[1].norm_3.eps = 0.5
    back = from_torch(to_torch(layer))
    assert back.blocks[1].norm_3.eps == 0.5
    assert type(back.blocks[0].cross) is MultiHeadCrossAttention
    for name, weights in layer.state_dict().items():
        assert torch.equal(weights, back.state_dict()[name]), name


@pytest.mark.parametrize("X_visible", [None, X_REAL[:, None]])
@both_norms
@read_and_fast
def test_one_word_at_a_time_gives_the_numbers_of_all_at_once(fast, norm, X_visible):
    layer = stirred(Decoder(N_blocks, D, N_heads, D_hidden, norm, fast))
    slow = stirred(Decoder(N_blocks, D, N_heads, D_hidden, norm))
    slow.load_state_dict(layer.state_dict())
    S, X = words_and_inputs()
    Y, weights = slow(S, X, CAUSAL, X_visible)
    of_X, past = layer.keys_values(X), layer.no_past(X)
    for t in range(N_Y):
        y_t, a_t, past = layer.step(S[:, t : t + 1], of_X, past, X_visible)
        same(y_t[:, 0], Y[:, t])
        for one, all_at_once in zip(a_t, weights, strict=True):
            same(one[:, :, 0], all_at_once[:, :, t])


@both_norms
@read_and_fast
def test_no_gradient_comes_from_later_words_or_from_what_is_hidden(fast, norm):
    layer = stirred(Decoder(N_blocks, D, N_heads, D_hidden, norm, fast))
    S, X = words_and_inputs()
    visible, X_visible, _ = HIDING["all of it"]
    Y, _ = layer(S, X, visible, X_visible)
    real = X_REAL & SOME.any(dim=0)
    for t in range(N_Y):
        of_S, of_X = torch.autograd.grad(Y[:, t].sin().sum(), [S, X], retain_graph=True)
        assert (of_S[:, t + 1 :] == 0).all()
        assert (of_S[:, t] != 0).any(dim=-1).all()
        assert (of_X[~X_REAL] == 0).all()
    of_X = torch.autograd.grad(Y.sin().sum(), X)[0]
    assert (of_X[real] != 0).any(dim=-1).all()


def test_a_step_that_goes_on_from_elsewhere_is_named(as_a_reader):
    layer, (S, X) = Decoder(2, D, N_heads, D_hidden).double(), words_and_inputs()
    of_X, past = layer.keys_values(X), layer.no_past(X)
    s_0 = S[:, :1]
    with pytest.raises(ValueError, match="blocks is 2 but past is 1: one for each"):
        layer.step(s_0, of_X, past[:1])
    with pytest.raises(ValueError, match="blocks is 2 but of_X is 1: one for each"):
        layer.step(s_0, of_X[:1], past)
    with pytest.raises(ValueError, match=r"X has shape .*one, D\) = \(\.\.\., 1, 12\)"):
        layer.step(S, of_X, past)
    with pytest.raises(ValueError, match=r"past is \(2, 4, 3\) but new is \(3, 4, 3\)"):
        layer.step(s_0, of_X, layer.no_past(X[:2]))
    with pytest.raises(ValueError, match=r"visible has shape .* expected .*1, 5"):
        layer.step(s_0, of_X, past, X_REAL)


def test_a_block_whose_cross_attention_is_of_another_kind_has_no_twin():
    layer = DecoderBlock(D, N_heads, D_hidden)
    layer.cross = MultiHeadSelfAttention(D, N_heads)
    with pytest.raises(TypeError, match=r"layer\.cross must be a MultiHead"):
        to_torch(layer)


def test_what_does_not_fit_is_named(as_a_reader):
    S, X = torch.zeros(B, N_Y, D), torch.zeros(B, N_X, D)
    with pytest.raises(ValueError, match="norm is 'none', expected one of pre, post"):
        DecoderBlock(D, N_heads, D_hidden, norm="none")
    with pytest.raises(ValueError, match="N_blocks is 0, expected at least 1"):
        Decoder(0, D, N_heads, D_hidden)
    for kind in CROSS:
        with pytest.raises(ValueError, match=r"W_K has shape \(12, 12\), .* D as in X"):
            kind(D, N_heads)(S, X[..., :9])
        with pytest.raises(ValueError, match=r"W_Q has shape \(12, 12\), .* D as in S"):
            kind(D, N_heads)(S[..., :9], X)
        with pytest.raises(ValueError, match=r"shape \(3, 4\), expected \(3, 4, 5\)"):
            kind(D, N_heads)(S, X, S_REAL)


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
        from_torch(nn.TransformerDecoderLayer(D, N_heads, D_hidden, **options))


def test_a_last_norm_that_ours_does_not_have_is_named():
    twin = nn.Transformer(D, N_heads, 1, 1, D_hidden, 0.0, batch_first=True)
    with pytest.raises(ValueError, match="behind layers with norm_first=False"):
        from_torch(twin.decoder)


def test_a_block_is_made_of_the_books_own_parts():
    parts = [type(part) for part in DecoderBlock(D, N_heads, D_hidden).children()]
    assert parts[:2] == [MultiHeadSelfAttention, MultiHeadCrossAttention]
    assert parts[3:] == [LayerNorm] * 3
