"""Weights of models of the library `transformers`, in ours.

A table has their names for ours, piece by piece. Theirs write a product as x W^T in
BERT, and as x W in GPT-2, whose W_Q, W_K and W_V stand side by side in one matrix.

In training theirs have dropout of attention weights, too; ours have none.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attention_book.models.bert import Bert, BertConfig
from attention_book.models.gpt import GPT, GPTConfig
from attention_book.shapes import check_choice, check_same

BERT = {
    "embedding": "bert.embeddings.word_embeddings",
    "positions.P": "bert.embeddings.position_embeddings.weight",
    "segments": "bert.embeddings.token_type_embeddings",
    "encoder.blocks": "bert.encoder.layer",
    "attend.W_Q": "attention.self.query.weight",
    "attend.b_Q": "attention.self.query.bias",
    "attend.W_K": "attention.self.key.weight",
    "attend.b_K": "attention.self.key.bias",
    "attend.W_V": "attention.self.value.weight",
    "attend.b_V": "attention.self.value.bias",
    "attend.W_O": "attention.output.dense.weight",
    "attend.b_O": "attention.output.dense.bias",
    "norm_1": "attention.output.LayerNorm",
    "mlp.W_1": "intermediate.dense.weight",
    "mlp.b_1": "intermediate.dense.bias",
    "mlp.W_2": "output.dense.weight",
    "mlp.b_2": "output.dense.bias",
    "norm_2": "output.LayerNorm",
    "norm": "bert.embeddings.LayerNorm",
    "gamma": "weight",
    "beta": "bias",
    "transform.0": "cls.predictions.transform.dense",
    "transform.2": "cls.predictions.transform.LayerNorm",
    "b_words": "cls.predictions.bias",
    "pooler": "bert.pooler.dense",
    "follows": "cls.seq_relationship",
}
HEADS = "transform", "b_words", "pooler", "follows"
GPT_2 = {
    "embedding": "transformer.wte",
    "positions.P": "transformer.wpe.weight",
    "encoder.blocks": "transformer.h",
    "norm_1": "ln_1",
    "attend.W_O": "attn.c_proj.weight",
    "attend.b_O": "attn.c_proj.bias",
    "attend.W_": "attn.c_attn.weight.",
    "attend.b_": "attn.c_attn.bias.",
    "norm_2": "ln_2",
    "mlp.W_1": "mlp.c_fc.weight",
    "mlp.b_1": "mlp.c_fc.bias",
    "mlp.W_2": "mlp.c_proj.weight",
    "mlp.b_2": "mlp.c_proj.bias",
    "encoder.norm": "transformer.ln_f",
    "gamma": "weight",
    "beta": "bias",
}


def bert_from_transformers(theirs: Any) -> Bert:
    """Make our BERT with the weights of a `BertForPreTraining`, or another of theirs.

    Heads that theirs does not have, as a `BertModel` has none, stay as they are drawn.
    """
    config, weights = _read(
        theirs,
        "bert",
        hidden_act=["gelu"],
        position_embedding_type=["absolute"],
        add_cross_attention=["False"],
        tie_word_embeddings=["True"],
    )
    ours = Bert(
        BertConfig(
            N_words=config.vocab_size,
            D=config.hidden_size,
            N_heads=config.num_attention_heads,
            D_hidden=config.intermediate_size,
            N_blocks=config.num_hidden_layers,
            N_positions=config.max_position_embeddings,
            eps=config.layer_norm_eps,
            dropout=config.hidden_dropout_prob,
            N_segments=config.type_vocab_size,
            causal=config.is_decoder,
        )
    )
    turned = {
        name: W.T if ".layer." in name and W.ndim == 2 else W
        for name, W in weights.items()
    }
    return _filled(ours, BERT, turned).train(theirs.training)


def gpt_from_transformers(theirs: Any) -> GPT:
    """Make our GPT with the weights of a `GPT2LMHeadModel`."""
    config, weights = _read(
        theirs,
        "gpt2",
        activation_function=["gelu_new", "gelu_pytorch_tanh"],
        scale_attn_weights=["True"],
        scale_attn_by_inverse_layer_idx=["False"],
        add_cross_attention=["False"],
        tie_word_embeddings=["True"],
    )
    dropouts = {name: getattr(config, name) for name in ("resid_pdrop", "embd_pdrop")}
    check_same("ours have one", **dropouts)
    ours = GPT(
        GPTConfig(
            N_words=config.vocab_size,
            D=config.n_embd,
            N_heads=config.n_head,
            D_hidden=config.n_inner or 4 * config.n_embd,
            N_blocks=config.n_layer,
            N_positions=config.n_positions,
            eps=config.layer_norm_epsilon,
            dropout=config.resid_pdrop,
        )
    )
    parts = {
        f"{name}.{letter}": part
        for name, weight in weights.items()
        if ".c_attn." in name
        for letter, part in zip("QKV", weight.chunk(3, dim=-1), strict=True)
    }
    return _filled(ours, GPT_2, weights | parts).train(theirs.training)


def _read(
    theirs: Any, kind: str, **known: Sequence[str]
) -> tuple[Any, dict[str, Tensor]]:
    """Settings and weights of their model, if it is one that ours can be."""
    config = getattr(theirs, "config", None)
    if getattr(config, "model_type", None) != kind:
        raise TypeError(
            f"theirs is a {type(theirs).__name__}, expected a {kind} of transformers"
        )
    for name, values in known.items():
        value = str(getattr(config, name, values[0]))  # not every version has all
        check_choice(f"theirs.config.{name}", value, values)
    base = theirs.base_model_prefix
    alone = "" if hasattr(theirs, base) else f"{base}."  # a model without heads
    return config, {f"{alone}{name}": W for name, W in theirs.state_dict().items()}


@torch.no_grad()
def _filled(ours: Any, names: Mapping[str, str], theirs: Mapping[str, Tensor]) -> Any:
    """Copy each of our weights from theirs; ours are of their type, on their device."""
    ours.to(next(iter(theirs.values())))
    for name, weight in ours.named_parameters():
        their = their_name(name, names)
        if their in theirs or not name.startswith(HEADS):
            weight.copy_(theirs[their])
    return ours


def their_name(ours: str, names: Mapping[str, str]) -> str:
    """Find the name of a weight of ours in theirs, by a table of pieces."""
    pieces = "|".join(map(re.escape, names))
    return re.sub(pieces, lambda piece: names[piece[0]], ours)
