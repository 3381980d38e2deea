"""Captioners: the decoder that translates, over cells; and one over one vector."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from attention_book.decoding import forced_decoding
from attention_book.layers import attention_weights
from attention_book.models import Captioner, CaptionerConfig, N_weights

B, N_Y, N_CELLS = 3, 4, 64
CONFIG = CaptionerConfig(N_target_words=11, D_embedding=5, D_grid=6, D_hidden=8)
IMAGES = torch.rand(B, 1, 32, 32, generator=torch.Generator().manual_seed(1)).double()
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 10, 0, 0]])
CHOICES = list(product((True, False), ("bilinear", "mlp"), ("previous", "current")))


def build(**choices):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Captioner(replace(CONFIG, **choices)).double()
    # batch norm has seen pictures, so that its two modes are not the same by accident
    for _ in range(20):
        model.encode(IMAGES)
    return model.eval()


@pytest.fixture(params=CHOICES, ids=lambda choice: " ".join(map(str, choice)))
def model(request):
    attention, score, state = request.param
    return build(attention=attention, score=score, scored_state=state)


@pytest.mark.parametrize("score", ["bilinear", "mlp"])
def test_what_is_attended_to_are_the_cells_of_the_grid(score):
    model = build(score=score)
    memory, h = model.encode(IMAGES), model.grid(IMAGES)
    assert torch.equal(memory.h, h)
    assert memory.visible is None
    along = forced_decoding(model, IMAGES, None, TARGET_IN)
    s = torch.stack(along.states[:-1], dim=1)
    torch.testing.assert_close(
        along.attention, attention_weights(model.score(s, model.score.project_keys(h)))
    )
    assert (along.attention.amax(-1) > along.attention.amin(-1)).all(), (
        "the cells are told apart"
    )


def test_the_first_state_is_made_of_the_mean_of_what_there_is_to_look_at(model):
    memory = model.encode(IMAGES)
    torch.testing.assert_close(
        memory.s_0, torch.tanh(model.first_state(memory.h.mean(dim=1)))
    )


@pytest.mark.parametrize("score", ["bilinear", "mlp"])
def test_the_control_looks_at_one_vector_with_all_its_weight(score):
    model = build(attention=False, score=score)
    along = forced_decoding(model, IMAGES, None, TARGET_IN)
    assert torch.equal(along.attention, torch.ones(B, N_Y, 1).double())
    memory = model.encode(IMAGES)
    contexts = torch.stack(
        [model.attend(s.unsqueeze(1), memory)[0].squeeze(1) for s in along.states]
    )
    assert torch.equal(contexts, memory.h.squeeze(1).expand_as(contexts)), (
        "the context is the same at every step"
    )


def test_the_controls_vector_depends_on_every_part_of_the_picture():
    model = build(attention=False)
    images = IMAGES.clone().requires_grad_()
    model.encode(images).h.sum().backward()
    parts = images.grad.unfold(2, 8, 8).unfold(3, 8, 8)  # (B, 1, 4, 4, 8, 8)
    assert (parts != 0).any(-1).any(-1).all()


@pytest.mark.parametrize("sizes", [{"D_embedding": 5, "D_grid": 6, "D_hidden": 8}, {}])
def test_the_control_has_no_fewer_weights_that_matter(sizes):
    attending, control = (
        Captioner(CaptionerConfig(N_target_words=11, attention=attention, **sizes))
        for attention in (True, False)
    )
    idle = N_weights(control.score) if not sizes else 0
    assert N_weights(control) - idle >= N_weights(attending)
    assert attending.state_dict().keys() < control.state_dict().keys()


def test_the_same_seed_gives_the_control_the_same_decoder():
    attending, control = build().state_dict(), build(attention=False).state_dict()
    grid = [name for name in attending if name.startswith("grid.")]
    for name in attending.keys() - set(grid[1:]):  # batch norm has seen the same
        assert torch.equal(attending[name], control[name]), name
