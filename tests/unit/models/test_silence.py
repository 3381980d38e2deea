"""Heads silenced by their weights, against heads whose attention is changed."""

import pytest
import torch

from attention_book.models import GPT, GPTConfig, heads, silenced
from attention_book.networks import change_of
from attention_book.networks.program import readable
from attention_book.networks.taps import Taps
from attention_book.training import seeded


@pytest.fixture
def gpt():
    with seeded(0):
        model = GPT(GPTConfig(11, D=8, N_heads=2, D_hidden=8, std=1.0)).eval()
        for weight in model.parameters():  # biases are 0 before training
            weight.data += 0.3 * torch.randn_like(weight)
    return model


@pytest.mark.parametrize(
    ("name", "block", "off"),
    [("1.1", 0, [1, 0]), ("1.2", 0, [0, 1]), ("2.1", 1, [1, 0]), ("2.2", 1, [0, 1])],
)
def test_a_silenced_head_is_one_that_is_off(gpt, name, block, off):
    ids, plain = torch.arange(22).view(2, 11) % 11, readable(gpt)
    change = {f"encoder.blocks.{block}.attend": change_of([["off", off]])}
    with torch.no_grad(), Taps(plain, change):
        expected = plain(ids)
    before = gpt(ids)
    found = silenced(gpt, [name])(ids)
    torch.testing.assert_close(found, expected)
    assert not torch.allclose(found, before, atol=1e-3)
    assert torch.equal(gpt(ids), before)


def test_a_head_that_looks_alike_at_all_has_even_weights_and_the_others_theirs(gpt):
    ids = torch.arange(11)[None]
    A, found = gpt.attention(ids)[0], silenced(gpt, ["1.2", "2.1"], "equal")
    B = found.attention(ids)[0]  # (N_blocks, N_heads, N, N)
    even = torch.ones(11, 11).tril() / torch.arange(1, 12)[:, None]
    torch.testing.assert_close(B[0, 1], even)
    torch.testing.assert_close(B[1, 0], even)
    torch.testing.assert_close(B[0, 0], A[0, 0])
    alone = silenced(gpt, ["2.1"], "equal").attention(ids)[0]
    torch.testing.assert_close(alone[1, 1], A[1, 1])


def test_a_head_that_a_model_lacks_is_refused(gpt):
    assert heads(gpt) == ["1.1", "1.2", "2.1", "2.2"]
    for name in ("3.1", "2.0", "0.1", "2.9", "x"):
        with pytest.raises(ValueError, match=f"silent head is '{name}', expected one"):
            silenced(gpt, [name])
    with pytest.raises(ValueError, match="way is 'off', expected one of equal, zero"):
        silenced(gpt, heads(gpt), "off")
