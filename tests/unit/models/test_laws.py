"""What holds for every model that writes."""

from itertools import product

import pytest
import torch
from parity import agree

from attention_book.decoding import forced_decoding
from attention_book.models import (
    Captioner,
    CaptionerConfig,
    FixedContext,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
    Translator,
    TranslatorConfig,
)
from attention_book.training import seeded

SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 10, 0, 0]])
IMAGES = torch.rand(3, 1, 32, 32, generator=torch.Generator().manual_seed(1)).double()
SCORES, STATES = ("dot", "bilinear", "mlp"), ("previous", "current")
BOTH = (True, False)
CONFIGS = [
    *(Seq2SeqConfig(11, 13, 6, 7, context) for context in BOTH),
    *(
        TranslatorConfig(11, 13, 6, 8, score, state, both, N_layers)
        for score, state, both, N_layers in product(
            SCORES, STATES, (True, False), (1, 3)
        )
    ),
    *(
        TransformerConfig(11, 13, 12, 4, 7, 2, 3, **choices)
        for choices in (
            {},
            {"norm": "post"},
            {"tied": False},
            {"positions": "learned", "N_positions": 4 + 1},
        )
    ),
    *(
        CaptionerConfig(11, 5, 6, 8, score, state, attention)
        for score, state, attention in product(SCORES[1:], STATES, BOTH)
    ),
]
KINDS = {
    Seq2SeqConfig: FixedContext,
    TranslatorConfig: Translator,
    TransformerConfig: Transformer,
    CaptionerConfig: Captioner,
}


@pytest.fixture(params=CONFIGS, ids=str)
def model(request):
    with seeded(0):
        model = KINDS[type(request.param)](request.param).double()
        for _ in range(20 * isinstance(model, Captioner)):  # batch norm sees pictures
            model.encode(IMAGES)
    return model.eval()


def read(model, rows=slice(None)):
    """What a model is given of some items, without padding for one alone."""
    if isinstance(model, Captioner):
        return IMAGES[rows], None
    source = SOURCE[rows]
    source = source[:, : int((source != 0).sum(dim=1).max())]
    return source, source != 0


def test_teacher_forcing_equals_stepping(model):
    along = forced_decoding(model, *read(model), TARGET_IN)
    agree(along.logits, model(*read(model), TARGET_IN).detach())
    assert along.logits.shape == (*TARGET_IN.shape, model.config.N_target_words)


def test_an_item_gets_the_same_logits_alone_and_in_any_slot_of_a_batch(model):
    together = model(*read(model), TARGET_IN)
    order = torch.tensor([2, 0, 1])
    agree(model(*read(model, order), TARGET_IN[order]), together[order])
    for b in range(3):
        alone = model(*read(model, slice(b, b + 1)), TARGET_IN[b : b + 1])
        agree(alone[0], together[b])


def test_no_output_sees_a_word_that_is_written_later(model):
    later = TARGET_IN.clone()
    later[:, 2] = 3
    before, after = (model(*read(model), words) for words in (TARGET_IN, later))
    agree(before[:, :2], after[:, :2])
    assert ((before[:, 2] - after[:, 2]).abs().amax(dim=-1) > 1e-6).all()


def test_every_weight_gets_a_gradient_but_those_that_score_a_single_input(model):
    model.train()(*read(model), TARGET_IN).pow(2).sum().backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        # the softmax over one input is 1, whatever its score
        idle = name.startswith("score.") and not getattr(
            model.config, "attention", True
        )
        assert (weight.grad != 0).any() != idle, name
