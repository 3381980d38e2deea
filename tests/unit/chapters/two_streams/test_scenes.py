"""What scenes show, and which captions are true of them."""

from itertools import combinations

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    CLS,
    DIGIT,
    FIRST,
    PARTS,
    SECOND,
    WORDS,
    absent,
    digits_of,
    draw,
    exchanged,
    false_captions,
    is_true,
    one_digit_off,
    put,
    relation,
    text,
    true_captions,
    turned,
)


def rng(seed=0):
    return Generator().manual_seed(seed)


@pytest.fixture(scope="module")
def many():
    return draw(rng(), 2000)


def ids(words):
    return torch.tensor([[CLS, *WORDS.encode(words.split())]])


def test_a_seed_gives_its_scenes_again():
    one, same, other = (draw(rng(seed), 9) for seed in (0, 0, 1))
    assert torch.equal(one.images, same.images)
    assert torch.equal(one.places, same.places)
    assert not torch.equal(one.places, other.places)


def test_no_two_parts_share_an_image_and_none_is_lost():
    images = [{each.numpy().tobytes() for each in digits_of(part)[0]} for part in PARTS]
    for one, other in combinations(images, 2):
        assert not one & other
    assert [len(digits_of(part)[1]) for part in PARTS] == [1100, 275, 422]


@pytest.mark.parametrize("part", PARTS)
def test_a_scene_shows_images_of_its_digits_from_its_part(part):
    images, labels = digits_of(part)
    known = {x.numpy().tobytes(): int(d) for x, d in zip(images, labels, strict=True)}
    scenes = draw(rng(), 200, part)
    for image, digit in zip(
        scenes.images.flatten(0, 1), scenes.digits.flatten(), strict=True
    ):
        assert known[image.numpy().tobytes()] == digit


def test_digits_differ_and_boxes_are_apart_and_every_relation_is_visible(many):
    assert many.places.min() == 0
    assert many.places.max() == 24
    for i, j in combinations(range(3), 2):
        assert (many.digits[:, i] != many.digits[:, j]).all()
        rows, columns = (many.places[:, i] - many.places[:, j]).abs().unbind(1)
        assert (torch.maximum(rows, columns) >= 8).all()
        assert ((rows - columns).abs() >= 2).all()
    assert (many.named[:, 0] != many.named[:, 1]).all()
    assert sorted({*many.named.flatten().tolist()}) == [0, 1, 2]
    assert (many.third == 3 - many.named.sum(1)).all()


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (0, 1, "a three above a seven"),
        (1, 0, "a seven below a three"),
        (0, 2, "a three left-of a one"),
        (2, 1, "a one right-of a seven"),
    ],
)
def test_a_caption_says_how_the_first_digit_lies_to_the_second(
    scene, first, second, said
):
    captions = true_captions(scene(first, second))
    assert text(captions[0]) == said
    assert captions[0, 0] == CLS
    assert is_true(scene(), captions)


@pytest.mark.parametrize(
    "said",
    [
        "a seven above a three",
        "a three below a seven",
        "a three left-of a seven",
        "a three above a two",
        "a two above a seven",
        "a three above a three",
    ],
)
def test_what_a_scene_does_not_show_is_false(scene, said):
    assert not is_true(scene(), ids(said))


def test_exchanged_digits_or_the_opposite_relation_are_false_and_both_are_true(many):
    captions = true_captions(many)
    assert is_true(many, captions).all()
    assert not is_true(many, exchanged(captions)).any()
    assert not is_true(many, turned(captions)).any()
    assert is_true(many, turned(exchanged(captions))).all()
    assert torch.equal(exchanged(exchanged(captions)), captions)


def test_absent_digits_are_the_other_seven(scene):
    assert absent(scene()).tolist() == [[0, 2, 4, 5, 6, 8, 9]]


def test_one_digit_off_has_every_other_digit_in_either_place(many):
    captions, false = one_digit_off(many)
    away = captions != true_captions(many)[:, None]
    assert (away.sum(dim=-1) == 1).all()
    assert away[..., [FIRST, SECOND]].any(dim=-1).all()
    assert all(len({*map(tuple, each.tolist())}) == 16 for each in captions[:50])
    true = [is_true(many, each) for each in captions.unbind(1)]
    assert torch.equal(~torch.stack(true, dim=1), false)
    assert false[:, 2:].all()  # a digit that is not there
    assert not false[:, :2].all()


def test_false_captions_are_false_in_the_shares_that_are_asked(many):
    captions = true_captions(many)
    for hard in (0.0, 0.5, 1.0):
        found = false_captions(rng(1), many, hard)
        assert not is_true(many, found).any()
        is_turned = (found == turned(captions)).all(dim=1)
        is_exchanged = (found == exchanged(captions)).all(dim=1)
        assert is_turned.double().mean() == pytest.approx(hard / 2, abs=0.03)
        # where the third digit makes it true, it is exchanged instead
        too = 0.09 * (1 - hard)
        assert is_exchanged.double().mean() == pytest.approx(hard / 2 + too, abs=0.03)
        other = found[~is_turned & ~is_exchanged]
        if hard < 1:
            assert len({*(other[:, FIRST] - DIGIT).tolist()}) == 10


def test_the_third_digit_is_one_in_four_of_those_put_in(many):
    found = false_captions(rng(1), many, 0.0)
    captions = true_captions(many)
    third = DIGIT + many.digits.gather(1, many.third[:, None])[:, 0]
    new = found != captions
    one = new.sum(dim=1) == 1
    put_in = found[one][new[one]]
    share = (put_in == third[one]).double().mean().item()
    assert 0.1 < share < 0.25  # of a quarter, some are true and not put in


def test_putting_a_word_leaves_the_captions(scene):
    captions = true_captions(scene())
    new = put(captions, BETWEEN, relation(scene().places, *torch.tensor([[2], [0]])))
    assert text(new[0]) == "a three right-of a seven"
    assert text(captions[0]) == "a three above a seven"
