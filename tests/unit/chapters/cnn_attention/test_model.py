"""What each middle can see, by gradient, and how many weights it has."""

import pytest
import torch

from attention_book.chapters.cnn_attention.model import (
    MIDDLES,
    KeyConfig,
    KeyModel,
)
from attention_book.models import N_weights
from attention_book.training import seeded

LAST = 63  # the cell in the lower right corner


def made(middle, gate=1.0, seed=0):
    with seeded(seed):
        return KeyModel(KeyConfig(6, middle, gate)).eval()


def seen_by(cell, middle, seed=0):
    """The pixels that what is said at a cell depends on."""
    with seeded(seed + 1):
        image = torch.randn(1, 1, 32, 32, requires_grad=True)
    made(middle, seed=seed)(image)[0, cell].sum().backward()
    return image.grad[0, 0] != 0


def test_attention_and_the_convolution_have_equally_many_weights():
    assert N_weights(made("attention").middle) == N_weights(made("convolution").middle)
    assert N_weights(made("attention")) == N_weights(made("convolution"))


def test_the_convolution_sees_26_pixels_along_a_side():
    seen = seen_by(4 * 8 + 4, "convolution")  # the centre of this cell: 18, 18
    assert seen[5:31, 5:31].any(dim=0).all()
    seen[5:31, 5:31] = False
    assert not seen.any()


@pytest.mark.parametrize("middle", [m for m in MIDDLES if m != "convolution"])
def test_every_other_middle_sees_the_far_corner(middle):
    tries = range(10)  # a ReLU may be shut in an untrained network
    assert any(seen_by(LAST, middle, seed)[:8, :8].any() for seed in tries)


def test_a_closed_gate_leaves_the_field_below():
    with seeded(1):
        image = torch.randn(1, 1, 32, 32, requires_grad=True)
    made("attention", gate=0.0)(image)[0, LAST].sum().backward()
    assert not image.grad[0, 0, :21].any()  # 18 pixels, of which 7 are outside
    assert image.grad[0, 0, 21:, 21:].any()


def test_flat_weights_stay_flat_while_it_learns():
    model = made("flat").train()
    images = torch.randn(4, 1, 32, 32)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model(images).square().sum().backward()
    optimizer.step()
    _, A = model.with_attention(images)
    torch.testing.assert_close(A, torch.full_like(A, 1 / 64))
