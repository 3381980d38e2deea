"""Forced decoding: forward's numbers, from the steps, and what the model did there."""

import pytest
import torch
from torch import nn

from attention_book.decoding import forced_decoding
from attention_book.models import FixedContext, Seq2SeqConfig

START = 1
SOURCE = torch.tensor([[5, 6, 2, 0], [7, 2, 0, 0], [3, 4, 5, 2]])
VISIBLE = SOURCE != 0
TARGET_IN = torch.tensor([[START, 4, 5], [START, 8, 0], [START, 3, 4]])


class Pointer(nn.Module):
    """Looks at the input numbered as the word it was given last; keeps all words."""

    def encode(self, source, source_visible):
        assert not self.training
        assert not torch.is_grad_enabled()
        return source

    def initial_state(self, memory):
        return torch.zeros(len(memory), 0, dtype=torch.long)

    def step(self, token, memory, state):
        state = torch.cat([state, token.unsqueeze(1)], dim=1)
        attention = nn.functional.one_hot(token, 9).float()
        return attention * state.shape[1], state, attention


@pytest.fixture
def model():
    torch.manual_seed(4)
    return FixedContext(Seq2SeqConfig(8, 9, 5, 6))


def test_the_steps_give_what_forward_gives(model):
    read = forced_decoding(model, SOURCE, VISIBLE, TARGET_IN)
    torch.testing.assert_close(read.logits, model(SOURCE, VISIBLE, TARGET_IN).detach())
    assert read.attention is None
    assert not read.logits.requires_grad


def test_the_states_are_those_before_each_step_and_after_the_last(model):
    read = forced_decoding(model, SOURCE, VISIBLE, TARGET_IN)
    memory = model.encode(SOURCE, VISIBLE)
    assert len(read.states) == 4
    assert torch.equal(read.states[0], memory.s_0)
    for t in range(3):
        _, s_t, _ = model.step(TARGET_IN[:, t], memory, read.states[t])
        assert torch.equal(read.states[t + 1], s_t)


def test_row_t_is_what_the_model_did_after_word_t_was_shown():
    read = forced_decoding(Pointer(), SOURCE, VISIBLE, TARGET_IN)
    assert torch.equal(read.attention.argmax(-1), TARGET_IN)
    assert read.logits.amax(-1).tolist() == [[1, 2, 3]] * 3
    assert torch.equal(read.states[-1], TARGET_IN)


@pytest.mark.parametrize(
    ("target_in", "says"),
    [
        (TARGET_IN[:2], r"shape \(2, 3\), expected \(B, N_Y\) = \(3, N_Y\)"),
        (TARGET_IN[:, :0], r"target_in has shape \(3, 0\)"),
        (TARGET_IN[0], r"target_in has shape \(3,\)"),
    ],
)
def test_bad_input_is_named(as_a_reader, model, target_in, says):
    with pytest.raises(ValueError, match=says):
        forced_decoding(model, SOURCE, VISIBLE, target_in)
