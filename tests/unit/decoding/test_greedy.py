"""Greedy decoding: feeds the model its own words, stops at [STOP], keeps rows apart."""

import pytest
import torch
from torch import nn

from attention_book.decoding import beam, greedy
from attention_book.models import (
    FixedContext,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
)

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


def test_each_row_ends_at_its_own_stop_or_is_cut_off():
    decoded = greedy(Parrot(), SOURCE, VISIBLE)
    assert decoded.ids == [[5, 6], [7], [3, 4, 5]]
    assert decoded.finished.tolist() == [True, True, True]
    assert torch.equal(decoded.attention, torch.eye(4).expand(3, 4, 4))
    cut = greedy(Parrot(), SOURCE, VISIBLE, max_words=2)
    assert cut.ids == [[5, 6], [7], [3, 4]]
    assert cut.finished.tolist() == [False, True, False]
    stopped = greedy(Parrot(), SOURCE[:2], VISIBLE[:2], max_words=4)
    assert stopped.attention.shape == (2, 3, 4)
    with pytest.raises(ValueError, match="max_words is 0"):
        greedy(Parrot(), SOURCE, VISIBLE, max_words=0)


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


@pytest.mark.parametrize("write", [greedy, beam])
def test_one_can_go_on_learning_from_what_was_written_and_with_the_model(write):
    model = Transformer(TransformerConfig(10, 10, D=8, N_heads=2, D_hidden=8))
    decoded = write(model, SOURCE, VISIBLE, max_words=6)
    scale = torch.ones((), requires_grad=True)
    (scale * decoded.attention).sum().backward()
    model(SOURCE, VISIBLE, SOURCE).sum().backward()
    assert all(each.grad is not None for each in (scale, *model.parameters()))
