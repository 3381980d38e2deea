"""The Transformer: torch's inside; what it keeps changes no number and no word."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from parity import agree
from torch import nn

from attention_book import reference
from attention_book.decoding import beam, forced_decoding, greedy, sample
from attention_book.layers import Encoder, LayerNorm, RMSNorm, to_torch
from attention_book.models import N_weights, Transformer, TransformerConfig
from attention_book.models.interventions import uniform
from attention_book.models.lean import ROOM, LeanTransformer
from attention_book.shapes import STOP
from attention_book.training import seeded

D = 12
CONFIG = TransformerConfig(11, 13, D, 4, 7, N_encoder_blocks=2, N_decoder_blocks=3)
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
VISIBLE = SOURCE != 0
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 12, 0, 0]])
N_Y = TARGET_IN.shape[1]


def build(seed=0, **choices):
    """With norms and shifts of their own, so that words are told apart."""
    with seeded(seed):
        model = Transformer(replace(CONFIG, **choices)).double()
        for name, weights in model.named_parameters():
            if weights.ndim == 1:
                weights.data.normal_(std=2.0 if "gamma" in name else 0.2)
        for part in model.modules():
            if isinstance(part, LayerNorm):
                part.eps = 0.1
    return model


CHOICES = {
    "pre tied": {},
    "post tied": {"norm": "post"},
    "pre untied": {"tied": False},
    "learned": {"positions": "learned", "N_positions": 30},
}


@pytest.fixture(params=CHOICES)
def model(request):
    return build(**CHOICES[request.param])


def steps(model, intervene=None):
    """Logits and weights of all steps, one after the other."""
    memory = model.eval().encode(SOURCE, VISIBLE)
    state, logits, attention = model.initial_state(memory), [], []
    for token in TARGET_IN.unbind(1):
        logit, state, a_t = model.step(token, memory, state, intervene)
        logits.append(logit), attention.append(a_t)
    return torch.stack(logits, 1), torch.stack(attention, 1)


def test_the_logits_are_torchs_transformer_between_embeddings_and_output(model):
    twin = nn.Transformer(D, CONFIG.N_heads, 1, 1, batch_first=True)
    twin.encoder, twin.decoder = to_torch(model.encoder), to_torch(model.decoder)

    def read(embedding, positions, ids):
        P = torch.from_numpy(reference.positional_encoding(ids.shape[1], D))
        if model.config.positions == "learned":
            P = positions.P[: ids.shape[1]]
        return F.embedding(ids, embedding.weight) * D**0.5 + P

    S = twin(
        read(model.source_embedding, model.source_positions, SOURCE),
        read(model.target_embedding, model.target_positions, TARGET_IN),
        tgt_mask=nn.Transformer.generate_square_subsequent_mask(N_Y).isinf(),
        src_key_padding_mask=~VISIBLE,
        memory_key_padding_mask=~VISIBLE,
        tgt_key_padding_mask=TARGET_IN == 0,
    )
    W = model.target_embedding.weight.T if model.config.tied else model.output
    real = TARGET_IN != 0  # torch hides padded words from themselves, too
    agree(model(SOURCE, VISIBLE, TARGET_IN)[real], (S @ W)[real])


def test_embeddings_are_drawn_so_that_scaled_they_are_as_large_as_positions():
    with seeded(0):
        model = Transformer(TransformerConfig(2000, 2000, D=64))
    for embedding in (model.source_embedding, model.target_embedding):
        assert embedding.weight.std().item() * 8 == pytest.approx(1, abs=0.02)


def test_the_default_sizes_are_those_of_the_book():
    model = Transformer(TransformerConfig(11, 13, positions="learned"))
    words, block = (11 + 13 + 2 * 80) * 128, 4 * 128**2
    mlp, norm = 2 * 128 * 256 + 256 + 128, 2 * 128
    encoder, decoder = block + mlp + 2 * norm, 2 * block + mlp + 3 * norm
    assert N_weights(model) == words + 2 * encoder + norm + decoder + norm


def test_what_a_step_returns_is_the_mean_of_the_last_blocks_heads(model):
    A = model.cross_attention(SOURCE, VISIBLE, TARGET_IN)
    assert A.shape == (3, CONFIG.N_decoder_blocks, CONFIG.N_heads, N_Y, 5)
    agree(A.sum(dim=-1), torch.ones(A.shape[:-1]).double())
    assert (A.movedim(-1, 1)[~VISIBLE] == 0).all()
    _, attention = steps(model)
    agree(attention, A[:, -1].mean(dim=1))
    along = forced_decoding(model, SOURCE, VISIBLE, TARGET_IN)
    agree(along.attention, attention.detach())
    agree(along.logits, model(SOURCE, VISIBLE, TARGET_IN).detach())


class Forgetful(nn.Module):
    """The same model without anything kept: it reads all its words at every step."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def encode(self, source, source_visible):
        return source, source_visible

    def initial_state(self, memory):
        return memory[0][:, :0]

    def step(self, token, memory, state):
        words = torch.cat([state, token.unsqueeze(1)], dim=1)
        return self.model(*memory, words)[:, -1], words, None


@pytest.mark.parametrize("seed", [1, 8, 11])  # others write one word again and again
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_what_is_kept_changes_no_word_that_is_written(norm, seed):
    model = build(seed, norm=norm, tied=False)  # tied, it repeats what it reads
    slow = Forgetful(model)
    for write in (partial(sample, seed=2), greedy):
        kept, again = (
            write(each, SOURCE, VISIBLE, max_words=ROOM + 4) for each in (model, slow)
        )
        assert kept.ids == again.ids
    assert len({word for words in kept.ids for word in words}) > 2
    for source, visible, words in zip(SOURCE, VISIBLE, kept.ids, strict=True):
        (alone,) = greedy(model, source[None], visible[None], max_words=ROOM + 4).ids
        assert alone == words
    search = partial(beam, width=4, max_words=ROOM + 4)
    kept, again = (search(each, SOURCE, VISIBLE) for each in (model, slow))
    assert (kept.tree.parents > 0).any()  # hypotheses changed places
    for found, others in zip(kept.hypotheses, again.hypotheses, strict=True):
        assert [one.ids for one in found] == [one.ids for one in others]
        assert [one.log_probability for one in found] == pytest.approx(
            [one.log_probability for one in others], abs=1e-9
        )


@pytest.mark.parametrize("few", [0, SOURCE.numel()])  # torch reads, NumPy reads
@pytest.mark.parametrize("visible", [VISIBLE, SOURCE >= 0, None])
def test_lean_steps_are_the_readable_ones(model, visible, few, monkeypatch):
    for name in ("FEW", "MANY"):
        monkeypatch.setattr(f"attention_book.models.lean.{name}", few)
    lean = LeanTransformer(model.eval())
    with torch.no_grad():
        memory, other = lean.encode(SOURCE, visible), model.encode(SOURCE, visible)
        state, past = lean.initial_state(memory), model.initial_state(other)
        for n in range(ROOM + 1):  # its room is doubled
            token = TARGET_IN[:, n % N_Y]
            logits, state, a_t = lean.step(token.numpy(), memory, state)
            expected, past, b_t = model.step(token, other, past)
            agree(torch.from_numpy(logits), expected)
            agree(torch.from_numpy(a_t), b_t)
    for KV, pair in zip(state.kept, past, strict=True):
        agree(torch.from_numpy(KV)[:, :, :, : state.t], torch.stack(pair, dim=1))


@pytest.mark.parametrize("write", [greedy, beam])
def test_what_is_read_with_numpy_is_checked_too(as_a_reader, write):
    model = build()
    for source, visible, says in [
        (SOURCE + 5, VISIBLE, "source holds ids from 5 to 15"),
        (SOURCE, VISIBLE[:, :4], r"source_visible is torch.bool of shape \(3, 4\)"),
        (SOURCE, torch.tensor(False), r"source_visible is torch.bool of shape \(\)"),
        (SOURCE, SOURCE > 5, "source_visible is False everywhere in row 2"),
    ]:
        with pytest.raises(ValueError, match=says):
            write(model, source, visible)


def test_greedy_and_beam_search_write_with_numpy_where_it_can(model, monkeypatch):
    for own in ("encode", "step"):
        monkeypatch.setattr(Transformer, own, lambda *_: pytest.fail("not NumPy"))
    for write in (greedy, beam, partial(sample, seed=2)):
        for kind in (torch.float32, torch.float64):
            write(model.to(kind), SOURCE, VISIBLE, max_words=3)
    for other in (build().half(), build().bfloat16(), build().to("meta")):
        assert other.lean_writer() is other


def test_a_subclass_writes_with_its_own_vectors_of_words():
    class Halved(Transformer):
        def target_vectors(self, ids, first=0):
            return super().target_vectors(ids, first) / 2

    model = Halved(CONFIG).double().eval()
    logits, _ = steps(model)
    agree(logits, model(SOURCE, VISIBLE, TARGET_IN))
    assert model.lean_writer() is model


@pytest.mark.parametrize("write", [greedy, beam])
def test_what_a_model_does_otherwise_is_done_while_it_writes(write):
    model = build()
    read_off = model.logits
    model.logits = lambda S: read_off(S).index_fill(-1, torch.tensor([7]), 99.0)
    assert write(model, SOURCE, VISIBLE, max_words=3).ids == [[7, 7, 7]] * len(SOURCE)


def changed():
    """A model with one change, for each of many."""
    places = (
        "",
        "encoder",
        "encoder.norm",
        "encoder.blocks.0",
        "encoder.blocks.1.attend",
    )
    places += "dropout", "source_embedding", "decoder.blocks.2", "target_positions"
    for place in places:
        for when in ("forward", "forward_pre"):
            model = build()
            part = model.get_submodule(place)
            getattr(part, f"register_{when}_hook")(lambda *_: None)
            yield model
    half = nn.Parameter(torch.zeros(D, dtype=torch.bfloat16))
    for place, name, other in [
        ("decoder.blocks.0", "norm_1", RMSNorm(D)),
        ("decoder.blocks.0.mlp", "activate", torch.tanh),
        ("decoder.blocks.0.mlp", "forward", torch.tanh),
        ("decoder.blocks.0.mlp", "b_2", half),
        ("decoder.blocks.0.cross", "attend", torch.tanh),
        ("encoder", "norm", nn.Identity()),
        ("encoder.blocks.0", "norm", "none"),
        ("encoder.blocks.0", "residual", False),
        ("encoder.blocks.0", "mlp", nn.Identity()),
        ("encoder.blocks.0", "add", torch.add),
        ("encoder.blocks.0.attend", "N_heads", 2),
        ("source_embedding", "max_norm", 0.5),
        ("", "encoder", Encoder(1, D, 4, 7, fast=True)),
        ("", "dropout", nn.Dropout()),
        ("", "target_vectors", torch.tanh),
        ("", "encode", torch.tanh),
        ("", "step", torch.tanh),
    ]:
        model = build()
        setattr(model.get_submodule(place), name, other)
        yield model


def test_a_model_that_does_otherwise_writes_with_its_own_steps():
    for model in changed():
        assert model.lean_writer() is model
    model = build().float()
    assert isinstance(model.lean_writer(), LeanTransformer)
    with torch.autocast("cpu", torch.bfloat16):
        assert model.lean_writer() is model


def test_what_was_written_leaves_nothing_that_training_cannot_use():
    model = build()
    greedy(model, SOURCE, VISIBLE, max_words=3)
    assert not model.target_positions.P.is_inference()
    assert not model.source_positions.P.is_inference()


@pytest.mark.parametrize("write", [greedy, beam])
def test_numpy_is_as_silent_as_torch_where_weights_run_away(write):
    model = build()
    for part in (model.encoder.blocks[0].attend, model.decoder.blocks[0].cross):
        part.W_Q.data *= 1e200
    with np.errstate(all="raise"):
        write(model, SOURCE, VISIBLE, max_words=3)


def test_a_state_is_not_changed_by_the_step_that_goes_on_from_it(model):
    memory = model.eval().encode(SOURCE, VISIBLE)
    first, token = model.initial_state(memory), TARGET_IN[:, 0]
    _, state, _ = model.step(token, memory, first)
    before, _, _ = model.step(TARGET_IN[:, 1], memory, state)
    model.step(TARGET_IN[:, 2], memory, state)
    after, _, _ = model.step(TARGET_IN[:, 1], memory, state)
    assert torch.equal(before, after)
    assert [K.shape[-2] for K, _ in first] == [0] * CONFIG.N_decoder_blocks


def test_interventions_reach_every_head_of_every_block(model):
    seen = []

    def note(a_t, visible):
        seen.append(a_t)
        assert visible is VISIBLE
        return a_t

    logits, attention = steps(model)
    unchanged, same_weights = steps(model, note)
    agree(unchanged, logits)
    agree(same_weights, attention)
    N_blocks, N_heads = CONFIG.N_decoder_blocks, CONFIG.N_heads
    A = torch.stack(seen).unflatten(0, (N_Y, N_blocks, N_heads))
    agree(A.permute(3, 1, 2, 0, 4), model.cross_attention(SOURCE, VISIBLE, TARGET_IN))
    even = VISIBLE.double() / VISIBLE.sum(dim=-1, keepdim=True)
    changed, weights = steps(model, lambda a_t, visible: uniform(a_t, visible, 0))
    agree(weights, even[:, None].expand(-1, N_Y, -1))
    real = TARGET_IN != 0
    assert (changed - logits)[real].abs().amax(-1).min() > 1e-6


def test_equal_weights_everywhere_are_the_mean_of_what_is_taken(model):
    """A decoder whose keys are all alike looks everywhere alike of itself."""
    changed, _ = steps(model, lambda a_t, visible: uniform(a_t, visible, 0))
    for block in model.decoder.blocks:
        block.cross.W_K.data.zero_()
    agree(changed, model(SOURCE, VISIBLE, TARGET_IN))


def test_dropout_is_of_what_blocks_are_given_and_of_all_that_their_parts_add():
    model, given = build(dropout=0.5), (SOURCE, VISIBLE, TARGET_IN)
    agree(model.eval()(*given), build()(*given))
    parts = [part for part in model.train().modules() if isinstance(part, nn.Dropout)]
    assert {part.p for part in parts} == {0.5}
    for part in parts:
        part.p = 0.0 if part is model.dropout else 1.0  # blocks add nothing
    words = model.target_vectors(TARGET_IN)
    agree(model(*given), model.logits(model.decoder.norm(words)))
    X = model.source_embedding(SOURCE) * D**0.5
    agree(model.encode(SOURCE, None).X, model.encoder.norm(model.source_positions(X)))
    model.dropout.p = 1.0
    assert not model.target_vectors(TARGET_IN).any()
    agree(model.encode(SOURCE, None).X, model.encoder.norm(0 * X))


def test_learned_positions_end_where_they_are_said_to():
    model = build(positions="learned", N_positions=5)
    assert model(SOURCE, VISIBLE, TARGET_IN).shape == (*TARGET_IN.shape, 13)
    longer = F.pad(SOURCE, (0, 1)), F.pad(VISIBLE, (0, 1)), TARGET_IN
    for words in (longer, (SOURCE, VISIBLE, F.pad(TARGET_IN, (0, 2)))):
        with pytest.raises(ValueError, match="X ends with position 5, expected at"):
            model(*words)
    model.target_embedding.weight.data[STOP] = 0
    for write in (greedy, beam):
        with pytest.raises(ValueError, match="X ends with position 5, expected at"):
            write(model, SOURCE, VISIBLE, max_words=6)


def test_a_step_names_what_does_not_fit(as_a_reader, model):
    memory = model.encode(SOURCE, VISIBLE)
    state, token = model.initial_state(memory), TARGET_IN[:, 0]
    less = [(K[:2], V[:2]) for K, V in state]
    for given, says in [
        ((token[:2], memory, state), r"token is torch.int64 of shape \(2,\)"),
        ((token + 20, memory, state), "token holds ids from 21 to 21"),
        ((token, memory, less), "sentences is 3 but state is 2"),
        (
            (token, memory, state, lambda a_t, _: torch.full_like(a_t, 0.2)),
            "intervene gave weight to padding",
        ),
        (
            (token, memory, state, lambda a_t, _: a_t[:1]),
            r"intervene\(...\) has shape \(1, 5\)",
        ),
    ]:
        with pytest.raises(ValueError, match=says):
            model.step(*given)
