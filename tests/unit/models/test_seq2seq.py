"""The fixed-context model: two ways to compute agree; only words change it."""

from dataclasses import replace

import pytest
import torch
from parity import agree

from attention_book.models import FixedContext, Seq2SeqConfig

B = 3
CONFIG = Seq2SeqConfig(N_source_words=11, N_target_words=13, D_embedding=6, D_hidden=7)
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
VISIBLE = SOURCE != 0
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 12, 0, 0]])


def build(config):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return FixedContext(config).double()


@pytest.fixture
def model():
    return build(CONFIG)


@pytest.fixture
def state_only():
    """The decoder that meets the source in s_0 and never again."""
    return build(replace(CONFIG, context_at_every_step=False))


@pytest.fixture(params=["model", "state_only"])
def either(request):
    return request.getfixturevalue(request.param)


def test_the_context_is_the_last_state_and_s_0_is_predicted_from_it(model):
    memory = model.encode(SOURCE, VISIBLE)
    _, h_T = model.f_W(model.source_embedding(SOURCE), VISIBLE)
    agree(memory.c, h_T, 0)
    agree(memory.s_0, torch.tanh(model.first_state(h_T)), 0)


def test_what_stands_in_the_padding_does_not_matter(either):
    scribbled = torch.where(VISIBLE, SOURCE, torch.full_like(SOURCE, 3))
    before, after = (
        either(SOURCE, VISIBLE, TARGET_IN),
        either(scribbled, VISIBLE, TARGET_IN),
    )
    agree(after, before, 0)


def test_every_visible_word_can_change_the_output(either):
    before = either(SOURCE, VISIBLE, TARGET_IN)
    for row, i in VISIBLE.nonzero().tolist():
        changed = SOURCE.clone()
        changed[row, i] = 3
        difference = (
            (either(changed, VISIBLE, TARGET_IN) - before).abs().amax(dim=(1, 2))
        )
        assert difference[row] > 1e-6
        assert (difference[torch.arange(B) != row] == 0).all()


def test_the_decoder_sees_the_context_at_every_step_and_not_only_through_s_0(model):
    memory = model.encode(SOURCE, VISIBLE)
    other = replace(memory, c=memory.c + 1)
    state = torch.zeros(B, CONFIG.D_hidden, dtype=torch.float64)
    logits, s_1, _ = model.step(TARGET_IN[:, 0], memory, state)
    changed, s_1_changed, _ = model.step(TARGET_IN[:, 0], other, state)
    assert (changed - logits).abs().max() > 1e-3
    assert (s_1_changed - s_1).abs().max() > 1e-3


def test_without_a_context_the_source_reaches_the_decoder_through_s_0_alone(state_only):
    memory = state_only.encode(SOURCE, VISIBLE)
    assert memory.c.shape == (B, 0)
    other = replace(memory, s_0=torch.zeros_like(memory.s_0))
    first, _, _ = state_only.step(
        TARGET_IN[:, 0], other, state_only.initial_state(other)
    )
    agree(first, first[:1].expand(B, -1), 1e-15)
