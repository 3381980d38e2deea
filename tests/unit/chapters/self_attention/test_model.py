"""The model reads its answer off what its one layer gives, and off nothing else."""

import pytest
import torch

from attention_book import training
from attention_book.chapters.self_attention.model import (
    OwnWordModel,
    PronounConfig,
    PronounModel,
)

SOURCE = torch.tensor([[3, 4, 5, 6, 0], [6, 5, 4, 3, 7]])
VISIBLE = SOURCE != 0


def model(kind=PronounModel, **sizes):
    with training.seeded(0):
        return kind(PronounConfig(9, 4, N_max=6, D=8, **sizes)).eval()


@pytest.mark.parametrize("kind", [PronounModel, OwnWordModel])
def test_the_word_itself_is_read_only_by_who_reads_it(kind):
    own = model(kind)
    own.attend.W_V.data.zero_()  # so that nothing comes through attention
    logits, _ = own.with_attention(SOURCE, VISIBLE[:, None])
    apart = (logits[0, 0] - logits[0, 1]).abs().max()
    assert (apart > 1e-3) == (kind is OwnWordModel)


def test_flat_weights_are_equal_wherever_there_is_a_word():
    _, A = model(flat=True).with_attention(SOURCE, VISIBLE[:, None])
    expected = (VISIBLE / VISIBLE.sum(dim=1, keepdim=True))[:, None].expand(2, 5, 5)
    torch.testing.assert_close(A, expected)
    _, A = model().with_attention(SOURCE, VISIBLE[:, None])
    assert (A - expected).abs().max() > 1e-3


@pytest.mark.parametrize("kind", [PronounModel, OwnWordModel])
def test_filling_changes_nothing(kind):
    own = model(kind)
    alone, A = own.with_attention(SOURCE[:1, :4], VISIBLE[:1, None, :4])
    filled, A_filled = own.with_attention(SOURCE, VISIBLE[:, None])
    torch.testing.assert_close(filled[:1, :4], alone)
    torch.testing.assert_close(A_filled[:1, :4, :4], A)
    torch.testing.assert_close(own(SOURCE, VISIBLE), filled)
