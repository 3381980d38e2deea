"""Find the bug, chapter 3: with places along the batch, slots differ in captions."""

import numpy as np
import pytest
import torch

from attention_book import data, decoding, runs
from attention_book.chapters.look_and_say.bug import HUNT
from attention_book.chapters.look_and_say.solutions import encode

broken = HUNT.broken


@pytest.fixture(scope="module")
def looking():
    return runs.load("caption-attention")


@pytest.fixture(scope="module")
def pictures():
    return data.collate_scenes(data.scenes(3, part="test", seed=21)).source


@torch.no_grad()
def test_encoding_by_hand_is_the_captioners(looking, pictures):
    model = looking.model()
    memory, expected = encode(model, pictures), model.encode(pictures)
    for name in ("h", "keys", "s_0"):
        torch.testing.assert_close(getattr(memory, name), getattr(expected, name))
    assert memory.visible is None


@torch.no_grad()
def test_only_the_first_picture_of_a_batch_hides_the_bug(looking, pictures):
    model = looking.model()
    for program, changed in ((encode, [False] * 3), (broken, [False, True, True])):
        alone = torch.cat([program(model, picture[None]).h for picture in pictures])
        off = (program(model, pictures).h - alone).abs().amax(dim=(1, 2))
        assert (off > 0.1).tolist() == changed
        assert ((off < 1e-4) | (off > 0.1)).all()


def test_the_bug_fits_as_many_pictures_as_there_are_cells(looking, pictures):
    model = looking.model()
    with torch.no_grad():
        assert broken(model, pictures[:1].expand(64, -1, -1, -1)).h.shape == (
            64,
            64,
            64,
        )
        with pytest.raises(RuntimeError, match="size of tensor"):
            broken(model, pictures[:1].expand(65, -1, -1, -1))


def right_by_slot(looking, program, scenes):
    trial, words = looking.model(), data.scene_vocabulary()
    trial.encode = lambda images, visible: program(trial, images)
    right = []
    for scene in scenes:
        ids = decoding.greedy(trial, data.collate_scenes([scene] * 64).source, None).ids
        right.append([words.decode(row) == scene.caption for row in ids])
    return np.mean(right, axis=0)


def test_a_caption_depends_on_the_slot(looking):
    scenes = data.scenes(40, N_digits=(3,), part="test", seed=7)
    right = {
        program: right_by_slot(looking, program, scenes) for program in (encode, broken)
    }
    assert np.ptp(right[encode]) == 0
    assert right[encode].mean() >= 0.9
    assert 0.45 <= right[broken].mean() <= 0.7
    assert np.ptp(right[broken]) >= 0.2


def test_without_places_it_is_hardly_better(looking):
    """What the folded solution says: it is as bad as no places, and a little worse."""

    def no_places(model, images):
        h = model.grid.cnn(images).flatten(2).mT
        return model.make_memory(h, None, h.mean(dim=1))

    scenes = data.scenes(40, N_digits=(3,), part="test", seed=7)
    without, with_bug = (
        right_by_slot(looking, program, scenes).mean()
        for program in (no_places, broken)
    )
    assert 0.5 < without < 0.8
    assert with_bug < without
