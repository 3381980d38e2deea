"""Translators with attention: two ways to compute agree; only words change them."""

from dataclasses import replace
from itertools import product

import pytest
import torch
import torch.nn.functional as F
from parity import agree

from attention_book.models import Seq2SeqConfig, Translator, TranslatorConfig

CONFIG = TranslatorConfig(
    N_source_words=11, N_target_words=13, D_embedding=6, D_hidden=8
)
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
VISIBLE = SOURCE != 0
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 12, 0, 0]])
CHOICES = [
    *product(("dot", "bilinear", "mlp"), ("previous", "current"), (True, False), (1,)),
    *product(("bilinear",), ("previous", "current"), (True, False), (3,)),
]


def build(**choices):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Translator(replace(CONFIG, **choices)).double()


@pytest.fixture(params=CHOICES, ids=lambda choice: " ".join(map(str, choice)))
def model(request):
    score, state, both, N_layers = request.param
    return build(score=score, scored_state=state, bidirectional=both, N_layers=N_layers)


def steps(model, source=SOURCE, visible=VISIBLE, target_in=TARGET_IN, **more):
    """Logits, states and weights of all steps, one after the other."""
    memory = model.encode(source, visible)
    states, logits, attention = [model.initial_state(memory)], [], []
    for token in target_in.unbind(1):
        logit, state, a_t = model.step(token, memory, states[-1], **more)
        logits.append(logit), states.append(state), attention.append(a_t)
    return (
        torch.stack(logits, 1),
        torch.stack(states, 1),
        torch.stack(attention, 1),
        memory,
    )


def test_a_step_scores_with_the_state_that_its_convention_names(model):
    _, states, attention, memory = steps(model)
    asked = states[:, :-1] if model.scored_state == "previous" else states[:, 1:]
    asked = asked[..., -CONFIG.D_hidden :]  # of several layers the last one's
    e = model.score(asked, memory.keys).masked_fill(~VISIBLE.unsqueeze(1), -torch.inf)
    agree(attention, e.softmax(-1))


def test_only_the_convention_of_the_previous_state_lets_the_context_into_the_state(
    model,
):
    def elsewhere(a_t, visible):
        return F.one_hot(torch.zeros(len(a_t), dtype=torch.long), a_t.shape[1]).to(
            a_t.dtype
        )

    _, states, _, _ = steps(model)
    _, moved, attention, _ = steps(model, intervene=elsewhere)
    assert (attention[..., 0] == 1).all()
    assert torch.equal(states, moved) == (model.scored_state == "current")


def test_it_is_as_wide_as_the_model_that_it_is_compared_with():
    ours, other = TranslatorConfig(11, 13), Seq2SeqConfig(11, 13)
    assert ours.D_embedding == other.D_embedding
    assert ours.D_hidden == other.D_hidden


def test_a_bidirectional_encoder_knows_the_words_that_follow():
    other = SOURCE.clone()
    other[0, 3] = 3
    for bidirectional in (True, False):
        model = build(bidirectional=bidirectional)
        h, h_other = (model.encode(words, VISIBLE).h[0, 0] for words in (SOURCE, other))
        assert torch.equal(h, h_other) != bidirectional


@pytest.mark.parametrize("scored_state", ["previous", "current"])
def test_dropout_falls_on_what_gru_and_output_read_and_only_in_training(scored_state):
    model = build(dropout=0.5, scored_state=scored_state, D_embedding=400)
    plain = build(scored_state=scored_state, D_embedding=400)
    plain.load_state_dict(model.state_dict())
    read = {}

    def note(name):
        return lambda module, args: read.update({name: args[0]})

    model.f_W.register_forward_pre_hook(note("encoder"))
    model.output.register_forward_pre_hook(note("output"))
    model.g_U.cell.from_input.register_forward_pre_hook(note("decoder"))
    every = torch.ones_like(SOURCE, dtype=torch.bool)
    words = SOURCE.clamp(min=3), every, TARGET_IN.clamp(min=1)
    model(*words)
    for name, what in read.items():
        share = (what[..., :400] == 0).double().mean().item()
        assert share == pytest.approx(0.5, abs=0.06), name
    assert set(read) == {"encoder", "decoder", "output"}
    assert not torch.equal(model(*words), model(*words))
    assert torch.equal(model.eval()(*words), plain(*words))


@pytest.mark.parametrize(
    ("N_tokens", "state", "says"),
    [
        (3, (3, 5), r"state has shape \(3, 5\), .* \(3, 8\), B as in token"),
        (2, (2, 8), r"s_0 has shape \(3, 8\), .* = \(2, D_S\), B as in token"),
        (3, (1, 8), r"state has shape \(1, 8\)"),
    ],
)
def test_a_step_names_what_does_not_fit(as_a_reader, N_tokens, state, says):
    model, token = build(), torch.ones(N_tokens, dtype=torch.long)
    with pytest.raises(ValueError, match=says):
        model.step(token, model.encode(SOURCE, VISIBLE), torch.zeros(state).double())
