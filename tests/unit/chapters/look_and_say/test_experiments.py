"""Chapter 3's experiments measure what they say, on scenes whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from attention_book import data, decoding, models, training
from attention_book.chapters.look_and_say import experiments, solutions

SCENES = data.scenes(4, N_digits=(3,), part="test", seed=33)


@pytest.fixture(scope="module")
def model():
    size = len(data.scene_vocabulary())
    with training.seeded(0):
        return models.Captioner(models.CaptionerConfig(size)).eval()


def cell_in(model, box):
    """The index of the first cell whose centre lies in a box."""
    top, left, height, width = box
    y, x = np.asarray(model.grid.centres).T
    inside = (top <= y) & (y < top + height) & (left <= x) & (x < left + width)
    return int(np.flatnonzero(inside)[0])


def looking(model, scene, digits):
    """Attention that looks at one digit of the scene a word; None is the first cell."""
    A = torch.zeros(len(digits), len(model.grid.centres))
    for t, digit in enumerate(digits):
        A[t, 0 if digit is None else cell_in(model, scene.boxes[digit])] = 1
    return A


def test_a_forced_gaze_lies_on_the_digit_that_a_word_names(model):
    gaze = experiments.gaze_on(model, SCENES, place=7)
    torch.testing.assert_close(gaze.sum(dim=1), torch.ones(len(SCENES)))
    for weights, scene in zip(gaze, SCENES, strict=True):
        top, left, height, width = scene.boxes[scene.mentions[7]]
        for y, x in np.asarray(model.grid.centres)[weights > 0]:
            assert top <= y < top + height
            assert left <= x < left + width


def test_the_next_word_alone_is_written_with_the_gaze_that_is_given(model, as_a_reader):
    gazes, read = [], []

    class Spied:
        encode, initial_state = model.encode, model.initial_state

        @staticmethod
        def step(token, memory, s, intervene=None):
            read.append(token)
            gazes.append(None if intervene is None else intervene(None, None))
            return model.step(token, memory, s, intervene=intervene)

    gaze = experiments.gaze_on(model, SCENES, place=4)
    said = ("a", "nine", ",", "a")
    named = experiments.next_word(Spied, SCENES, said, gaze)
    assert gazes[:-1] == [None] * len(said)
    assert torch.equal(gazes[-1], gaze)
    assert data.scene_vocabulary().encode(said, start=True) == [
        *(int(each[0]) for each in read)
    ]
    assert len(named) == len(SCENES)
    assert set(named) <= set(data.scene_vocabulary().words)


def test_without_a_gaze_the_second_word_is_what_the_model_says_by_itself(model):
    batch = data.collate_scenes(SCENES)
    assert {scene.caption[0] for scene in SCENES} == {"a"}
    with torch.no_grad():
        logits = model(batch.source, None, batch.target_in)[:, 1]
    ids = logits.argmax(dim=-1).tolist()
    own = [data.scene_vocabulary().words[i] for i in ids]
    assert experiments.next_word(model, SCENES, ("a",)) == own


def test_only_misread_words_are_read_again_each_with_the_gaze_on_its_own_digit(
    model, monkeypatch
):
    asked = []

    def next_word(model, scenes, read, gaze):
        asked.append((scenes[0], tuple(read), gaze))
        return [scenes[0].caption[len(read)] if len(asked) == 2 else "nothing"]

    monkeypatch.setattr(experiments, "next_word", next_word)
    first, second = SCENES[:2]
    some, said = [first, second, first], [first.caption, ("a",), first.caption]
    verdicts = ["right", "misread", "looked nowhere", "misread", "misread", "right"]
    assert experiments.right_with_gaze(model, some, said, verdicts) == 1
    places = [4, 1, 4]  # of the second, the first and the second digit word
    assert [len(read) for _, read, _ in asked] == places
    for (scene, read, gaze), place in zip(asked, places, strict=True):
        assert scene is first
        assert read == first.caption[:place]
        assert torch.equal(gaze, experiments.gaze_on(model, [first], place))


def test_a_look_is_a_caption_and_a_grid_of_weights_for_each_of_its_words(model):
    caption, A = experiments.look(model, SCENES[0])
    decoded = decoding.greedy(model, data.collate_scenes(SCENES[:1]).source, None)
    assert tuple(caption) == data.scene_vocabulary().decode(decoded.ids[0])
    side = model.grid.N_side
    np.testing.assert_array_equal(
        A.reshape(len(caption), side**2), decoded.attention[0, : len(caption)]
    )


def test_the_lazy_answer_is_chosen_on_training_scenes_and_scored_on_others(model):
    centres, seen = model.grid.centres, data.scenes(50, part="train", seed=0)

    def score(cell, scenes):
        y, x = centres[cell]
        hits = [
            top <= y < top + height and left <= x < left + width
            for scene in scenes
            for top, left, height, width in scene.boxes
        ]
        return np.mean(hits)

    best = max(range(len(centres)), key=lambda cell: score(cell, seen))
    lazy = experiments.same_cell_for_every_word(centres, SCENES, N_seen=50)
    assert lazy == pytest.approx(score(best, SCENES))


def test_a_caption_of_another_form_is_told_from_a_wrong_digit():
    scene = SCENES[0]
    wrong = ["nine" if word in data.DIGIT_NAMES else word for word in scene.caption]
    assert experiments.digits_where_due(scene, scene.caption)
    assert experiments.digits_where_due(scene, wrong)
    assert not experiments.digits_where_due(scene, scene.caption[:-1])
    assert not experiments.digits_where_due(scene, scene.caption[::-1][1:])


def test_looks_name_what_lay_under_the_strongest_cell(model):
    scene = SCENES[0]
    swapped = {i: (i + 1) % 3 for i in range(3)}
    digits = [swapped.get(i) for i in scene.mentions]
    A = looking(model, scene, digits)[None]
    seen = experiments.looks([scene], [scene.caption], A, model.grid.centres, 0.0)
    names = [data.DIGIT_NAMES[digit] for digit in scene.digits]
    meant = [i for i in scene.mentions if i is not None]
    assert list(seen) == [(3, names[i], names[i], names[swapped[i]]) for i in meant]


def test_where_two_digits_are_near_the_one_that_was_meant_counts(model):
    scene = SCENES[0]
    A = looking(model, scene, [None] * len(scene.mentions))[None]
    seen = experiments.looks([scene], [scene.caption], A, model.grid.centres, 32.0)
    assert all(meant == at for _, _, meant, at in seen)


def test_a_look_beside_the_digits_is_at_none_and_other_forms_are_left_out(model):
    scene = SCENES[0]
    A = looking(model, scene, [None] * len(scene.mentions))[None]
    y, x = model.grid.centres[0]
    free = all(
        not (b[0] <= y < b[0] + b[2] and b[1] <= x < b[1] + b[3]) for b in scene.boxes
    )
    assert free, "the corner of this scene is empty"
    some = scene, scene.caption, A, model.grid.centres
    looked = experiments.looks(*([each] for each in some[:2]), *some[2:], 0.0)
    assert {at for *_, at in looked} == {None}
    assert not list(experiments.looks([scene], [("a",)], A, model.grid.centres, 0.0))


def test_a_captioner_with_another_encode_leaves_the_model_as_it_was(model):
    blank = experiments.with_encode(
        model,
        lambda own, images: own.make_memory(
            torch.zeros(len(images), 64, 64), None, torch.zeros(len(images), 64)
        ),
    )
    images = data.collate_scenes(SCENES).source
    assert not blank.encode(images, None).h.any()
    assert model.encode(images).h.any()


def test_every_slot_is_right_only_where_the_batch_does_not_matter(model):
    scene = SCENES[0]
    ids = decoding.greedy(model, data.collate_scenes([scene]).source, None).ids[0]
    said = data.scene_vocabulary().decode(ids)

    def spoiled(own, images):
        memory = solutions.encode(own, images)
        memory.h[1:] = -9 * memory.h[1:]  # all but the first picture of a batch
        return memory

    own_words = replace(scene, caption=said)
    right = experiments.right_by_slot(model, [own_words], N_slots=3)
    np.testing.assert_array_equal(right, [1, 1, 1])
    trial = experiments.with_encode(model, spoiled)
    right = experiments.right_by_slot(trial, [own_words], N_slots=3)
    np.testing.assert_array_equal(right, [1, 0, 0])


def test_a_row_over_the_slots_has_their_mean_and_their_range():
    row = experiments.over_slots(np.array([1, 0.5, 1, 1]))
    assert row == {"captions right": 0.875, "by slot": "0.50 - 1.00"}
