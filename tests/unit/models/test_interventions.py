"""Interventions: what goes in is used; the model's own weights change nothing."""

import pytest
import torch
from parity import agree

from attention_book.decoding import greedy
from attention_book.models import Intervened, Translator, TranslatorConfig
from attention_book.models.interventions import (
    forced,
    hiding,
    shuffled,
    strongest,
    uniform,
)

SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
VISIBLE = SOURCE != 0
N_WORDS = 6
A_T = torch.tensor(
    [[0.1, 0.2, 0.3, 0.25, 0.15], [0.5, 0.3, 0.2, 0.0, 0.0], [0.9, 0.1, 0.0, 0.0, 0.0]]
)


@pytest.fixture(params=["previous", "current"])
def model(request):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Translator(
            TranslatorConfig(11, 13, 6, 8, scored_state=request.param)
        ).double()


def written(model, change=None):
    return greedy(
        model if change is None else Intervened(model, change),
        SOURCE,
        VISIBLE,
        max_words=N_WORDS,
    )


def test_uniform_weights_are_equal_over_the_words_and_nothing_at_padding():
    expected = torch.tensor([[0.2] * 5, [1 / 3] * 3 + [0.0] * 2, [0.5] * 2 + [0.0] * 3])
    torch.testing.assert_close(uniform(A_T, VISIBLE, 0), expected)
    torch.testing.assert_close(uniform(A_T, None, 0), torch.full_like(A_T, 0.2))


def test_strongest_keeps_one_input():
    assert strongest(A_T, VISIBLE, 0).argmax(-1).tolist() == [2, 0, 0]
    assert (strongest(A_T, VISIBLE, 0).sum(-1) == 1).all()


def test_shuffled_weights_are_the_same_weights_elsewhere_and_never_at_padding():
    change = shuffled(0)
    seen = set()
    for t in range(200):
        moved = change(A_T, VISIBLE, t)
        assert (moved[~VISIBLE] == 0).all()
        torch.testing.assert_close(moved.sort(-1).values, A_T.sort(-1).values)
        seen.add(tuple(moved[1, :3].tolist()))
    assert len(seen) == 6, "all orders of three words come up"


def test_shuffling_repeats_from_its_seed():
    first, again, other = (shuffled(seed)(A_T, VISIBLE, 0) for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_the_models_own_weights_forced_back_change_nothing(model):
    own = written(model)
    again = written(model, forced(own.attention))
    assert again.ids == own.ids
    agree(again.attention, own.attention)


def test_forced_weights_are_the_ones_used_row_by_row_and_the_last_one_beyond(model):
    A = (
        torch.tensor([[0, 0, 1, 0, 0], [0, 1, 0, 0, 0]])
        .double()
        .expand(3, -1, -1)
        .clone()
    )
    A[2] = torch.tensor([1.0, 0, 0, 0, 0])
    used = written(model, forced(A)).attention
    for t in range(used.shape[1]):
        assert torch.equal(used[:, t], A[:, min(t, 1)])


def test_with_one_input_forced_the_context_is_that_input(model):
    memory = model.encode(SOURCE, VISIBLE)
    third = torch.zeros(3, 1, 5).double()
    third[:, 0, 1] = 1
    token, state = torch.ones(3, dtype=torch.long), model.initial_state(memory)
    forced_logits, _, _ = Intervened(model, forced(third)).step(
        token, memory, (state, 0)
    )
    alone = model.make_memory(memory.h[:, 1:2], VISIBLE[:, 1:2], memory.h[:, 0])
    expected, _, _ = model.step(token, alone, state)
    agree(forced_logits, expected)


def test_the_model_is_left_as_it_was(model):
    before = written(model)
    model.train()
    written(model, uniform)
    assert model.training
    after = written(model)
    assert after.ids == before.ids
    assert torch.equal(after.attention, before.attention)


HALF = torch.full((3, 2, 5), 0.2)
HALF[1, 1] = 0.1


@pytest.mark.parametrize(
    ("A", "says"),
    [
        (HALF, r"row 1 of A\[1\] sums to 0.500"),
        (torch.ones(3, 5), r"A has shape \(3, 5\)"),
        (HALF[None], r"A has shape \(1, 3, 2, 5\)"),
        (torch.tensor([[[1.5, -0.5]]]), "none of them negative"),
        (torch.tensor([[[float("nan"), 0.5]]]), "none of them negative"),
    ],
)
def test_weights_that_are_none_are_refused(as_a_reader, A, says):
    with pytest.raises(ValueError, match=says):
        forced(A)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda a_t, *_: torch.full_like(a_t, 0.2), "gave weight to padding"),
        (lambda a_t, *_: a_t[:1], r"intervene\(...\) has shape \(1, 5\), .* \(3, 5\)"),
        (
            forced(torch.full((2, 1, 5), 0.2).double()),
            r"A\[:, t\] has shape \(2, 5\), .* = \(3, 5\)",
        ),
        (hiding(torch.zeros(2, 1, 5).bool()), r"hidden\[:, t\] has shape \(2, 5\)"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(as_a_reader, model, change, says):
    with pytest.raises(ValueError, match=says):
        written(model, change)


def test_a_hidden_input_is_as_good_as_masked(model):
    """At the first step: a later one remembers what the others have seen."""
    hidden = torch.zeros(3, 1, 5, dtype=torch.bool)
    hidden[0, 0, 1] = hidden[1, 0, 2] = True
    memory = model.encode(SOURCE, VISIBLE)
    token, state = torch.ones(3, dtype=torch.long), model.initial_state(memory)
    logits, _, a_1 = Intervened(model, hiding(hidden)).step(token, memory, (state, 0))
    seen = VISIBLE & ~hidden[:, 0]
    masked = model.make_memory(memory.h, seen, memory.h[:, 0])
    expected, _, weights = model.step(token, masked, state)
    agree(a_1, weights)
    agree(logits, expected)


def test_each_step_hides_its_own_inputs_and_those_after_the_last_hide_none(model):
    hidden = torch.zeros(3, 2, 5, dtype=torch.bool)
    hidden[:, 1, 0] = True
    own, blind = written(model).attention, written(model, hiding(hidden)).attention
    torch.testing.assert_close(blind[:, 0], own[:, 0])
    assert (blind[:, 1, 0] == 0).all()
    assert (blind[:, [0, 2], 0] > 0).all()


def test_who_may_look_at_nothing_takes_nothing(model):
    hidden = torch.zeros(3, 1, 5, dtype=torch.bool)
    hidden[2] = True
    used = written(model, hiding(hidden)).attention
    assert (used[2, 0] == 0).all()
    torch.testing.assert_close(used[:2, 0].sum(-1), torch.ones(2).double())
