"""Who can look at whom, and the same layer made of torch's."""

import pytest
import torch
from torch import nn

from attention_book import layers
from attention_book.chapters.two_streams.model import (
    CoAttention,
    Detector,
    DetectorConfig,
    TwoStreamBlock,
    box_numbers,
)
from attention_book.models import N_weights
from attention_book.training import seeded


def given(B=2, N_T=6, D=8, dtype=torch.float32):
    drawn = torch.Generator().manual_seed(3)
    return tuple(
        torch.randn(B, N, D, generator=drawn).to(dtype).requires_grad_()
        for N in (N_T, 4)
    )


class OfTorch(nn.Module):
    """Co-attention, then a block in each stream, of torch's own layers."""

    def __init__(self, ours):
        super().__init__()
        co = ours.co
        self.words, self.regions = map(layers.to_torch, (co.words, co.regions))
        self.norms = [*map(layers.to_torch, (co.norm_words, co.norm_regions))]
        self.blocks = [*map(layers.to_torch, (ours.words, ours.regions))]

    def forward(self, words, regions):
        T, R = (norm(x) for norm, x in zip(self.norms, (words, regions), strict=True))
        words = words + self.words(T, R, R)[0]
        regions = regions + self.regions(R, T, T)[0]
        return self.blocks[0](words), self.blocks[1](regions)


@pytest.mark.parametrize("fast", [False, True])
def test_the_block_is_one_of_torchs_layers(fast):
    with seeded(0):
        ours = TwoStreamBlock(8, 2, 16, fast=fast).double()
    for part in ours.modules():  # norms that do something
        if isinstance(part, layers.LayerNorm):
            nn.init.uniform_(part.gamma, 0.5, 1.5)
            nn.init.uniform_(part.beta)
    theirs = OfTorch(ours).double()
    inputs = given(dtype=torch.float64)
    found, wanted = ours(*inputs), theirs(*inputs)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=0)
    for one, other in zip(
        *(
            torch.autograd.grad(sum(y.square().sum() for y in made), inputs)
            for made in (found, wanted)
        ),
        strict=True,
    ):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=0)


def test_each_streams_weights_are_over_the_other_stream():
    with seeded(0):
        co = CoAttention(8, 2)
    words, regions, A_words, A_regions = co(*given())
    assert words.shape == (2, 6, 8)
    assert regions.shape == (2, 4, 8)
    assert A_words.shape == (2, 2, 6, 4)
    assert A_regions.shape == (2, 2, 4, 6)
    for A in (A_words, A_regions):
        torch.testing.assert_close(A.sum(dim=-1), torch.ones(A.shape[:-1]))


@pytest.mark.parametrize("meet", [True, False])
def test_streams_depend_on_each_other_if_they_meet_and_else_not(meet):
    with seeded(0):
        block = TwoStreamBlock(8, 2, 16, meet)
    words, regions = given()
    new_words, new_regions = block(words, regions)
    across = torch.autograd.grad(
        (new_words**3).sum(), regions, retain_graph=True, allow_unused=True
    )
    back = torch.autograd.grad((new_regions**3).sum(), words, allow_unused=True)
    for (gradient,) in (across, back):
        assert (gradient is not None and bool(gradient.abs().sum() > 0)) == meet


def test_streams_alone_have_as_many_weights(tiny):
    assert N_weights(tiny()) == N_weights(tiny(meet=False))


def test_the_detector_stays_as_it_is_while_the_network_learns(tiny):
    model = tiny().train()
    assert model.training
    assert not any(part.training for part in model.detector.modules())
    model(
        model.detector.features(torch.rand(5, 3, 8, 8)),
        torch.zeros(5, 3, 2, dtype=torch.long),
        torch.full((5, 6), 3),
    )[0].sum().backward()
    assert all(W.grad is None for W in model.detector.parameters())
    assert model.embedding.weight.grad.abs().sum() > 0
    assert model.detector.standardise.num_batches_tracked == 0


def test_features_have_mean_0_and_spread_1():
    with seeded(0):
        detector = Detector(DetectorConfig(N_channels=2, N_features=4))
        features = detector.features(100 * torch.randn(50, 3, 8, 8)).flatten(0, 1)
    torch.testing.assert_close(features.mean(0), torch.zeros(4), atol=1e-5, rtol=0)
    spread = features.std(0, correction=0)
    assert ((spread == 0) | ((spread - 1).abs() < 0.05)).all()
    assert (spread > 0).any()


def test_of_a_hidden_region_only_the_box_is_seen(tiny):
    model = tiny().eval()
    features = torch.randn(2, 3, 4, requires_grad=True)
    hidden = torch.tensor([[False, True, False]] * 2)
    places = torch.tensor([[[2, 4], [20, 6], [10, 24]]] * 2)
    words, regions = model(features, places, torch.full((2, 6), 4), hidden)
    ((words**3).sum() + (regions**3).sum()).backward()
    assert not features.grad[:, 1].any()
    assert features.grad[:, [0, 2]].abs().sum(dim=-1).all()
    moved = places.clone()
    moved[:, 1] += 1
    other, _ = model(features, moved, torch.full((2, 6), 4), hidden)
    assert not torch.allclose(words, other)


def test_a_box_is_told_by_its_corners_and_its_share_of_the_picture():
    numbers = (box_numbers(torch.tensor([[16, 8]])) + 1) / 2
    assert numbers.tolist() == [[8 / 32, 16 / 32, 16 / 32, 24 / 32, 1 / 16]]
