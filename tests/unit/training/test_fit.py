"""The loop: repeatable to the last bit, stops loudly on nonsense, leaves no trace."""

import math
import sys
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.data import Pair
from attention_book.models import FixedContext, Seq2SeqConfig
from attention_book.reference import smoothed_loss
from attention_book.shapes import PAD
from attention_book.training import (
    Budget,
    Progress,
    Snapshots,
    StopAfter,
    Validation,
    fit,
    seeded,
    smoothed_cross_entropy,
    token_cross_entropy,
    warmup,
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


def train(*callbacks, seed=0, steps=12, **settings):
    with seeded(seed):
        model = FixedContext(CONFIG)
    settings |= {"steps": steps, "seed": seed, "callbacks": callbacks}
    return model, fit(model, copying(seed), **settings)


def test_the_same_seed_gives_the_same_losses_and_weights_bit_for_bit():
    (model, first), (again, second) = train(), train()
    np.testing.assert_array_equal(first.loss, second.loss)
    for ours, theirs in zip(model.parameters(), again.parameters(), strict=True):
        assert torch.equal(ours, theirs)


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
                callbacks=(),
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
    assert history.stopped == "steps"
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


class Line(nn.Module):
    """One weight whose gradient is whatever the batch says."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(()))


def slope(model, gradient):
    return (model.w + 1) * gradient


def pull(*callbacks, batches=(1.0,) * 12, loss=slope, steps=12, **settings):
    """Train a weight, 0 at first, under a constant gradient."""
    model = Line()
    settings = {"seed": 0, "callbacks": callbacks} | settings
    return model, fit(model, batches, loss=loss, steps=steps, **settings)


def place(model):
    return model.w.item()


@pytest.mark.parametrize(
    ("rate", "moves"),
    [
        (0.8, [0.8, 0.6, 0.4, 0.2]),
        (warmup(0.8, steps=2), [0.4, 0.6, 0.4, 0.2]),
        (lambda step, N_steps: step / N_steps, [0, 0.25, 0.5, 0.75]),
    ],
    ids=["falls on a straight line", "rises during the warm-up", "a function"],
)
def test_a_step_is_as_long_as_the_learning_rate(rate, moves):
    places = Snapshots(place, every=1)
    pull(places, steps=4, learning_rate=rate)
    found = -np.diff([0.0, *places.taken.values()])
    np.testing.assert_allclose(found, moves, rtol=1e-5)


def test_stopping_after_some_steps_makes_the_same_first_steps():
    whole, part = train()[1], train(StopAfter(5))[1]
    np.testing.assert_array_equal(part.loss, whole.loss[:5])
    assert (part.steps, part.stopped) == (5, "steps")


def test_a_long_gradient_is_clipped():
    seen = []
    model = Line()
    model.w.register_post_accumulate_grad_hook(seen.append)
    fit(model, [50.0], loss=slope, steps=1, clip=0.5, seed=0, callbacks=())
    assert seen[0].grad.item() == pytest.approx(0.5, rel=1e-4)


def test_snapshots_are_taken_after_the_steps_asked_for_and_without_gradients():
    def modes(model):
        return model.training, torch.is_grad_enabled()

    seen = Snapshots(modes, every=4, at=(0, 5, 6))
    for steps in (12, 6):  # what was taken before is forgotten
        model, _ = train(seen, steps=steps, seed=steps)
    assert seen.taken == dict.fromkeys((0, 4, 5, 6), (False, False))
    assert model.training


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_training_and_names_the_step(poison):
    weights = Snapshots(lambda model: model, at=(0,))
    with pytest.raises(FloatingPointError, match="at step 2"):
        pull(weights, batches=[1.0, 1.0, poison])
    assert math.isfinite(place(weights.taken[0]))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"steps": 0}, "steps is 0"),
        ({"steps": None, "callbacks": [StopAfter(3)]}, "None, expected .* a Budget"),
        ({"seed": -1}, "seed is -1"),
        ({"clip": -1.0}, "clip is -1.0"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
        ({"learning_rate": warmup(1.0, steps=13)}, "steps is 13, expected 0 to 12"),
        ({"callbacks": Progress()}, "callbacks must be a Sequence"),
        ({"callbacks": [Progress]}, "each of callbacks must be a Callback"),
        ({"callbacks": [StopAfter(13)]}, "StopAfter is 13, expected 1 to 12"),
        ({"callbacks": [Snapshots(place, at=(3, 99))]}, "each of at is 99"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named_before_anything_is_trained(
    as_a_reader, settings, says
):
    model = Line()
    settings = {"steps": 12, "seed": 0, "callbacks": (), **settings}
    with pytest.raises((ValueError, TypeError), match=says):
        fit(model, [1.0] * 12, loss=slope, **settings)
    assert place(model) == 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: warmup(0.0), "learning_rate is 0.0"),
        (
            lambda: smoothed_cross_entropy(-0.1),
            "epsilon is -0.1, expected a number",
        ),
        (lambda: smoothed_cross_entropy(math.nan), r"epsilon is nan"),
        (lambda: pull(batches=[1.0, 1.0], steps=5), "ran out at step 2 of 5"),
        (
            lambda: pull(Budget(9.0), batches=[], steps=None),
            "ran out at step 0 of …: .*, or batches without end",
        ),
        (lambda: warmup(1.0, steps=-1), "warmup steps is -1"),
        (lambda: Snapshots(place), "needs every or at"),
        (lambda: Snapshots(place, every=0), "every is 0"),
        (lambda: StopAfter(0), "StopAfter is 0"),
        (lambda: Budget(0.0), "seconds is 0.0"),
        (lambda: Validation([]), "held_out is empty"),
        (lambda: Validation([1.0], every=0), "every is 0"),
        (lambda: Validation([1.0], patience=0), "patience is 0"),
        (lambda: Validation(iter([1.0])), r"held_out is a list_iterator.*epochs=1"),
        (
            lambda: Validation([Held(0.5), Pair(("a",), ("b",))]),
            r"held_out\[1\] is a Pair, expected a batch: list\(data\.batches\(pairs",
        ),
    ],
)
def test_a_callback_that_makes_no_sense_is_named_at_once(as_a_reader, make, says):
    with pytest.raises((ValueError, TypeError), match=says):
        make()


@dataclass
class Held:
    """A batch for `Line`: the loss is its distance from `place`."""

    place: float
    N_target_tokens: int = 1


def far(model, batch):
    return (model.w - batch.place).abs()


FAR = [Held(9.0)] * 120


def walk(*callbacks, steps=12, batches=FAR, loss=far):
    """Move a weight to the right, from 0 by about .1 a step at first."""
    settings = {"batches": batches, "loss": loss, "steps": steps}
    return pull(*callbacks, learning_rate=0.1, **settings)


def test_the_weights_with_the_lowest_validation_loss_are_kept():
    places, held = Snapshots(place, every=1, at=(0,)), Validation([Held(0.5)], every=1)
    model, history = walk(places, held)
    assert list(held.losses) == list(range(13))
    distances = {step: abs(w - 0.5) for step, w in places.taken.items()}
    assert held.losses == pytest.approx(distances)
    best = min(held.losses, key=held.losses.get)
    assert 0 < best < 12
    assert place(model) == places.taken[best]
    assert (history.stopped, history.steps) == ("steps", 12)


@pytest.mark.parametrize("was_training", [True, False])
def test_an_interrupt_leaves_the_best_weights_and_the_mode_there_was(was_training):
    def until_interrupted():
        yield from FAR[:12]
        raise KeyboardInterrupt

    model, held = Line().train(was_training), Validation([Held(0.5)], every=5)
    settings = {"loss": far, "steps": 40, "learning_rate": 0.1, "seed": 0}
    with pytest.raises(KeyboardInterrupt):
        fit(model, until_interrupted(), callbacks=[held], **settings)
    assert list(held.losses) == [0, 5, 10]
    assert held.losses[5] < min(held.losses[0], held.losses[10])
    assert abs(place(model) - 0.5) == pytest.approx(held.losses[5])
    assert model.training == was_training


def test_training_ends_early_when_the_validation_loss_falls_no_more():
    long, short = (Validation([Held(0.5)], every=2, patience=n) for n in (None, 3))
    (_, whole), (model, history) = walk(long, steps=40), walk(short, steps=40)
    best = min(long.losses, key=long.losses.get)
    assert (history.stopped, history.steps) == ("early", best + 6)
    np.testing.assert_array_equal(history.loss, whole.loss[: best + 6])
    assert abs(place(model) - 0.5) == pytest.approx(long.losses[best])


def test_the_weights_with_the_highest_score_are_kept():
    places = Snapshots(place, every=1, at=(0,))
    near = Validation(lambda model: -((place(model) - 0.5) ** 2), every=1)
    model, _ = walk(places, near)
    assert near.scores == pytest.approx(
        {step: -((w - 0.5) ** 2) for step, w in places.taken.items()}
    )
    best = max(near.scores, key=near.scores.get)
    assert 0 < best < 12
    assert place(model) == places.taken[best]
    with pytest.raises(FloatingPointError, match="score became nan at step 0"):
        walk(Validation(lambda model: math.nan))


def test_of_equal_scores_the_last_weights_are_kept_and_none_is_waited_out():
    places, flat = (
        Snapshots(place, every=1),
        Validation(lambda _: 0.0, every=2, patience=1),
    )
    model, history = walk(places, flat)
    assert (history.stopped, place(model)) == ("steps", places.taken[12])


def test_a_validation_loss_counts_each_batch_by_its_tokens():
    walk(held := Validation([Held(1.0, 3), Held(5.0, 1)]))
    assert held.losses[0] == pytest.approx((3 * 1 + 5) / 4)


def test_validation_changes_no_draw_of_the_training_and_is_without_dropout():
    def noisy(model, batch):
        return (model[1](model[0](torch.ones(2, 4))) - 1).square().mean()

    def fresh():
        with seeded(0):
            return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))

    settings = {"loss": noisy, "steps": 5, "seed": 0}
    alone = fit(fresh(), FAR, callbacks=(), **settings)
    held = Validation(FAR[:2], every=1)
    watched = fit(fresh(), FAR, callbacks=[held], **settings)
    np.testing.assert_array_equal(watched.loss, alone.loss)
    assert held.losses[0] == pytest.approx(noisy(fresh().eval(), None).item())


@pytest.fixture
def slow(monkeypatch):
    """The loss `far` on a clock of its own: a step of training lasts a second."""
    clock = 0

    def loss(model, batch):
        nonlocal clock
        clock += batch.place == 9.0
        return far(model, batch)

    monkeypatch.setattr("time.perf_counter", lambda: clock)
    return loss


def test_training_ends_when_the_time_is_spent(slow):
    budget, held = Budget(3.5), Validation([Held(0.5)], every=100)
    rates = []

    def rate(step, N_steps):
        rates.append((step, N_steps))
        return 0.1 * (1 - step / N_steps)

    for _ in range(2):  # each time it has all of the time
        settings = {"loss": slow, "steps": 12, "seed": 0, "learning_rate": rate}
        history = fit(model := Line(), FAR, callbacks=[budget, held], **settings)
        assert (history.stopped, history.steps, history.seconds) == ("time", 4, 4)
        # one before the loop; and 12 until a step has shown how long one takes
        assert rates == [(0, 12), (0, 12), (1, 4), (2, 4), (3, 4)]
        rates.clear()
    fit(Line(), FAR, callbacks=[Budget(100)], **settings)
    assert [N_steps for _, N_steps in rates] == [12] * 13  # it allows more than asked
    assert list(held.losses) == [0, 4]  # the last weights, too
    assert place(model) == pytest.approx(0.5 - held.losses[4])
    rates.clear()
    history = fit(Line(), FAR, callbacks=[budget], **settings | {"steps": None})
    assert (history.stopped, history.steps) == ("time", 4)
    unknown = (0, sys.maxsize)
    assert rates == [unknown, unknown, (1, 4), (2, 4), (3, 4)]


def test_a_budget_may_allow_fewer_steps_than_the_warm_up_or_the_callbacks_name(slow):
    places = Snapshots(place, every=1, at=(99,))
    settings = {"loss": slow, "steps": None, "seed": 0, "learning_rate": warmup(1, 10)}
    callbacks = [Budget(3.5), places, StopAfter(50)]
    history = fit(Line(), FAR, callbacks=callbacks, **settings)
    assert (history.stopped, history.steps) == ("time", 4)
    found = np.diff([0.0, *places.taken.values()])
    expected = [0.1, 0.2 * 3 / 4, 0.3 * 2 / 4, 0.4 * 1 / 4]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    history = fit(Line(), FAR, callbacks=[Budget(3.5), StopAfter(2)], **settings)
    assert (history.stopped, history.steps) == ("steps", 2)


@pytest.mark.parametrize(
    ("every", "bound", "step"),
    [(2, 0, 0), (2, 0.05, 2), (50, 0.05, 3)],
    ids=["first", "along", "last"],
)
def test_a_validation_loss_that_is_no_number_is_named_and_the_best_kept(
    every, bound, step
):
    def loss(model, batch):  # nan once the weight is so large
        lost = batch.place < 1 and model.w >= bound
        return far(model, batch) + (math.nan if lost else 0)

    model, held = Line(), Validation([Held(0.5)], every=every)
    walk(held)
    settings = {"loss": loss, "steps": 3, "learning_rate": 0.1, "seed": 0}
    with pytest.raises(FloatingPointError, match=f"loss became nan at step {step}"):
        fit(model, FAR, callbacks=[held], **settings)
    assert place(model) == 0
