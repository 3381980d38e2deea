"""BERT and GPT against those of `transformers`, in value and gradient; a text word by
word against all at once.
"""

import pytest
import torch
import torch.nn.functional as F
import transformers
from parity import agree
from torch import nn

from attention_book.decoding import beam, forced_decoding, greedy, sample
from attention_book.layers import to_torch
from attention_book.models import (
    GPT,
    Bert,
    BertConfig,
    Classifier,
    GPTConfig,
    Intervened,
    N_weights,
    bert_from_transformers,
    gpt_from_transformers,
)
from attention_book.models.from_transformers import BERT, GPT_2, their_name
from attention_book.models.interventions import uniform
from attention_book.networks.program import readable
from attention_book.networks.taps import Taps
from attention_book.training import seeded

B, N, N_words, D, NOTHING = 3, 6, 17, 12, -100
IDS = torch.tensor([[1, 5, 6, 2, 8, 2], [1, 9, 16, 2, 0, 0], [1, 4, 2, 7, 2, 0]])
SEGMENTS = torch.tensor([[0, 0, 0, 0, 1, 1], [0] * 6, [0, 0, 0, 1, 1, 0]])
VISIBLE = IDS != 0
WORDS = torch.where(VISIBLE, (IDS * 5 + 3) % N_words, NOTHING)
FOLLOWS = torch.tensor([0, 1, 1])
PROMPT = IDS[:, :4]
SIZES = {"vocab_size": N_words, "num_attention_heads": 4, "num_hidden_layers": 3}
BERT_SIZES = {
    **SIZES,
    "hidden_size": D,
    "intermediate_size": 7,
    "max_position_embeddings": 9,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "layer_norm_eps": 1e-3,  # so large that it is seen
}
GPT_SIZES = {
    **SIZES,
    "n_embd": D,
    "n_inner": 7,
    "n_positions": 20,
    "resid_pdrop": 0.0,
    "embd_pdrop": 0.0,
    "attn_pdrop": 0.0,
    "layer_norm_epsilon": 1e-3,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}


def theirs(kind, seed=0, **changes):
    """A model of theirs, with biases and norms that have learned something."""
    sizes = GPT_SIZES if kind.startswith("GPT") else BERT_SIZES
    config = getattr(transformers, kind).config_class(**sizes | changes)
    config._attn_implementation = "eager"  # with weights, too
    with seeded(seed):
        model = getattr(transformers, kind)(config).double()
        for weight in model.parameters():
            weight.data.normal_(std=0.5)
    return model


def bert(**changes):
    model = theirs("BertForPreTraining", **changes)
    return model, bert_from_transformers(model)


def gpt(**changes):
    model = theirs("GPT2LMHeadModel", **changes)
    return model, gpt_from_transformers(model)


def slopes_agree(ours, loss, other, their_loss, table):
    """Hold the gradient of each weight of ours to that of theirs."""
    loss.backward(), their_loss.backward()
    found = {name: weight.grad for name, weight in other.named_parameters()}
    for name, grad in [*found.items()]:
        if ".c_attn." in name:
            parts = zip("QKV", grad.chunk(3, dim=-1), strict=True)
            found |= {f"{name}.{letter}": part for letter, part in parts}
    seen = set()
    for name, weight in ours.named_parameters():
        their = their_name(name, table)
        turned = table is BERT and ".W_" in name
        agree(weight.grad, found[their].T if turned else found[their], 1e-10)
        assert weight.grad.any() or ".b_K" in name, name  # softmax does not see b_K
        seen.add(their.removesuffix(".Q").removesuffix(".K").removesuffix(".V"))
    assert seen == {name for name, _ in other.named_parameters()}


def test_bert_is_theirs_in_value_and_in_the_gradient_of_every_weight():
    other, ours = bert()
    given = {"token_type_ids": SEGMENTS, "attention_mask": VISIBLE.long()}
    told = {"labels": WORDS, "next_sentence_label": FOLLOWS}
    their = other(IDS, **given, **told, output_attentions=True)
    X = ours(IDS, SEGMENTS, VISIBLE)
    words, pair = ours.words(X), ours.next_sentence(X)
    agree(words[VISIBLE], their.prediction_logits[VISIBLE], 1e-10)
    agree(pair, their.seq_relationship_logits, 1e-10)
    A = ours.attention(IDS, SEGMENTS, VISIBLE)
    agree(A, torch.stack(their.attentions, dim=1), 1e-10)
    loss = F.cross_entropy(words.mT, WORDS) + F.cross_entropy(pair, FOLLOWS)
    agree(loss, their.loss, 1e-10)
    slopes_agree(ours, loss, other, their.loss, BERT)


def test_without_segments_all_words_are_in_the_first():
    other, ours = bert()
    full = IDS.clamp(min=3)
    agree(ours(full), other.bert(full).last_hidden_state, 1e-10)


def test_a_causal_bert_is_theirs_and_sees_nothing_on_its_right():
    other, ours = bert(is_decoder=True)
    their = other.bert(IDS, attention_mask=VISIBLE.long()).last_hidden_state
    agree(ours(IDS, None, VISIBLE)[VISIBLE], their[VISIBLE], 1e-10)
    later = IDS.clone()
    later[:, 3] = 11
    (before, after), both_ways = (ours(ids) for ids in (IDS, later)), bert()[1]
    agree(before[:, :3], after[:, :3])
    assert ((before - after)[:, 3:].abs().amax(-1) > 1e-6).all()
    assert ((both_ways(IDS) - both_ways(later)).abs().amax(-1) > 1e-6).all()


def test_a_bert_of_pre_norm_blocks_is_a_stack_of_torchs_layers():
    config = BertConfig(N_words, D, 4, 7, 3, 9, eps=1e-3, norm="pre")
    with seeded(0):
        ours = Bert(config).double()
        for weight in ours.parameters():
            weight.data.normal_(std=0.5)
    blocks = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(
            D, 4, 7, 0.0, F.gelu, 1e-3, batch_first=True, norm_first=True
        ),
        3,
        nn.LayerNorm(D, 1e-3),
        enable_nested_tensor=False,
    ).double()
    blocks.load_state_dict(to_torch(ours.encoder).state_dict())
    X = ours.embedding.weight[IDS] + ours.segments.weight[SEGMENTS]
    X = F.layer_norm(
        X + ours.positions.P[:N], (D,), ours.norm.gamma, ours.norm.beta, 1e-3
    )
    Y = blocks(X, src_key_padding_mask=~VISIBLE)
    agree(ours(IDS, SEGMENTS, VISIBLE)[VISIBLE], Y[VISIBLE], 1e-10)


def test_a_classifier_is_theirs():
    other = theirs("BertForSequenceClassification", num_labels=4)
    ours = Classifier(bert_from_transformers(other), 4).double()
    ours.labels.load_state_dict(other.classifier.state_dict())
    their = other(IDS, token_type_ids=SEGMENTS, attention_mask=VISIBLE.long())
    agree(ours(IDS, SEGMENTS, VISIBLE), their.logits, 1e-10)
    ours.bert.dropout.p = 1.0
    agree(ours.train()(IDS), ours.labels.bias.expand(B, -1))


def test_a_model_without_heads_gives_what_it_has():
    other = theirs("BertModel")
    ours = bert_from_transformers(other)
    their = other(IDS, attention_mask=VISIBLE.long())
    X = ours(IDS, None, VISIBLE)
    agree(X, their.last_hidden_state, 1e-10)
    agree(ours.pooled(X), their.pooler_output, 1e-10)


def test_gpt_is_theirs_in_value_and_in_the_gradient_of_every_weight():
    other, ours = gpt()
    their = other(IDS, attention_mask=torch.ones_like(IDS), output_attentions=True)
    logits = ours(IDS)
    agree(logits, their.logits, 1e-10)
    agree(ours.attention(IDS), torch.stack(their.attentions, dim=1), 1e-10)
    # theirs would move the words, and go on in single precision
    loss, their_loss = (
        F.cross_entropy(each.mT, WORDS) for each in (logits, their.logits)
    )
    slopes_agree(ours, loss, other, their_loss, GPT_2)
    told = other(IDS, attention_mask=torch.ones_like(IDS), labels=IDS)
    ours_next = F.cross_entropy(logits[:, :-1].mT, IDS[:, 1:])
    agree(ours_next, told.loss.double(), 1e-6)


def lively(seed):
    """A GPT of theirs, and ours, that writes other words at other places."""
    other = theirs("GPT2LMHeadModel", seed, n_embd=32, num_hidden_layers=2).eval()
    for weight in other.parameters():
        weight.data /= 1 if weight is other.transformer.wpe.weight else 5
    other.transformer.wpe.weight.data *= 2
    return other, gpt_from_transformers(other)


def test_an_untied_gpt_reads_words_off_by_vectors_of_its_own():
    tied, untied = (
        GPT(GPTConfig(N_words, D, N_positions=9, tied=tied)) for tied in (True, False)
    )
    assert N_weights(untied) == N_weights(tied) + N_words * D
    untied.load_state_dict(tied.state_dict(), strict=False)
    assert not torch.equal(untied(IDS), tied(IDS))
    untied.read_off.weight.data = tied.embedding.weight.data
    assert torch.equal(untied(IDS), tied(IDS))


@pytest.mark.parametrize("seed", [1, 4, 5])
def test_greedy_writes_what_their_generate_does(seed):
    other, ours = lively(seed)
    decoded = greedy(ours, PROMPT, None, max_words=9)
    attention = torch.ones_like(PROMPT)
    their = other.generate(
        PROMPT, attention_mask=attention, do_sample=False, max_new_tokens=9
    )
    for ids, finished, row in zip(
        decoded.ids, decoded.finished, their[:, 4:].tolist(), strict=True
    ):
        end = row.index(2) if 2 in row else len(row)
        assert ids == row[:end]
        assert finished == (2 in row)
    assert len({word for ids in decoded.ids for word in ids}) > 3
    assert decoded.attention is None


def test_a_text_read_step_by_step_gets_the_logits_of_forward():
    _, ours = lively(0)
    words = torch.cat([IDS[:, :1], IDS[:, 4:]], dim=1)  # [START] and what is written
    along = forced_decoding(ours, PROMPT, VISIBLE[:, :4], words)
    text = torch.cat([PROMPT, words[:, 1:]], dim=1)
    agree(along.logits, ours(text)[:, 3:].detach(), 1e-10)


def own(a_t, visible, t):
    return a_t


@pytest.mark.parametrize("intervened", [False, True])
def test_beam_and_sampling_take_it_as_any_other_writer(intervened):
    _, ours = lively(1)
    writer = Intervened(ours, own) if intervened else ours
    narrow = beam(writer, PROMPT, None, width=1, max_words=7)
    assert narrow.ids == greedy(writer, PROMPT, None, max_words=7).ids
    assert narrow.ids == greedy(ours, PROMPT, None, max_words=7).ids
    assert sample(writer, PROMPT, None, seed=0, top_k=1, max_words=7).ids == narrow.ids
    for b, found in enumerate(
        beam(writer, PROMPT, None, width=4, max_words=5).hypotheses
    ):
        for one in found:
            words = torch.tensor([*one.ids, *[2] * one.finished])
            text = torch.cat([PROMPT[b], words])
            log_p = ours(text[None])[0].log_softmax(dim=-1)[3:-1]
            log_p = log_p.gather(1, words[:, None]).sum().item()
            assert one.log_probability == pytest.approx(log_p, abs=1e-9)


@pytest.mark.parametrize("change", [own, uniform])
def test_an_intervention_changes_in_every_head_the_rows_of_the_words_read(change):
    _, ours = gpt()
    words = torch.cat([IDS[:, :1], IDS[:, 4:]], dim=1)
    along = forced_decoding(Intervened(ours, change), PROMPT, None, words)
    text = torch.cat([PROMPT, words[:, 1:]], dim=1)

    def rows(A, step):  # (B, N_heads, N, N), from the prompt's last word on
        A = A.clone()
        for n in range(3, text.shape[1]):
            for head in A.unbind(1):
                head[:, n, : n + 1] = change(head[:, n, : n + 1], None, n - 3)
        return A

    plain = readable(ours)
    blocks = (f"encoder.blocks.{block}.attend" for block in range(3))
    with torch.no_grad(), Taps(plain, dict.fromkeys(blocks, rows)):
        expected = plain(text)[:, 3:]
    agree(along.logits, expected, 1e-10)
    changes = (along.logits - ours(text)[:, 3:]).abs().amax(dim=-1)
    assert (changes > 1e-3).all() if change is uniform else (changes < 1e-10).all()


def test_a_state_is_not_changed_by_the_step_that_goes_on_from_it():
    ours = GPT(GPTConfig(N_words, D, N_blocks=1))
    memory = ours.encode(PROMPT)
    _, state, _ = ours.step(IDS[:, 4], memory, ours.initial_state(memory))
    before, _, _ = ours.step(IDS[:, 4], memory, state)
    ours.step(IDS[:, 5], memory, state)
    after, _, _ = ours.step(IDS[:, 4], memory, state)
    assert torch.equal(before, after)


@pytest.mark.parametrize(
    ("make", "dropouts"),
    [(bert, ["hidden_dropout_prob"]), (gpt, ["resid_pdrop", "embd_pdrop"])],
)
def test_dropout_is_of_what_blocks_are_given_and_of_what_their_parts_add(
    make, dropouts
):
    _, ours = make(**dict.fromkeys(dropouts, 0.3))
    parts = [part for part in ours.train().modules() if isinstance(part, nn.Dropout)]
    assert [part.p for part in parts] == [0.3] * (1 + 3)
    for part in parts:
        part.p = float(part is ours.dropout)
    X = ours.encoder(torch.zeros(1, 1, D).double())[0]
    agree(ours(IDS[:1, :1]), ours.logits(X) if isinstance(ours, GPT) else X)


@pytest.mark.parametrize(
    ("kind", "convert", "published"),
    [
        ("BertForPreTraining", bert_from_transformers, 110_106_428),
        ("GPT2LMHeadModel", gpt_from_transformers, 124_439_808),
    ],
)
def test_published_sizes_have_as_many_weights(kind, convert, published):
    model = getattr(transformers, kind)
    with torch.device("meta"):
        other = model(model.config_class())
        assert N_weights(other) == N_weights(convert(other)) == published


def test_vectors_of_words_begin_as_wide_as_asked_or_else_by_their_length():
    for std, spread in ((None, 9**-0.5), (0.02, 0.02)):
        with seeded(0):
            ours = Bert(BertConfig(3000, D=9, N_heads=3, std=std))
        assert ours.embedding.weight.std().item() == pytest.approx(spread, rel=0.02)
