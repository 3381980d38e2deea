"""Scenes of digits: the pixels, the boxes and the caption must tell the same story."""

import re
import subprocess
import sys
from itertools import combinations, islice

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from attention_book import data
from attention_book.data import (
    PAD,
    START,
    STOP,
    collate_scenes,
    compose,
    digit_images,
    scene_batches,
    scene_vocabulary,
    scenes,
)

ALL = load_digits()
WORDS = [*data.DIGIT_NAMES]
arguments = st.fixed_dictionaries(
    {
        "N_digits": st.sampled_from([(1,), (2,), (3,), (2, 3), (1, 2, 3)]),
        "part": st.sampled_from(["train", "test"]),
        "seed": st.integers(0, 10_000),
    }
)
examples = settings(max_examples=25)


def patch(scene, box):
    top, left, height, width = box
    return scene.image[top : top + height, left : left + width]


def recognised(scene, box):
    """Index among all images of the one in a box, by its pixels; and the noise left."""
    gaps = np.square(ALL.images / 16 - patch(scene, box)).mean(axis=(1, 2)) ** 0.5
    return int(gaps.argmin()), gaps.min()


@examples
@given(arguments)
def test_the_boxes_hold_the_digits_and_the_rest_is_paper(how):
    for scene in scenes(6, **how):
        paper = np.ones((32, 32), bool)
        for box, digit in zip(scene.boxes, scene.digits, strict=True):
            index, noise = recognised(scene, box)
            assert ALL.target[index] == digit
            assert 0.025 < noise < 0.08
            patch_of_paper = paper[box[0] : box[0] + box[2], box[1] : box[1] + box[3]]
            assert patch_of_paper.shape == (8, 8)
            assert patch_of_paper.all(), "digits overlap"
            patch_of_paper[:] = False
        assert scene.image[paper].std() == pytest.approx(0.05, rel=0.15)
        assert abs(scene.image[paper].mean()) < 0.01


@examples
@given(arguments)
def test_a_mention_points_at_the_box_whose_pixels_show_the_digit_it_names(how):
    for scene in scenes(6, **how):
        assert len(scene.mentions) == len(scene.caption)
        named = [i for i in scene.mentions if i is not None]
        assert sorted(named) == list(range(len(scene.digits)))
        for word, i in zip(scene.caption, scene.mentions, strict=True):
            assert (i is None) == (word not in WORDS)
            if i is not None:
                assert word == WORDS[ALL.target[recognised(scene, scene.boxes[i])[0]]]


@examples
@given(arguments)
def test_captions_say_what_the_boxes_say(how):
    name = "|".join(WORDS)
    for scene in scenes(6, **how):
        text = " ".join(scene.caption)
        named = [i for i in scene.mentions if i is not None]
        if len(scene.digits) == 1:
            assert re.fullmatch(f"a ({name})", text)
        elif len(scene.digits) == 2:
            said = re.fullmatch(f"a (?:{name}) (above|left of) a (?:{name})", text)
            first, second = (scene.boxes[i][:2] for i in named)
            down, right = np.subtract(second, first)
            most, least = (down, right) if said[1] == "above" else (right, down)
            assert most >= abs(least) + 2, "that of the larger offset, by 2 pixels"
            assert most >= 8
        else:
            assert re.fullmatch(f"a ({name}) , a ({name}) and a ({name})", text)
            lefts = [scene.boxes[i][1] for i in named]
            assert (np.diff(lefts) >= 2).all()


def test_every_layout_that_is_allowed_comes_about_as_often():
    drawn = scenes(4000, N_digits=(2,), seed=5)
    places = [left for scene in drawn for _, left, _, _ in scene.boxes]
    lefts = np.bincount(places, minlength=25)
    # counted with no generator: all pairs of places that the docstring allows
    allowed = np.zeros(25)
    grid = [(top, left) for top in range(25) for left in range(25)]
    for (top, left), (top_too, left_too) in combinations(grid, 2):
        rows, columns = abs(top - top_too), abs(left - left_too)
        if max(rows, columns) >= 8 and abs(rows - columns) >= 2:
            allowed[[left, left_too]] += 1 if left != left_too else 0
            allowed[left] += 2 if left == left_too else 0
    expected = allowed / allowed.sum() * lefts.sum()
    # chi-square, 24 degrees of freedom: 60 is far out
    assert (np.square(lefts - expected) / expected).sum() < 60


def test_all_counts_relations_and_digits_come():
    drawn = scenes(600, N_digits=(1, 2, 3), seed=1)
    counts = np.bincount([len(scene.digits) for scene in drawn], minlength=4)
    assert (np.abs(counts[1:] - 200) < 60).all()
    text = [" ".join(scene.caption) for scene in drawn]
    assert all(sum(said in one for one in text) > 60 for said in ("above", "left of"))
    assert set(" ".join(text).split()) == set(scene_vocabulary().to_list())


def test_each_image_is_in_one_part_and_the_parts_are_all_of_scikit_learns():
    def rows(images, labels):
        both = zip(images, labels.tolist(), strict=True)
        return [(*image.ravel().tolist(), label) for image, label in both]

    train, test = (rows(*digit_images(part)) for part in ("train", "test"))
    # a property of the pixels: it must never change
    assert (len(train), len(test)) == (1375, 422)
    assert set(train).isdisjoint(test)
    assert sorted(train + test) == sorted(rows(ALL.images / 16, ALL.target))
    assert np.bincount(digit_images("test")[1]).min() > 30


def test_no_image_of_a_test_scene_is_in_a_training_scene():
    def images(part):
        drawn = scenes(400, N_digits=(3,), part=part, seed=2)
        return {recognised(scene, box)[0] for scene in drawn for box in scene.boxes}

    train, test = images("train"), images("test")
    assert len(train) > 700
    assert len(test) > 350
    assert not train & test


def contents(scene):
    said = scene.caption, scene.boxes, scene.digits, scene.mentions
    return scene.image.tobytes(), *said


def test_the_seed_alone_decides_and_fewer_are_the_first():
    first = [contents(scene) for scene in scenes(8, seed=3)]
    np.random.seed(0)  # noqa: NPY002 (the global generator must not matter)
    assert [contents(scene) for scene in scenes(5, seed=3)] == first[:5]
    assert len(set(first)) == 8
    assert contents(scenes(1, seed=4)[0]) != first[0]
    assert scenes(1, part="test", seed=3)[0].boxes != scenes(1, seed=3)[0].boxes


def test_nobody_can_change_the_images_behind_the_scenes():
    images, labels = digit_images("test")
    with pytest.raises(ValueError, match="read-only"):
        images[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        labels[0] = 0


def test_importing_data_waits_for_neither_torch_nor_scikit_learn():
    loaded = "bool({'torch', 'sklearn'} & {*sys.modules})"
    code = f"import sys, attention_book.data; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_names_with_torch_are_found_again_and_again():
    # a submodule of the same name would take a name's place at the second look
    for _ in range(2):
        assert data.scene_batches(seed=0, N_batch=1) is not None
        assert data.collate_scenes(scenes(2, seed=0)).source.shape == (2, 1, 32, 32)
        names = {getattr(data, name) for name in data.__all__}
        assert {data.SceneBatch, data.Batch} <= names


@pytest.mark.parametrize(
    ("placed", "caption", "mentions"),
    [
        ([(3, 0, 24)], "a three", (None, 0)),
        ([(3, 20, 4), (7, 2, 16)], "a seven above a three", (None, 1, None, None, 0)),
        ([(8, 9, 15), (1, 11, 4)], "a one left of a eight",
         (None, 1, None, None, None, 0)),
        ([(5, 0, 2), (5, 10, 10)], "a five above a five", (None, 0, None, None, 1)),
        ([(5, 0, 0), (6, 8, 10)], "a five left of a six",
         (None, 0, None, None, None, 1)),
        ([(2, 0, 4), (9, 9, 0), (0, 18, 2)], "a nine , a zero and a two",
         (None, 1, None, None, 2, None, None, 0)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("part", ["train", "test"])
def test_a_scene_can_be_composed(placed, caption, mentions, part):
    scene = compose(placed, part=part, seed=6)
    assert " ".join(scene.caption) == caption
    assert scene.mentions == mentions
    assert scene.digits == tuple(digit for digit, _, _ in placed)
    assert scene.boxes == tuple((top, left, 8, 8) for _, top, left in placed)
    pool = {image.tobytes() for image in digit_images(part)[0]}
    for box, digit in zip(scene.boxes, scene.digits, strict=True):
        index, _ = recognised(scene, box)
        assert ALL.target[index] == digit
        assert (ALL.images[index] / 16).astype(np.float32).tobytes() in pool


def test_a_composed_scene_repeats_with_its_seed():
    placed = [(3, 2, 4), (7, 20, 16)]
    assert contents(compose(placed, seed=1)) == contents(compose(placed, seed=1))
    others = [compose(placed, seed=seed) for seed in range(12)]
    assert len({recognised(scene, (2, 4, 8, 8))[0] for scene in others}) > 6


def test_every_drawn_scene_could_have_been_composed():
    for scene in scenes(60, N_digits=(1, 2, 3), seed=9):
        both = zip(scene.digits, scene.boxes, strict=True)
        placed = [(digit, *box[:2]) for digit, box in both]
        assert contents(compose(placed, seed=0))[1:] == contents(scene)[1:]


def test_a_batch_holds_the_scenes_and_their_captions():
    drawn = (compose([(3, 2, 4)], seed=0), compose([(1, 0, 0), (8, 1, 20)], seed=0))
    batch, vocabulary = collate_scenes(drawn), scene_vocabulary()
    said = "a three", "a one left of a eight"
    short, long = (vocabulary.encode(words.split()) for words in said)
    padding = [PAD] * 4
    assert batch.target_in.tolist() == [[START, *short, *padding], [START, *long]]
    assert batch.target_out.tolist() == [[*short, STOP, *padding], [*long, STOP]]
    assert batch.source.shape == (2, 1, 32, 32)
    assert batch.source.dtype == torch.float32
    for picture, scene in zip(batch.source, drawn, strict=True):
        np.testing.assert_array_equal(picture[0].numpy(), scene.image)
    assert batch.source_visible is None
    assert len(batch) == 2
    assert batch.N_target_tokens == 3 + 7


def test_batches_are_the_scenes_of_the_seed_in_order():
    drawn = scenes(12, N_digits=(1, 3), seed=8)
    stream = scene_batches(N_batch=4, seed=8, N_digits=(1, 3))
    for step, batch in enumerate(islice(stream, 3)):
        wanted = collate_scenes(drawn[4 * step : 4 * step + 4])
        assert torch.equal(batch.source, wanted.source)
        assert torch.equal(batch.target_out, wanted.target_out)


ONE = compose([(3, 2, 4)], seed=0)
