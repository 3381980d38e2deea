"""Greedy decoding: feeds the model its own words, stops at [STOP], keeps rows apart."""

from importlib import import_module

import pytest
import torch
from torch import nn

from attention_book import data
from attention_book.decoding import greedy
from attention_book.models import FixedContext, Seq2SeqConfig

START, STOP = 1, 2


class Parrot(nn.Module):
    """Writes its source back, looking at the place it reads; checks what it is fed."""

    def encode(self, source, source_visible):
        assert not self.training
        assert not torch.is_grad_enabled()
        return source

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        expected = memory[:, state - 1] if state else torch.full((len(memory),), START)
        assert torch.equal(token, expected)
        attention = nn.functional.one_hot(
            torch.full((len(memory),), state), memory.shape[1]
        ).float()
        return nn.functional.one_hot(memory[:, state], 10).float(), state + 1, attention


SOURCE = torch.tensor([[5, 6, 2, 9], [7, 2, 9, 9], [3, 4, 5, 2]])
VISIBLE = torch.ones(3, 4, dtype=torch.bool)


def test_each_row_ends_at_its_own_stop():
    decoded = greedy(Parrot(), SOURCE, VISIBLE)
    assert decoded.ids == [[5, 6], [7], [3, 4, 5]]
    assert decoded.finished.tolist() == [True, True, True]


def test_decoding_ends_when_all_rows_have_stopped():
    assert greedy(Parrot(), SOURCE[:2], VISIBLE[:2], max_words=4).attention.shape == (
        2,
        3,
        4,
    )


def test_a_row_cut_off_is_not_called_finished():
    decoded = greedy(Parrot(), SOURCE, VISIBLE, max_words=2)
    assert decoded.ids == [[5, 6], [7], [3, 4]]
    assert decoded.finished.tolist() == [False, True, False]


def test_attention_row_t_belongs_to_word_t():
    attention = greedy(Parrot(), SOURCE, VISIBLE).attention
    assert torch.equal(attention, torch.eye(4).expand(3, 4, 4))


def test_the_model_is_put_back_into_training():
    model = Parrot().train()
    greedy(model, SOURCE, VISIBLE)
    assert model.training


def test_the_fixed_context_model_decodes_what_its_own_forward_prefers():
    torch.manual_seed(4)
    model = FixedContext(Seq2SeqConfig(10, 9, 5, 6))
    decoded = greedy(model, SOURCE, VISIBLE, max_words=6)
    assert decoded.attention is None
    for row, ids in enumerate(decoded.ids):
        target_in = torch.tensor([[START, *ids]])
        best = (
            model(SOURCE[row : row + 1], VISIBLE[row : row + 1], target_in)
            .argmax(-1)[0]
            .tolist()
        )
        assert best[: len(ids)] == ids
        assert not decoded.finished[row] or best[len(ids)] == STOP


def test_max_words_must_be_positive():
    with pytest.raises(ValueError, match="max_words is 0"):
        greedy(Parrot(), SOURCE, VISIBLE, max_words=0)


def test_special_ids_agree_across_the_rooms():
    rooms = ["models.seq2seq", "training.fit", "decoding.greedy"]
    modules = [import_module(f"attention_book.{room}") for room in rooms]
    assert (data.PAD, data.START, data.STOP) == (0, 1, 2)
    for module, name in zip(modules, ("PAD", "PAD", "STOP"), strict=True):
        assert getattr(module, name) == getattr(data, name)
    assert modules[2].START == data.START
