"""Find the bug, chapter 3: with places along the batch, slots differ in captions."""

import numpy as np
import pytest
import torch

from attention_book import data, runs
from attention_book.chapters.look_and_say.bug import BUG_HUNT
from attention_book.chapters.look_and_say.experiments import right_by_slot, with_encode
from attention_book.chapters.look_and_say.solutions import encode


@pytest.fixture(scope="module")
def model():
    return runs.load("caption-attention").model()


@pytest.fixture(scope="module")
def pictures():
    return data.collate_scenes(data.scenes(3, part="test", seed=21)).source


@torch.no_grad()
def test_encoding_by_hand_is_the_captioners(model, pictures):
    memory, expected = encode(model, pictures), model.encode(pictures)
    for name in ("h", "keys", "s_0"):
        torch.testing.assert_close(getattr(memory, name), getattr(expected, name))
    assert memory.visible is None


@torch.no_grad()
def test_only_the_first_picture_of_a_batch_hides_the_bug(model, pictures):
    for program, changed in (
        (encode, [False] * 3),
        (BUG_HUNT.broken, [False, True, True]),
    ):
        alone = torch.cat([program(model, picture[None]).h for picture in pictures])
        off = (program(model, pictures).h - alone).abs().amax(dim=(1, 2))
        assert (off > 0.1).tolist() == changed
        assert ((off < 1e-4) | (off > 0.1)).all()


def test_a_caption_depends_on_the_slot_only_with_the_bug(model):
    scenes = data.scenes(40, N_digits=(3,), part="test", seed=7)
    right, wrong = (
        right_by_slot(with_encode(model, program), scenes)
        for program in (encode, BUG_HUNT.broken)
    )
    assert np.ptp(right) == 0
    assert right.mean() >= 0.9
    assert 0.45 <= wrong.mean() <= 0.7
    assert np.ptp(wrong) >= 0.2
