"""Positions: their twins in NumPy, torch's complex numbers, and their laws."""

import numpy as np
import pytest
import torch

from attention_book import reference
from attention_book.layers import (
    ConcatenatedPositions,
    FastSinePositions,
    LearnedPositions,
    RelativeSelfAttention,
    RotarySelfAttention,
    SelfAttention,
    SinePositions,
    rotate,
    sine_positions,
)

B, N, D, D_Q, D_V = 2, 7, 6, 4, 3
KINDS = {"plain": SelfAttention, "rotary": RotarySelfAttention}
KINDS["relative"] = RelativeSelfAttention


def drawn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def same(ours, theirs):
    np.testing.assert_allclose(ours.detach(), theirs, atol=1e-12, rtol=0)


def test_what_is_added_or_put_beside_is_the_references():
    X, P = drawn(B, N, D), reference.positional_encoding(N, D)
    same(sine_positions(X, D), P)
    same(SinePositions(D)(X), reference.add_positions(X.numpy(), P))
    learned = LearnedPositions(9, D).double()
    same(learned(X), reference.add_positions(X.numpy(), learned.P.detach().numpy()))
    beside = ConcatenatedPositions(4)(X)
    same(beside[..., :D], X)
    for item in beside[..., D:]:
        same(item, reference.positional_encoding(N, 4))


def test_another_base_turns_the_slow_hands_faster():
    P = sine_positions(drawn(N, 4), 4, base=100)
    same(P[:, 2], np.sin(np.arange(N) / 10))


def test_positions_may_begin_later():
    all_of_them, last = drawn(N, D), drawn(2, D)
    same(sine_positions(last, D, first=N - 2), sine_positions(all_of_them, D)[-2:])


@pytest.mark.parametrize("short", [torch.bfloat16, torch.float16])
def test_far_positions_are_right_in_short_numbers_too(short):
    far = torch.zeros(5000, 1)
    P = sine_positions(far.to(short), 4).float()
    torch.testing.assert_close(P, sine_positions(far, 4), atol=5e-3, rtol=0)


def test_rotating_is_a_product_of_complex_numbers():
    X = drawn(N, D)
    speed = 10_000 ** -torch.tensor([0, 1 / 3, 2 / 3], dtype=torch.float64)
    angle = torch.arange(N)[:, None] * speed
    turned = torch.view_as_complex(X.reshape(N, 3, 2)) * torch.polar(
        torch.ones_like(angle), angle
    )
    wanted = torch.view_as_real(turned).flatten(1)
    same(rotate(X), wanted)
    same(torch.from_numpy(reference.rotate(X.numpy())), wanted)


def test_turned_vectors_compare_by_their_distance_alone():
    q, k = rotate(drawn(D).expand(N, D)), rotate(drawn(D).expand(N, D))
    E = q @ k.T
    for offset in range(1 - N, N):
        line = E.diagonal(offset)
        same(line, line[:1].expand_as(line))


def test_layers_with_positions_inside_are_their_twins_in_numpy():
    X, clip = drawn(N, D), 2
    for layer in (
        RotarySelfAttention(D, D_Q, D_V),
        RelativeSelfAttention(D, D_Q, D_V, clip),
    ):
        layer.double()
        Q, K, V = ((X @ W).detach().numpy() for W in (layer.W_Q, layer.W_K, layer.W_V))
        if isinstance(layer, RotarySelfAttention):
            wanted = reference.attention(reference.rotate(Q), reference.rotate(K), V)
        else:
            layer.b.data.copy_(drawn(2 * clip + 1))  # and it has no more
            E = Q @ K.T / np.sqrt(D_Q)
            A = reference.softmax(
                reference.relative_scores(E, layer.b.detach().numpy())
            )
            wanted = A @ V, A
        for ours, theirs in zip(layer(X), wanted, strict=True):
            same(ours, theirs)


def test_a_relative_number_reaches_as_far_as_it_is_clipped():
    b = np.array([10.0, 20, 30, 40, 50])  # for the distances -2 ... 2
    E = reference.relative_scores(np.ones((4, 4)), b)
    np.testing.assert_array_equal(
        E - 1, [[30, 40, 50, 50], [20, 30, 40, 50], [10, 20, 30, 40], [10, 10, 20, 30]]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_mask_works_with_positions_too(kind):
    layer, X = KINDS[kind](D, D_Q, D_V).double(), drawn(N, D)
    visible = torch.ones(N, N, dtype=torch.bool).tril()
    short = layer(X[:4], visible[:4, :4])
    for ours, alone in zip(layer(X, visible), short, strict=True):
        same(ours[:4, : alone.shape[-1]], alone.detach())


@pytest.mark.parametrize("kind", ["rotary", "relative"])
def test_a_shift_of_all_inputs_changes_nothing_where_distance_counts(kind):
    layer, X = KINDS[kind](D, D_Q, D_V).double(), drawn(N, D)
    if kind == "relative":
        layer.b.data = drawn(len(layer.b))
    visible = torch.ones(N, N, dtype=torch.bool)
    visible[:, :2] = False  # the last five look at each other, wherever they stand
    same(layer(X, visible)[0][2:], layer(X[2:])[0].detach())
    order = torch.arange(N - 1, -1, -1)
    assert (layer(X[order])[0] - layer(X)[0][order]).abs().max() > 1e-3


def test_a_table_of_positions_serves_other_lengths_and_precisions():
    place = FastSinePositions(D)
    for N_now, kind in [(3, torch.float32), (N, torch.float64), (2, torch.float32)]:
        X = drawn(B, N_now, D).to(kind)
        assert torch.equal(place.to(kind)(X), SinePositions(D)(X))
        assert len(place.P) == 2 * N_now


@pytest.mark.parametrize(
    "place", [SinePositions(D), FastSinePositions(D), LearnedPositions(N, D)]
)
def test_one_input_at_a_time_gets_the_positions_of_all_at_once(place):
    place = place.double()
    X = drawn(B, N, D)
    alone = [place(X[:, t : t + 1], first=t) for t in range(N)]
    same(torch.cat(alone, dim=1), place(X).detach())


X = torch.zeros(B, N, D)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: SinePositions(4)(X), r"X has shape \(2, 7, 6\), .* 4"),
        (lambda: LearnedPositions(5, D)(X), "X ends with position 6, .* N_max - 1 = 4"),
        (lambda: LearnedPositions(9, 4)(X), r"X has shape \(2, 7, 6\)"),
        (lambda: LearnedPositions(9, D)(X, first=3), "ends with position 9, .* 1 = 8"),
        (lambda: LearnedPositions(9, D)(X, first=-1), "first is -1, expected at least"),
        (lambda: sine_positions(X, 4, first=-1), "first is -1, expected at least 0"),
        (lambda: SinePositions(5), "D is 5, expected a multiple of 2"),
        (lambda: ConcatenatedPositions(3), "D_P is 3, expected a multiple of 2"),
        (lambda: RotarySelfAttention(D, 5, D_V), "D_Q is 5, expected a multiple of 2"),
        (lambda: RelativeSelfAttention(D, 4, D_V, clip=-1), "clip is -1"),
        (lambda: rotate(torch.zeros(N, 5)), "D is 5, expected a multiple of 2"),
        (lambda: rotate(torch.zeros(4)), r"X has shape \(4,\)"),
        (lambda: ConcatenatedPositions(4)(torch.zeros(4)), r"X has shape \(4,\)"),
        (lambda: SinePositions(D)(X.long()), "X is of torch.int64, expected floats"),
        (lambda: LearnedPositions(-1, 4), "N_max is -1, expected at least 1"),
        (lambda: reference.rotate(np.zeros((N, 5))), "D is 5"),
        (lambda: reference.relative_scores(np.zeros((3, 4)), np.zeros(3)), "E has"),
        (lambda: reference.relative_scores(np.eye(3), np.zeros(4)), "b has 4 entries"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, call, says):
    with pytest.raises(ValueError, match=says):
        call()
