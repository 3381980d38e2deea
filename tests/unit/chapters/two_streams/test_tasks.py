"""What is shown and asked in training, and what becomes of the answers."""

from itertools import islice

import pytest
import torch
import torch.nn.functional as F
from torch import Generator

from attention_book.chapters.two_streams import tasks
from attention_book.chapters.two_streams.scenes import (
    BETWEEN,
    FIRST,
    MASK,
    PARTS,
    SECOND,
    Scenes,
    digits_of,
    is_true,
)
from attention_book.chapters.two_streams.tasks import (
    HIDE_REGION,
    NameDigits,
    Pretraining,
    everything,
    relations,
    watched,
)
from attention_book.data import PAD


@pytest.fixture(scope="module")
def batches():
    rng = Generator().manual_seed(0)
    return [everything(rng) for _ in range(30)]


def whole(batch):
    return torch.where(batch.words != PAD, batch.words, batch.source)


def of(batch):
    """The scenes of a batch, whose digits are found by their images."""
    known = {
        image.numpy().tobytes(): int(digit)
        for image, digit in zip(*digits_of("train"), strict=True)
    }
    digits = [[known[each.numpy().tobytes()] for each in row] for row in batch.images]
    digits = torch.tensor(digits)
    return Scenes(batch.images, batch.places, digits, digits[:, :2])


def test_the_lesson_hides_the_relation_and_nothing_else():
    batch = relations(Generator().manual_seed(0))
    assert (batch.source[:, BETWEEN] == MASK).all()
    assert (batch.source == MASK).sum() == 64
    assert torch.equal(batch.words != PAD, batch.source == MASK)
    assert is_true(of(batch), whole(batch)).all()
    assert not batch.hidden.any()


def test_first_comes_the_lesson_then_everything():
    sizes = [
        len(each.source) for each in islice(Pretraining(lesson=2).batches(0, 4), 4)
    ]
    assert sizes == [64, 64, 128, 128]
    assert len(next(Pretraining().batches(0, 1)).source) == 128


def test_a_seed_gives_its_batches_again():
    one, same, other = (
        next(Pretraining(lesson=1).batches(seed, 1)) for seed in (0, 0, 1)
    )
    assert torch.equal(one.source, same.source)
    assert torch.equal(one.images, same.images)
    assert not torch.equal(one.places, other.places)


def test_of_two_captions_of_a_scene_the_first_is_true_and_the_second_false(batches):
    for batch in batches[:3]:
        true, false = whole(batch).chunk(2)
        assert is_true(of(batch), true).all()
        assert not is_true(of(batch), false).any()


def test_true_and_false_captions_are_hidden_alike(batches):
    """Else what is hidden would tell which is true."""
    words = torch.stack([batch.words != PAD for batch in batches]).double()
    regions = torch.stack([batch.hidden for batch in batches]).double()
    for half in (slice(0, 64), slice(64, 128)):
        rates = words[:, half].mean(dim=(0, 1))
        assert rates[FIRST] == pytest.approx(0.075, abs=0.02)
        assert rates[BETWEEN] == pytest.approx(0.15, abs=0.02)
        assert rates[SECOND] == pytest.approx(0.075, abs=0.02)
        assert not rates[[0, 1, 4]].any()
        gone = regions[:, half].mean().item()
        assert gone == pytest.approx(HIDE_REGION / 2, abs=0.015)


def test_the_loss_is_of_hidden_words_hidden_regions_and_what_fits(tiny, batches):
    model, batch = tiny(), batches[0]
    features = model.detector.features(batch.images)
    words, regions = model(
        torch.cat([features, features]),
        torch.cat([batch.places, batch.places]),
        batch.source,
        batch.hidden,
    )
    asked = (batch.words != PAD).nonzero()
    asked = asked[asked[:, 0] < 64]
    surprise = -torch.stack(
        [
            model.words(words[n, at]).log_softmax(0)[batch.words[n, at]]
            for n, at in asked.tolist()
        ]
    ).mean()
    p = model.fits(words, regions).sigmoid()
    fits = -torch.cat([p[:64].log(), (1 - p[64:]).log()]).mean()
    gone = batch.hidden[:64].nonzero()
    divergence = []
    for n, i in gone.tolist():
        named = model.detector(batch.images[n, i]).softmax(0)
        said = model.classes(regions[n, 1 + i]).softmax(0)
        divergence.append((named * (named / said).log()).sum())
    wanted = surprise + fits + 0.5 * torch.stack(divergence).mean()
    found = Pretraining().loss(model, batch)
    assert found.item() == pytest.approx(wanted.item(), rel=1e-5)


def test_the_lessons_loss_is_the_surprise_at_the_relation(tiny):
    model, batch = tiny(), relations(Generator().manual_seed(0))
    features = model.detector.features(batch.images)
    words, _ = model(features, batch.places, batch.source)
    wanted = F.cross_entropy(model.words(words[:, BETWEEN]), batch.words[:, BETWEEN])
    found = Pretraining().loss(model, batch)
    assert found.item() == pytest.approx(wanted.item(), rel=1e-5)


def test_what_is_watched_is_of_digits_for_development_and_draws_nothing(tiny):
    images = {each.numpy().tobytes() for each in digits_of("development")[0]}
    assert {each.numpy().tobytes() for each in watched().images.flatten(0, 1)} <= images
    with torch.random.fork_rng():
        before = torch.random.get_rng_state()
        assert 0 <= Pretraining().watch(tiny()) <= 1
        assert torch.equal(torch.random.get_rng_state(), before)


def test_questions_are_asked_where_the_recipe_says(monkeypatch):
    monkeypatch.setattr(tasks.exam, "exam", lambda model, seed: {"seed": seed})
    assert Pretraining(exam=True).examine(None, 3) == {"seed": 3}
    assert Pretraining().examine(None, 3) == {}


class Says(torch.nn.Module):
    """Names the digit whose images these are, or always a zero."""

    def __init__(self, right):
        super().__init__()
        self.right = right

    def forward(self, images):
        digits = next(
            digits
            for some, digits in map(digits_of, PARTS)
            if some.shape == images.shape and torch.equal(some, images)
        )
        return F.one_hot(digits * self.right, 10).float()


def test_a_detector_is_right_on_each_part_or_as_often_as_there_are_zeros():
    assert NameDigits().measure(Says(1)) == {"right": dict.fromkeys(PARTS, 1.0)}
    for part, right in NameDigits().measure(Says(0))["right"].items():
        zeros = (digits_of(part)[1] == 0).double().mean().item()
        assert right == zeros
        assert 0.05 < zeros < 0.15


def test_a_detector_learns_from_training_images():
    images, digits = next(NameDigits().batches(0, 1))
    known = {x.numpy().tobytes(): d for x, d in zip(*digits_of("train"), strict=True)}
    for image, digit in zip(images, digits, strict=True):
        assert known[image.numpy().tobytes()] == digit


def test_the_recorded_detector_is_what_networks_stand_on():
    model = Pretraining().model()
    assert model.detector.config.N_features == 64
    images, digits = digits_of("test")
    with torch.no_grad():
        right = (model.eval().detector(images).argmax(-1) == digits).double().mean()
    assert right > 0.97
