"""The grid encoder: what each cell sees, by gradients, and where it says it is."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.layers import GridEncoder


def seen_by_each_cell(encoder):
    """Which pixels move each cell of an untrained one: (N_X, N_pixels, N_pixels)."""
    images = torch.randn(48, 1, encoder.N_pixels, encoder.N_pixels, requires_grad=True)
    h = encoder.eval()(images)
    pull = torch.randn(h.shape[0], h.shape[2])
    seen = []
    for i in range(h.shape[1]):
        (gradient,) = torch.autograd.grad(
            (h[:, i] * pull).sum(), images, retain_graph=True
        )
        seen.append((gradient[:, 0] != 0).any(dim=0).numpy())
    return np.stack(seen)


@pytest.mark.parametrize(
    ("N_channels", "N_pixels"), [((6, 7), 32), ((5,), 14), ((4, 5, 6), 40), ((), 6)]
)
def test_the_receptive_fields_are_exactly_the_pixels_that_move_a_cell(
    N_channels, N_pixels
):
    encoder = GridEncoder(5, N_channels, N_pixels)
    seen, fields = seen_by_each_cell(encoder), encoder.fields
    assert len(seen) == len(fields)
    for pixels, (top, left, height, width) in zip(seen, fields.tolist(), strict=True):
        expected = np.zeros_like(pixels)
        expected[top : top + height, left : left + width] = True
        np.testing.assert_array_equal(pixels, expected)


def test_a_centre_is_the_middle_of_a_field_that_is_not_cut_off():
    encoder = GridEncoder(4, (3, 3))
    assert encoder.receptive_field == 18
    whole = (encoder.fields[:, 2:] == encoder.receptive_field).all(axis=1)
    assert whole.sum() == 16
    np.testing.assert_array_equal(
        encoder.centres[whole],
        encoder.fields[whole, :2] + encoder.fields[whole, 2:] / 2,
    )


def test_centres_are_those_of_the_cells_that_tile_the_picture_row_by_row():
    expected = [
        (4 * row + 2, 4 * column + 2) for row in range(8) for column in range(8)
    ]
    np.testing.assert_array_equal(GridEncoder(4, (3, 3)).centres, expected)


def test_by_default_it_is_the_network_that_is_drawn():
    encoder = GridEncoder()
    found = [len(each.weight) for each in encoder.cnn if isinstance(each, nn.Conv2d)]
    assert found == [24, 48, 64]
    assert encoder.position.shape == (64, 64)


def test_on_blank_paper_cells_differ_by_their_positions_alone():
    encoder = GridEncoder(6, (4, 5)).eval()
    h = encoder(torch.full((1, 1, 32, 32), 0.3))[0]
    inner = [
        cell for cell, field in enumerate(encoder.fields) if (field[2:] == 18).all()
    ]
    found = h - encoder.position
    torch.testing.assert_close(found[inner], found[inner[:1]].expand(len(inner), -1))
    assert torch.pdist(h).min() > 0.01


@pytest.mark.parametrize(
    ("images", "says"),
    [
        (torch.zeros(2, 1, 32, 28), r"images has shape .*28\), .* \(B, 1, 32, 32\)"),
        (torch.zeros(2, 32, 32), r"shape \(2, 32, 32\)"),
        (torch.zeros(0, 1, 32, 32), "not empty"),
        (torch.zeros(2, 1, 32, 32).byte(), "images is of torch.uint8, expected floats"),
    ],
)
def test_pictures_of_another_kind_are_named(as_a_reader, images, says):
    with pytest.raises(ValueError, match=says):
        GridEncoder(5, (4, 4))(images)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ({"D_H": 0}, "D_H is 0.*expected at least 1"),
        ({"N_channels": (4, 0)}, r"N_channels\[1\] is 0"),
        ({"N_pixels": 30}, "N_pixels is 30, expected a multiple of 4"),
    ],
)
def test_sizes_that_make_no_sense_are_named(as_a_reader, sizes, says):
    with pytest.raises(ValueError, match=says):
        GridEncoder(**sizes)
