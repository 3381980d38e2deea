"""Scenes with a key: who is asked, what is right, and what a change changes."""

from collections import Counter

import numpy as np
import pytest
import torch

from attention_book.chapters.cnn_attention.scenes import (
    ANSWERS,
    CENTRES,
    answer,
    asked,
    collate,
    distance,
    key_of,
    key_scenes,
    put,
)
from attention_book.data import PAD, compose
from attention_book.layers import GridEncoder

SCENES = key_scenes(30, seed=0)


def test_each_answer_is_right_for_a_third_of_the_scenes_and_no_scene_has_two_keys():
    assert Counter(map(answer, SCENES)) == {"zero": 10, "one": 10, "none": 10}
    for scene in SCENES:
        keys = [digit for digit in scene.digits if digit < 2]
        assert keys == {"zero": [0], "one": [1], "none": []}[answer(scene)]
        assert len(scene.digits) == 3
    some = key_scenes(10, seed=0, always=True)
    assert Counter(map(answer, some)) == {"zero": 5, "one": 5}


def test_four_cells_of_each_digit_are_asked_but_not_the_keys():
    scene = compose(((3, 0, 0), (0, 24, 24), (5, 4, 16)), seed=0)
    cells = asked(scene).reshape(8, 8)
    assert cells[:2, :2].all()
    assert cells[1:3, 4:6].all()
    assert cells.sum() == 8


def test_the_batch_asks_there_and_nowhere_else():
    batch = collate(SCENES)
    assert batch.source.shape == (30, 1, 32, 32)
    for scene, row in zip(SCENES, batch.target_out.tolist(), strict=True):
        wanted = ANSWERS.encode([answer(scene)])[0]
        assert row == [wanted if cell else PAD for cell in asked(scene)]


def test_cells_half_a_field_away_see_no_pixel_of_the_key_and_nearer_ones_do():
    encoder = GridEncoder(8, (4, 4)).eval()
    np.testing.assert_array_equal(CENTRES, encoder.centres)
    scene = compose(((3, 0, 0), (0, 24, 24), (5, 4, 16)), seed=0)
    image = torch.zeros(1, 1, 32, 32, requires_grad=True)
    top, left, height, width = scene.boxes[key_of(scene)]
    for cell, away in enumerate(distance(scene)):
        T, L, H, W = encoder.fields[cell]
        rows = range(max(T, top), min(T + H, top + height))
        columns = range(max(L, left), min(L + W, left + width))
        sees = bool(rows and columns)
        assert sees == (away < encoder.receptive_field / 2)
        if not sees:
            (grad,) = torch.autograd.grad(encoder(image)[0, cell].sum(), image)
            assert not grad[0, 0, top : top + height, left : left + width].any()


def test_distance_is_the_larger_of_rows_and_columns_and_0_inside():
    away = distance(compose(((3, 0, 0), (0, 24, 12), (5, 4, 20)), seed=0)).reshape(8, 8)
    assert away[0, 0] == 22  # rows 2 to 24, columns 2 to 12
    assert away[7, 0] == 10
    assert away[7, 7] == 10  # columns 20 to 30
    assert away[6, 3] == away[7, 4] == 0
    (keyless,) = [scene for scene in SCENES[:3] if key_of(scene) is None]
    assert np.isinf(distance(keyless)).all()


def test_a_digit_that_is_put_on_another_takes_its_place():
    given = ((3, 0, 0), (0, 24, 24), (5, 4, 16))
    scene = compose(given, seed=0)
    new = put(scene, 1, 24, 24, seed=0)
    assert sorted(new.digits) == [1, 3, 5]
    assert answer(new) == "one"
    changed = scene.image != new.image
    assert np.abs(new.image[24:, 24:]).max() > 0.5
    assert changed[24:, 24:].any()
    assert not changed[:24].any()
    assert (scene.image == compose(given, seed=0).image).all(), "it is left as it was"
    assert (asked(new) == asked(scene)).all()
    beside = compose(((3, 0, 0), (5, 4, 16)), seed=0)
    assert put(beside, 0, 8, 0, seed=0).digits == (3, 5, 0)


def test_digits_that_would_overlap_are_refused():
    scene = compose(((3, 0, 0), (5, 4, 16)), seed=0)
    with pytest.raises(ValueError, match=r"at \(7, 7\) would overlap with the 3"):
        put(scene, 0, 7, 7, seed=0)
