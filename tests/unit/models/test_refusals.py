"""What a model cannot use is refused by its name: settings, and what it is given."""

from dataclasses import FrozenInstanceError, replace

import pytest
import torch
import transformers
from torch import nn

from attention_book.models import (
    GPT,
    Bert,
    BertConfig,
    Captioner,
    CaptionerConfig,
    Classifier,
    FixedContext,
    GPTConfig,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
    Translator,
    TranslatorConfig,
    bert_from_transformers,
    gpt_from_transformers,
)

SIZES = {"N_source_words": 11, "N_target_words": 13}
MODELS = {  # of a few numbers each
    FixedContext: Seq2SeqConfig(**SIZES, D_embedding=6, D_hidden=7),
    Translator: TranslatorConfig(**SIZES, D_embedding=6, D_hidden=8),
    Transformer: TransformerConfig(**SIZES, D=12, D_hidden=7),
    Captioner: CaptionerConfig(N_target_words=11, D_embedding=5, D_grid=6, D_hidden=8),
    Bert: BertConfig(N_words=13, D=12, D_hidden=7, N_positions=6),
    GPT: GPTConfig(N_words=13, D=12, D_hidden=7, N_positions=6),
}
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0], [4, 2, 0, 0, 0]])
VISIBLE = SOURCE != 0
TARGET_IN = torch.tensor([[1, 5, 6, 7], [1, 8, 9, 0], [1, 12, 0, 0]])
IMAGES = torch.rand(3, 1, 32, 32)


@pytest.mark.parametrize(
    ("model", "change", "error", "says"),
    [
        (FixedContext, {"N_source_words": 0}, ValueError, "N_source_words is 0"),
        (FixedContext, {"N_target_words": -3}, ValueError, "N_target_words is -3"),
        (FixedContext, {"D_embedding": 2.5}, TypeError, "D_embedding must be an int"),
        (FixedContext, {"D_hidden": True}, TypeError, "D_hidden must be an int"),
        (FixedContext, {"context_at_every_step": 1}, TypeError, "_step must be a bool"),
        (Translator, {"N_layers": 0}, ValueError, "N_layers is 0"),
        (Translator, {"dropout": 1.0}, ValueError, "is 1.0, expected 0 to below 1"),
        (Transformer, {"dropout": -0.1}, ValueError, "is -0.1, expected 0 to below 1"),
        (Translator, {"score": "cosine"}, ValueError, "'cosine', expected one of dot"),
        (Translator, {"scored_state": "next"}, ValueError, "'next', expected one of p"),
        (Translator, {"D_hidden": 7}, ValueError, "D_H is 7, expected a multiple"),
        (Translator, {"bidirectional": 1}, TypeError, "bidirectional must be a bool"),
        (Captioner, {"score": "cosine"}, ValueError, "'cosine', expected one of dot"),
        (Captioner, {"scored_state": "next"}, ValueError, "'next', expected one of p"),
        (Captioner, {"N_target_words": 0}, ValueError, "N_target_words is 0"),
        (Captioner, {"D_grid": 2.5}, TypeError, r"D_grid must be an int, got 2\.5"),
        (Captioner, {"attention": 1}, TypeError, "attention must be a bool, got 1"),
        (Captioner, {"score": "dot"}, ValueError, "D_S is 8 but D_H is 6: a dot prod"),
        (Transformer, {"D": 7}, ValueError, "D is 7, expected a multiple of 2"),
        (Transformer, {"D": 10}, ValueError, "D is 10, expected a multiple of 4"),
        (Transformer, {"D": 0}, ValueError, "D is 0, expected at least 2"),
        (Transformer, {"N_heads": 0}, ValueError, "N_heads is 0, expected at least 1"),
        (Transformer, {"N_encoder_blocks": 0}, ValueError, "N_encoder_blocks is 0"),
        (Transformer, {"N_decoder_blocks": 1.5}, TypeError, "_blocks must be an int"),
        (Transformer, {"N_target_words": 0}, ValueError, "N_target_words is 0"),
        (Transformer, {"norm": "none"}, ValueError, "'none', expected one of pre, p"),
        (Transformer, {"tied": 1}, TypeError, "tied must be a bool, got 1"),
        (Transformer, {"positions": "none"}, ValueError, "positions is 'none', ex"),
        (Transformer, {"N_positions": 0}, ValueError, "N_positions is 0, expected at"),
        (GPT, {"N_words": 0}, ValueError, "N_words is 0, expected at least 1"),
        (GPT, {"N_blocks": 2.0}, TypeError, "N_blocks must be an int, got 2.0"),
        (GPT, {"D": 10}, ValueError, "D is 10, expected a multiple of 4"),
        (GPT, {"std": 0}, ValueError, "std is 0, expected a finite number above 0"),
        (GPT, {"eps": 0}, ValueError, "eps is 0, expected a finite number above 0"),
        (GPT, {"dropout": 1}, ValueError, "dropout is 1, expected 0 to below 1"),
        (Bert, {"N_heads": 0}, ValueError, "N_heads is 0, expected at least 1"),
        (Bert, {"N_segments": 0}, ValueError, "N_segments is 0, expected at least 1"),
        (Bert, {"norm": "none"}, ValueError, "'none', expected one of pre, post"),
        (Bert, {"causal": 1}, TypeError, "causal must be a bool, got 1"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(
    as_a_reader, model, change, error, says
):
    with pytest.raises(error, match=says):
        model(replace(MODELS[model], **change))


@pytest.mark.parametrize("config", MODELS.values())
def test_settings_that_were_checked_cannot_be_changed(config):
    with pytest.raises(FrozenInstanceError):
        config.dropout = 2


READS_WORDS = [
    ((SOURCE + 5, VISIBLE, TARGET_IN), "source holds ids from 5 to 15, expected 0"),
    ((SOURCE - 1, VISIBLE, TARGET_IN), "source holds ids from -1"),
    ((SOURCE[0], VISIBLE, TARGET_IN[[0] * 5]), r"source is .* of shape .* \(B, N_X\)"),
    ((SOURCE, VISIBLE[:, :3], TARGET_IN), r"visible.*expected bool of \(B, N_X\)"),
    ((SOURCE, SOURCE, TARGET_IN), "visible is torch.int64 of shape"),
    ((SOURCE, VISIBLE & (SOURCE > 4), TARGET_IN), "False everywhere in row 2"),
    ((SOURCE, VISIBLE, TARGET_IN + 5), "target_in holds ids from 5 to 17, expected"),
    ((SOURCE, VISIBLE, TARGET_IN[:2]), "target_in is .* of shape"),
]


@pytest.mark.parametrize(("given", "says"), READS_WORDS)
@pytest.mark.parametrize(
    ("model", "way"),
    [
        (FixedContext, "forward"),
        (Translator, "forward"),
        (Transformer, "forward"),
        (Transformer, "cross_attention"),
    ],
)
def test_words_that_cannot_be_read_are_named(as_a_reader, model, way, given, says):
    with pytest.raises(ValueError, match=says):
        getattr(model(MODELS[model]), way)(*given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((IMAGES[:, :, :16], None, TARGET_IN), r"images has shape \(3, 1, 16, 32\)"),
        ((IMAGES[:0], None, TARGET_IN[:0]), "(target_in|images) .* not empty"),
        ((IMAGES, torch.ones(3, 64) > 0, TARGET_IN), "source_visible must be None"),
        ((IMAGES, None, TARGET_IN + 5), "target_in holds ids from 5 to 17, expected"),
        ((IMAGES, None, TARGET_IN[:2] % 11), "target_in is .* of shape"),
    ],
)
def test_a_picture_that_cannot_be_read_is_named(as_a_reader, given, says):
    with pytest.raises(ValueError, match=says):
        Captioner(MODELS[Captioner])(*given)


def test_a_step_names_a_word_that_is_none(as_a_reader):
    model = FixedContext(MODELS[FixedContext])
    memory = model.encode(SOURCE, VISIBLE)
    with pytest.raises(ValueError, match="token holds ids from 13"):
        model.step(torch.full((3,), 13), memory, memory.s_0)


LONG = torch.full((3, 7), 5)


@pytest.mark.parametrize(
    ("model", "given", "says"),
    [
        (Bert, (SOURCE + 5,), "ids holds ids from 5 to 15, expected 0 to 12"),
        (Bert, (SOURCE[0],), r"ids is torch.int64 of shape \(5,\)"),
        (Bert, (SOURCE, SOURCE), "segments holds ids from 0 to 10, expected 0 to 1"),
        (Bert, (SOURCE, SOURCE[:2] * 0), "segments is .* of shape"),
        (Bert, (SOURCE, None, SOURCE), "visible is torch.int64 of shape"),
        (Bert, (SOURCE, None, VISIBLE[:, :3]), "visible .* expected bool of"),
        (Bert, (SOURCE, None, SOURCE > 4), "visible is False everywhere in row 2"),
        (Bert, (LONG,), "X ends with position 6, expected at most N_max - 1 = 5"),
        (GPT, (SOURCE + 5,), "ids holds ids from 5 to 15, expected 0 to 12"),
        (GPT, (LONG,), "X ends with position 6, expected at most N_max - 1 = 5"),
    ],
)
@pytest.mark.parametrize("way", ["forward", "attention"])
def test_a_text_that_cannot_be_read_is_named(as_a_reader, model, given, says, way):
    with pytest.raises(ValueError, match=says):
        getattr(model(MODELS[model]), way)(*given)


def test_padding_that_leaves_a_causal_word_nothing_to_look_at_is_named(as_a_reader):
    model = Bert(replace(MODELS[Bert], causal=True))
    with pytest.raises(ValueError, match="visible is False everywhere in row 5"):
        model(SOURCE, None, SOURCE.flip(1) != 0)


def test_a_gpt_names_what_it_cannot_go_on_from(as_a_reader):
    model = GPT(MODELS[GPT])
    with pytest.raises(ValueError, match="prompt_visible is False somewhere, expected"):
        model.encode(SOURCE, VISIBLE)
    memory = model.encode(SOURCE)
    for token, state, says in [
        (SOURCE[:, 0] + 9, memory.past, "token holds ids from 13 to 18"),
        (SOURCE[:2, 0], memory.past, "texts is 2 but state is 3: one for each"),
        (SOURCE[:, 0], [], "blocks is 2 but past is 0: one for each"),
        (SOURCE[:, 0], memory.past[:1], "blocks is 2 but past is 1: one for each"),
    ]:
        with pytest.raises(ValueError, match=says):
            model.step(token, memory, state)
    with pytest.raises(ValueError, match=r"intervene\(...\) has shape \(1, 5\)"):
        model.step(SOURCE[:, 0], memory, None, lambda a_t, _: a_t[:1])
    _, state, _ = model.step(SOURCE[:, 0], memory, memory.past)
    with pytest.raises(ValueError, match="X ends with position 6, expected at most"):
        model.step(SOURCE[:, 0], memory, state)


def of_theirs(kind, **settings):
    with torch.device("meta"):
        return getattr(transformers, f"{kind}Model")(
            getattr(transformers, f"{kind}Config")(**settings)
        )


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda: bert_from_transformers(of_theirs("Bert", hidden_act="relu")),
            ValueError,
            "theirs.config.hidden_act is 'relu', expected one of gelu",
        ),
        (
            lambda: bert_from_transformers(
                of_theirs("Bert", is_decoder=True, add_cross_attention=True)
            ),
            ValueError,
            "add_cross_attention is 'True', expected one of False",
        ),
        (
            lambda: bert_from_transformers(
                of_theirs("Bert", tie_word_embeddings=0 > 1)
            ),
            ValueError,
            "tie_word_embeddings is 'False', expected one of True",
        ),
        (
            lambda: bert_from_transformers(of_theirs("GPT2")),
            TypeError,
            "theirs is a GPT2Model, expected a bert of transformers",
        ),
        (
            lambda: gpt_from_transformers(nn.Linear(3, 3)),
            TypeError,
            "theirs is a Linear, expected a gpt2 of transformers",
        ),
        (
            lambda: gpt_from_transformers(
                of_theirs("GPT2", activation_function="gelu")
            ),
            ValueError,
            "activation_function is 'gelu', expected one of gelu_new, gelu_pytorch_t",
        ),
        (
            lambda: gpt_from_transformers(of_theirs("GPT2", scale_attn_weights=False)),
            ValueError,
            "scale_attn_weights is 'False', expected one of True",
        ),
        (
            lambda: gpt_from_transformers(
                of_theirs("GPT2", scale_attn_by_inverse_layer_idx=True)
            ),
            ValueError,
            "by_inverse_layer_idx is 'True', expected one of False",
        ),
        (
            lambda: gpt_from_transformers(of_theirs("GPT2", embd_pdrop=0.3)),
            ValueError,
            "resid_pdrop is 0.1 but embd_pdrop is 0.3: ours have one",
        ),
        (lambda: Classifier(Bert(MODELS[Bert]), 0), ValueError, "N_labels is 0, exp"),
    ],
)
def test_a_model_of_theirs_that_ours_cannot_be_is_named(as_a_reader, call, error, says):
    with pytest.raises(error, match=says):
        call()
