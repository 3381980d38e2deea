"""The steps that readers read are the steps that train."""

import pytest
import torch

from attention_book import models, training
from attention_book.chapters.attention.steps import bahdanau_step, luong_step


@pytest.mark.parametrize(
    ("step", "state", "score"),
    [
        (bahdanau_step, "previous", "mlp"),
        (luong_step, "current", "dot"),
        (luong_step, "current", "bilinear"),
    ],
)
def test_the_short_step_is_the_step_of_the_model(step, state, score):
    config = models.TranslatorConfig(9, 11, 5, 8, score, state)
    with training.seeded(0), torch.no_grad():
        model = models.Translator(config)
        source, token = torch.tensor([[3, 4, 5], [6, 7, 8]]), torch.tensor([3, 4])
        memory = model.encode(source, torch.ones_like(source, dtype=torch.bool))
        y = model.target_embedding(token)
        logits, s = step(model, y, memory.s_0, memory.h)
        right, state, _ = model.step(token, memory, memory.s_0)
    torch.testing.assert_close(logits, right)
    torch.testing.assert_close(s, state)
