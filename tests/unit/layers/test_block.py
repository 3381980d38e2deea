"""Blocks, encoder and decoder against torch's layers and our NumPy, in value and
gradient; and one word at a time against all at once.
"""

import numpy as np
import pytest
import torch
from parity import agree, all_slopes, leaf, slopes, stirred, torchs_slopes
from torch import nn

from attention_book import reference
from attention_book.layers import (
    MLP,
    Block,
    Decoder,
    DecoderBlock,
    Encoder,
    RMSNorm,
    Variant,
    causal_mask,
    padding_mask,
    to_torch,
)

B, N_Y, N_X, D, N_heads, D_hidden, N_blocks = 3, 4, 5, 12, 4, 7, 3
SIZES = D, N_heads, D_hidden
CAUSAL, X_CAUSAL = causal_mask(N_Y), causal_mask(N_X)
S_REAL = padding_mask(torch.tensor([4, 1, 3]), N_Y)
X_REAL = padding_mask(torch.tensor([2, 5, 3]), N_X)
SOME = torch.tensor([[1, 0, 0, 1, 0], [1] * 5, [1, 0, 0, 0, 0], [1, 1, 0, 0, 1]]).bool()
HIDING = {  # ours, and what torch wants: its opposite
    "nothing": (None, {}),
    "causal": (X_CAUSAL, {"src_mask": ~X_CAUSAL}),
    "padding": (X_REAL[:, None], {"src_key_padding_mask": ~X_REAL}),
    "both": (
        X_CAUSAL & X_REAL[:, None],
        {"src_mask": ~X_CAUSAL, "src_key_padding_mask": ~X_REAL},
    ),
}
HIDING_TWO = {  # for words and for inputs
    "nothing": (None, None, {}),
    "later words": (CAUSAL, None, {"tgt_mask": ~CAUSAL}),
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
VARIANTS = {"plain": Variant(), "as in BERT": Variant(True, "gelu", eps=1e-3)}
both_norms = pytest.mark.parametrize("norm", ["pre", "post"])
read_and_fast = pytest.mark.parametrize("fast", [False, True])


@read_and_fast
@both_norms
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("stack", [False, True])
def test_what_reads_is_torchs_in_value_and_gradient(fast, norm, variant, hiding, stack):
    visible, masks = HIDING[hiding]
    how = {"norm": norm, "fast": fast, "variant": VARIANTS[variant]}
    if stack:
        layer = stirred(Encoder(N_blocks, *SIZES, **how))
        masks = {name.replace("src_mask", "mask"): mask for name, mask in masks.items()}
    else:
        layer = stirred(Block(*SIZES, **how))
    twin, X = to_torch(layer), leaf(B, N_X, D)
    (Y, weights), Y_twin = layer(X, visible), twin(X, **masks)
    agree(Y, Y_twin)
    assert {A is None for A in (weights if stack else [weights])} == {fast}
    agree(all_slopes(Y, layer, X=X), torchs_slopes(Y_twin, twin, X=X))


@read_and_fast
@both_norms
@pytest.mark.parametrize("hiding", HIDING_TWO)
@pytest.mark.parametrize("stack", [False, True])
def test_what_writes_is_torchs_in_value_and_gradient(fast, norm, hiding, stack):
    visible, X_visible, masks = HIDING_TWO[hiding]
    layer = (
        Decoder(N_blocks, *SIZES, norm, fast)
        if stack
        else DecoderBlock(*SIZES, norm, fast)
    )
    twin, inputs = (
        to_torch(stirred(layer)),
        {"S": leaf(B, N_Y, D), "X": leaf(B, N_X, D)},
    )
    Y, weights = layer(*inputs.values(), visible, X_visible)
    Y_twin = twin(*inputs.values(), **masks)
    agree(Y, Y_twin)
    assert {A is None for A in (weights if stack else [weights])} == {fast}
    agree(all_slopes(Y, layer, **inputs), torchs_slopes(Y_twin, twin, **inputs))


@both_norms
def test_an_encoder_and_a_decoder_are_torchs_transformer(norm):
    encoder, decoder = Encoder(1, *SIZES, norm), Decoder(1, *SIZES, norm)
    twin = nn.Transformer(D, N_heads, 1, 1, batch_first=True)
    twin.encoder, twin.decoder = to_torch(stirred(encoder)), to_torch(stirred(decoder))
    S, X, seen = leaf(B, N_Y, D), leaf(B, N_X, D), X_REAL[:, None]
    hidden = {"src_key_padding_mask": ~X_REAL, "memory_key_padding_mask": ~X_REAL}
    Y = decoder(S, encoder(X, seen)[0], CAUSAL, seen)[0]
    Y_twin = twin(X, S, tgt_mask=~CAUSAL, **hidden)
    agree(Y, Y_twin)
    agree(slopes(Y, [S, X]), slopes(Y_twin, [S, X]))


@pytest.mark.parametrize(
    ("norm", "twin"), [("post", reference.block), ("pre", reference.pre_norm_block)]
)
def test_a_block_is_its_twin_in_numpy(norm, twin):
    layer, X = stirred(Block(*SIZES, norm)), leaf(B, N_X, D)

    def of(part):
        def with_arrays(X):
            Y = part(torch.from_numpy(X))
            return (Y if isinstance(Y, torch.Tensor) else Y[0]).detach().numpy()

        return with_arrays

    parts = (layer.attend, layer.mlp, layer.norm_1, layer.norm_2)
    expected = twin(X.detach().numpy(), *map(of, parts))
    np.testing.assert_allclose(layer(X)[0].detach(), expected, atol=1e-12)


def test_without_norms_and_residuals_the_parts_follow_each_other():
    layer = Block(*SIZES, "none", residual=False).double()
    X = leaf(B, N_X, D)
    agree(layer(X)[0], layer.mlp(layer.attend(X)[0]))
    with_them = Block(*SIZES, "none").double()
    with_them.load_state_dict(layer.state_dict())
    Z = X + layer.attend(X)[0]
    agree(with_them(X)[0], Z + layer.mlp(Z))


@pytest.mark.parametrize("X_visible", [None, X_REAL[:, None]])
@both_norms
@read_and_fast
def test_some_words_at_a_time_give_the_numbers_of_all_at_once(fast, norm, X_visible):
    layer = stirred(Decoder(N_blocks, *SIZES, norm, fast))
    slow = stirred(Decoder(N_blocks, *SIZES, norm))
    slow.load_state_dict(layer.state_dict())
    S, X = leaf(B, N_Y, D), leaf(B, N_X, D)
    Y, weights = slow(S, X, CAUSAL, X_visible)
    of_X, past = layer.kv_cache(X), layer.no_past(X)
    for words in torch.arange(N_Y).split([1, 2, N_Y - 3]):
        some, a_t, past = layer.step(S[:, words], of_X, past, X_visible)
        agree(some, Y[:, words])
        agree(a_t, [A[:, :, words] for A in weights])


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@read_and_fast
def test_some_inputs_at_a_time_give_the_numbers_of_all_at_once(fast, variant, norm):
    layer = stirred(Encoder(N_blocks, *SIZES, norm, fast=fast, variant=variant))
    X = leaf(B, N_X, D)
    Y, weights = layer(X, X_CAUSAL)
    A = layer.attention(X, X_CAUSAL)
    assert fast or torch.equal(A, torch.stack(weights, dim=1))
    past = layer.no_past(X)
    for inputs in torch.arange(N_X).split([1, 2, N_X - 3]):
        some, a_t, past = layer.step(X[:, inputs], past)
        agree(some, Y[:, inputs])
        if not fast:
            now = [each[:, :, inputs, : inputs[-1] + 1] for each in A.unbind(1)]
            agree(a_t, now)
    slow = Encoder(N_blocks, *SIZES, norm, variant=variant).double()
    slow.load_state_dict(layer.state_dict())
    agree(A, torch.stack(slow(X, X_CAUSAL)[1], dim=1))


@both_norms
@read_and_fast
def test_no_gradient_comes_from_later_words_or_from_what_is_hidden(fast, norm):
    layer = stirred(Decoder(N_blocks, *SIZES, norm, fast))
    S, X = leaf(B, N_Y, D), leaf(B, N_X, D)
    visible, X_visible, _ = HIDING_TWO["all of it"]
    Y, _ = layer(S, X, visible, X_visible)
    for t in range(N_Y):
        of_S, of_X = torch.autograd.grad(Y[:, t].sin().sum(), [S, X], retain_graph=True)
        assert (of_S[:, t + 1 :] == 0).all()
        assert (of_S[:, t] != 0).any(dim=-1).all()
        assert (of_X[~X_REAL] == 0).all()
    of_X = torch.autograd.grad(Y.sin().sum(), X)[0]
    assert (of_X[X_REAL & SOME.any(dim=0)] != 0).any(dim=-1).all()


def test_a_step_that_goes_on_from_elsewhere_is_named(as_a_reader):
    layer, S, X = Decoder(2, *SIZES), torch.zeros(B, N_Y, D), torch.zeros(B, N_X, D)
    of_X, past, s_0 = layer.kv_cache(X), layer.no_past(X), S[:, :1]
    for given, says in [
        ((s_0, of_X, past[:1]), "blocks is 2 but past is 1: one for each"),
        ((s_0, of_X[:1], past), "blocks is 2 but of_X is 1: one for each"),
        (
            (s_0, of_X, layer.no_past(X[:2])),
            r"past is \(2, 4, 3\) but new is \(3, 4, 3\)",
        ),
        ((s_0, of_X, past, X_REAL), r"visible has shape .* expected .*1, 5"),
    ]:
        with pytest.raises(ValueError, match=says):
            layer.step(*given)
    with pytest.raises(ValueError, match="blocks is 2 but past is 1: one for each"):
        Encoder(2, *SIZES).step(s_0, past[:1])


ANOTHER_END = Encoder(1, *SIZES)
ANOTHER_END.norm = RMSNorm(D)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: Block(*SIZES, "last"), ValueError, "norm is 'last', expected one of"),
        (lambda: Block(D, N_heads, 0), ValueError, "D_hidden is 0, expected at least"),
        (
            lambda: Block(*SIZES, variant=Variant(activation="selu")),
            ValueError,
            "activation is 'selu', expected one of relu, gelu, gelu-tanh",
        ),
        (
            lambda: Block(*SIZES, variant=Variant(eps=0.0)),
            ValueError,
            "eps is 0.0, expected a finite number above 0",
        ),
        (lambda: Encoder(0, *SIZES), ValueError, "N_blocks is 0, expected at least 1"),
        (lambda: Decoder(0, *SIZES), ValueError, "N_blocks is 0, expected at least 1"),
        (lambda: DecoderBlock(*SIZES, "none"), ValueError, "norm is 'none', expected"),
        (
            lambda: MLP(D, D_hidden)(torch.zeros(N_X, 9)),
            ValueError,
            r"W_1 has shape \(12, 7\), .* D as in X",
        ),
        (
            lambda: to_torch(Block(*SIZES, "none")),
            ValueError,
            "residual=True and norm='none', expected residual",
        ),
        (
            lambda: to_torch(Block(*SIZES, residual=False)),
            ValueError,
            "layer has residual=False and norm='pre', expected",
        ),
        (
            lambda: to_torch(ANOTHER_END),
            TypeError,
            "layer is a RMSNorm, expected",
        ),
        (
            lambda: to_torch(nn.Linear(3, 3)),
            TypeError,
            "layer is a Linear, expected a SelfAttention",
        ),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, call, error, says):
    with pytest.raises(error, match=says):
        call()
