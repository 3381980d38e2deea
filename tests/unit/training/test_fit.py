"""The loop: repeatable to the last bit, stops loudly on nonsense, leaves no trace."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.models import FixedContext, Seq2SeqConfig
from attention_book.reference import smoothed_loss
from attention_book.shapes import PAD
from attention_book.training import (
    fit,
    seeded,
    smoothed_cross_entropy,
    token_cross_entropy,
)

CONFIG = Seq2SeqConfig(N_source_words=9, N_target_words=9, D_embedding=8, D_hidden=16)


@dataclass
class Pairs:
    source: torch.Tensor
    source_visible: torch.Tensor
    target_in: torch.Tensor
    target_out: torch.Tensor


def copying(seed=0, B=16, N=3):
    """Endless batches of: copy three symbols."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        words = torch.randint(3, 9, (B, N), generator=generator)
        edge = torch.ones(B, 1, dtype=torch.long)
        source = torch.cat([words, 2 * edge], 1)
        yield Pairs(source, source != 0, torch.cat([edge, words], 1), source)


def train(seed=0, steps=12, **settings):
    with seeded(seed):
        model = FixedContext(CONFIG)
    return model, fit(
        model, copying(seed), steps=steps, seed=seed, progress=False, **settings
    )


def test_the_same_seed_gives_the_same_losses_and_weights_bit_for_bit():
    (model, first), (again, second) = train(), train()
    np.testing.assert_array_equal(first.loss, second.loss)
    for ours, theirs in zip(model.parameters(), again.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_another_seed_gives_other_losses():
    assert (train(0)[1].loss != train(1)[1].loss).all()


def test_the_seed_covers_what_is_random_inside_the_model():
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    start = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    losses = []
    for noise in (3, 4):
        model.load_state_dict(start)
        with seeded(noise):
            history = fit(
                model,
                [torch.ones(2, 4)] * 3,
                loss=lambda m, x: m(x).square().sum(),
                steps=3,
                seed=7,
                progress=False,
            )
        losses.append(history.loss)
    np.testing.assert_array_equal(*losses)


def test_seeding_leaves_no_trace_in_the_global_generator():
    before = torch.random.get_rng_state()
    train(steps=2)
    with pytest.raises(RuntimeError), seeded(5):
        torch.zeros(2) @ torch.rand(3)  # an error on the way out
    assert torch.equal(torch.random.get_rng_state(), before)


def test_training_learns_to_copy():
    _, history = train(steps=150, learning_rate=1e-2)
    assert history.loss[0] == pytest.approx(math.log(9), abs=0.4)
    assert history.loss[-10:].mean() < 0.7
    assert history.steps == len(history.loss) == 150
    assert history.seconds > 0


def test_padding_does_not_count_in_the_loss():
    with seeded(0):
        model = FixedContext(CONFIG)
    batch = next(copying())
    wider = Pairs(
        batch.source,
        batch.source_visible,
        *(nn.functional.pad(t, (0, 2)) for t in (batch.target_in, batch.target_out)),
    )
    torch.testing.assert_close(
        token_cross_entropy(model, wider), token_cross_entropy(model, batch)
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0])
def test_label_smoothing_is_the_references_and_padding_does_not_count(epsilon):
    with seeded(0):
        model = FixedContext(CONFIG).double()
    batch = next(copying())
    batch.target_out[3, 1:] = PAD
    ours = smoothed_cross_entropy(epsilon)(model, batch)
    logits = model(batch.source, batch.source_visible, batch.target_in).detach()
    real = batch.target_out != PAD
    theirs = smoothed_loss(
        logits[real].numpy(), batch.target_out[real].numpy(), epsilon
    )
    assert ours.item() == pytest.approx(theirs, abs=1e-12)


def test_label_smoothing_keeps_a_model_from_being_sure():
    loss = smoothed_cross_entropy(0.4)
    _, history = train(steps=150, learning_rate=1e-2, loss=loss)
    sure = 0.6 + 0.4 / 9
    least = -(sure * math.log(sure) + 8 * 0.4 / 9 * math.log(0.4 / 9))
    assert least < history.loss[-10:].mean() < math.log(9)


@pytest.mark.parametrize("epsilon", [-0.1, 1.1, math.nan])
def test_a_smoothing_that_is_no_share_is_named(epsilon):
    with pytest.raises(ValueError, match=r"epsilon is .*, expected a number from 0"):
        smoothed_cross_entropy(epsilon)


class Line(nn.Module):
    """One weight whose gradient is whatever the batch says."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(()))


def moves(steps, **settings):
    """How far Adam moves the weight under a constant gradient: the learning rate."""
    model, places = Line(), []
    fit(
        model, [1.0] * steps, loss=lambda m, g: m.w * g, steps=steps, seed=0,
        snapshot_every=1, snapshot=lambda m, step: places.append(m.w.item()),
        progress=False, **settings,
    )  # fmt: skip
    return -np.diff([0.0, *places])


def test_the_learning_rate_falls_to_zero_on_a_straight_line():
    np.testing.assert_allclose(
        moves(4, learning_rate=0.8), [0.8, 0.6, 0.4, 0.2], rtol=1e-5
    )


def test_the_learning_rate_rises_during_the_warm_up():
    np.testing.assert_allclose(
        moves(4, learning_rate=0.8, warmup_steps=2), [0.4, 0.6, 0.4, 0.2], rtol=1e-5
    )


def test_stopping_early_makes_the_same_first_steps():
    whole, part = train(steps=12)[1], train(steps=12, stop_after=5)[1]
    np.testing.assert_array_equal(part.loss, whole.loss[:5])
    assert part.steps == 5


def test_a_long_gradient_is_clipped():
    seen = []
    model = Line()
    model.w.register_post_accumulate_grad_hook(seen.append)
    fit(
        model,
        [50.0],
        loss=lambda m, g: m.w * g,
        steps=1,
        clip=0.5,
        seed=0,
        progress=False,
    )
    assert seen[0].grad.item() == pytest.approx(0.5, rel=1e-4)


def test_snapshots_are_taken_after_the_steps_asked_for_and_without_gradients():
    model, history = train(
        steps=6,
        snapshot_every=4,
        snapshot_at=(0, 5, 6),
        snapshot=lambda model, step: (step, model.training, torch.is_grad_enabled()),
    )
    assert history.snapshots == {step: (step, False, False) for step in (0, 4, 5, 6)}
    assert model.training


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_training_and_names_the_step(poison):
    model = Line()
    with pytest.raises(FloatingPointError, match="at step 2"):
        fit(
            model,
            [1.0, 1.0, poison],
            loss=lambda m, g: (m.w + 1) * g,
            steps=3,
            seed=0,
            progress=False,
        )
    assert math.isfinite(model.w.item())


def test_an_interrupt_passes_and_leaves_the_model_usable():
    def interrupted():
        yield from (batch for _, batch in zip(range(3), copying(), strict=False))
        raise KeyboardInterrupt

    with seeded(0):
        model = FixedContext(CONFIG).eval()
    with pytest.raises(KeyboardInterrupt):
        fit(model, interrupted(), steps=9, seed=0, progress=False)
    assert not model.training
    assert torch.isfinite(token_cross_entropy(model, next(copying())))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"steps": 0}, "steps is 0"),
        ({"stop_after": 13}, "stop_after is 13, expected 1 to 12"),
        ({"stop_after": 0}, "stop_after is 0"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"clip": -1.0}, "clip is -1.0"),
        ({"warmup_steps": 13}, "warmup_steps is 13, expected 0 to 12"),
        ({"snapshot_every": 0, "snapshot": print}, "snapshot_every is 0"),
        (
            {"snapshot_at": (3, 99), "snapshot": print},
            "each of snapshot_at is 99",
        ),
        ({"snapshot_at": (3,)}, "give snapshot together"),
        ({"snapshot": print}, "give snapshot together"),
        ({"seed": -1}, "seed is -1"),
        ({"validate_every": 2}, "validate_every and patience need validation"),
        ({"patience": 2}, "validate_every and patience need validation"),
        ({"validation": [], "validate_every": 2}, "validation is empty"),
        ({"validation": [1.0], "validate_every": 0}, "validate_every is 0"),
        (
            {"validation": [1.0], "validate_every": 2, "patience": 0},
            "patience is 0",
        ),
        ({"seconds": 0.0}, "seconds is 0.0"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named_before_anything_is_trained(
    as_a_reader, settings, says
):
    model = Line()
    settings = {"steps": 12, "seed": 0, **settings}
    with pytest.raises(ValueError, match=says):
        fit(model, [1.0] * 12, loss=lambda m, g: m.w * g, progress=False, **settings)
    assert model.w.item() == 0


def test_batches_that_run_out_are_named():
    with pytest.raises(ValueError, match="ran out at step 2 of 5"):
        fit(
            Line(),
            [1.0, 1.0],
            loss=lambda m, g: m.w * g,
            steps=5,
            seed=0,
            progress=False,
        )


@dataclass
class Held:
    """A batch for `Line`: the loss is its distance from `place`."""

    place: float
    N_target_tokens: int = 1


def far(model, batch):
    return (model.w - batch.place).abs()


def walk(steps, validation, loss=far, **settings):
    """Move a weight to the right, from 0 by about .1 a step at first; watch it."""
    model = Line()
    return model, fit(
        model, [Held(9.0)] * steps, loss=loss, steps=steps, learning_rate=0.1, seed=0,
        validation=validation, progress=False, **settings,
    )  # fmt: skip


def test_the_weights_with_the_lowest_validation_loss_are_kept():
    places = []
    model, history = walk(
        12, [Held(0.5)], validate_every=1,
        snapshot_every=1, snapshot=lambda m, step: places.append(m.w.item()),
    )  # fmt: skip
    distances = [abs(place - 0.5) for place in [0.0, *places]]
    assert list(history.validation) == list(range(13))
    assert list(history.validation.values()) == pytest.approx(distances)
    best = min(history.validation, key=history.validation.get)
    assert 0 < best < 12
    assert model.w.item() == [0.0, *places][best]
    assert (history.stopped, history.steps) == ("steps", 12)
    assert model.training


def test_an_interrupt_leaves_the_best_weights_there_were():
    def until_interrupted():
        yield from [Held(9.0)] * 12
        raise KeyboardInterrupt

    model, settings = Line(), {"validation": [Held(0.5)], "validate_every": 1}
    with pytest.raises(KeyboardInterrupt):
        fit(
            model, until_interrupted(), loss=far, steps=40, learning_rate=0.1, seed=0,
            progress=False, **settings,
        )  # fmt: skip
    assert abs(model.w.item() - 0.5) < 0.1


def test_training_ends_early_when_the_validation_loss_falls_no_more():
    _, whole = walk(40, [Held(0.5)], validate_every=2)
    model, history = walk(40, [Held(0.5)], validate_every=2, patience=3)
    best = min(whole.validation, key=whole.validation.get)
    assert (history.stopped, history.steps) == ("early", best + 6)
    assert len(history.loss) == history.steps
    np.testing.assert_array_equal(history.loss, whole.loss[: history.steps])
    assert abs(model.w.item() - 0.5) == pytest.approx(whole.validation[best])


def test_the_validation_loss_is_measured_every_fifty_steps_unless_told_otherwise():
    assert list(walk(120, [Held(0.5)])[1].validation) == [0, 50, 100, 120]


def test_a_validation_loss_counts_each_batch_by_its_tokens():
    _, history = walk(1, [Held(1.0, 3), Held(5.0, 1)], validate_every=1)
    assert history.validation[0] == pytest.approx((3 * 1 + 5) / 4)


def test_validation_changes_no_draw_of_the_training_and_is_without_dropout():
    def noisy(model, batch):
        return (model[1](model[0](batch.x)) - 1).square().mean()

    @dataclass
    class Batch:
        x: torch.Tensor
        N_target_tokens: int = 1

    losses = []
    for held in (
        {},
        {"validation": [Batch(torch.ones(2, 4))] * 2, "validate_every": 1},
    ):
        with seeded(0):
            model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
        history = fit(
            model, [Batch(torch.ones(2, 4))] * 5, loss=noisy, steps=5, seed=0,
            progress=False, **held,
        )  # fmt: skip
        losses.append(history.loss)
    np.testing.assert_array_equal(*losses)
    with seeded(0):
        model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)).eval()
    expected = noisy(model, Batch(torch.ones(2, 4))).item()
    assert history.validation[0] == pytest.approx(expected)


def test_training_ends_when_the_time_is_spent(monkeypatch):
    clock = 0

    def slow(model, batch):
        nonlocal clock
        clock += batch.place == 9.0  # a step of training lasts a second
        return far(model, batch)

    monkeypatch.setattr("time.perf_counter", lambda: clock)
    model, history = walk(12, [Held(0.5)], slow, validate_every=100, seconds=3.5)
    assert (history.stopped, history.steps, len(history.loss)) == ("time", 4, 4)
    assert list(history.validation) == [0, 4]  # the last weights, too
    assert model.w.item() == pytest.approx(0.5 - history.validation[4])


def test_time_that_is_not_spent_changes_nothing():
    whole, timed = train(steps=6)[1], train(steps=6, seconds=1e9)[1]
    np.testing.assert_array_equal(whole.loss, timed.loss)
    assert timed.stopped == whole.stopped == "steps"
    assert whole.validation == {}


def test_a_validation_loss_that_is_no_number_is_named():
    with pytest.raises(
        FloatingPointError, match="validation loss became nan at step 0"
    ):
        walk(3, [Held(float("nan"))], validate_every=1)


def test_validation_without_end_is_named(as_a_reader):
    with pytest.raises(TypeError, match=r"validation is a generator.*epochs=1"):
        walk(3, (Held(1.0) for _ in range(3)), validate_every=1)
