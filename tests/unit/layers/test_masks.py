"""Masks as tensors: their NumPy twins, their corners, what is refused."""

import numpy as np
import pytest
import torch
from elsewhere import DEVICE, Elsewhere, There

from attention_book import reference
from attention_book.layers import causal_mask, padding_mask, window_mask


def test_a_padding_mask_is_its_twin_and_stays_on_its_device():
    lengths = torch.tensor([3, 1, 5])
    np.testing.assert_array_equal(
        padding_mask(lengths, 5), reference.padding_mask(lengths.numpy(), 5)
    )
    with Elsewhere():
        there = padding_mask(There(lengths), 5)
    assert there.device == DEVICE
    assert torch.equal(there.here, padding_mask(lengths, 5))
    assert causal_mask(3, device=torch.device("meta")).device.type == "meta"
    assert window_mask(3, 2, device=torch.device("meta")).device.type == "meta"


@pytest.mark.parametrize("r", [1, 2, 4, 9])
def test_a_window_reaches_r_minus_1_to_either_side(r):
    i = np.arange(6)
    np.testing.assert_array_equal(window_mask(6, r), abs(i[:, None] - i) < r)


def test_masks_combine_to_the_reference_s():
    lengths = torch.tensor([2, 4])
    both = causal_mask(4) & padding_mask(lengths, 4)[:, None]
    np.testing.assert_array_equal(
        both, reference.causal_padding_mask(lengths.numpy(), 4)
    )


@pytest.mark.parametrize(
    ("lengths", "says"),
    [([0, 2], r"lengths is \[0, 2\], expected whole numbers from 1 to N_X = 4"),
     ([2, 5], r"lengths is \[2, 5\]"), ([[2]], r"lengths is \[\[2\]\]"),
     ([2.5], r"lengths is \[2.5\]"), ([True], r"lengths is \[True\]")],
)  # fmt: skip
def test_wrong_lengths_are_named(as_a_reader, lengths, says):
    with pytest.raises(ValueError, match=says):
        padding_mask(torch.tensor(lengths), 4)


def test_wrong_counts_are_named(as_a_reader):
    with pytest.raises(TypeError, match=r"N_X must be an int, got 4\.5"):
        padding_mask(torch.tensor([1]), 4.5)
    for call, name in [(lambda: causal_mask(0), "N"), (lambda: window_mask(4, 0), "r")]:
        with pytest.raises(ValueError, match=f"^{name} is 0, expected at least 1"):
            call()
