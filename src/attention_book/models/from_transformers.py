"""Weights of models of the library `transformers`, in ours.

A table gives their names for ours, piece by piece. Theirs write a product as x W^T in
BERT, and as x W in GPT-2, whose W_Q, W_K and W_V stand side by side in one matrix.

Attention weights have no dropout here; theirs have, in training.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import torch
from torch import Tensor, nn

from attention_book.models.bert import Bert, BertConfig
from attention_book.models.gpt import GPT, GPTConfig
from attention_book.shapes import check_choice, check_same

NORMS = {".gamma": ".weight", ".beta": ".bias"}
BERT = {
    "embedding.": "bert.embeddings.word_embeddings.",
    "positions.P": "bert.embeddings.position_embeddings.weight",
    "segments.": "bert.embeddings.token_type_embeddings.",
    "encoder.blocks.": "bert.encoder.layer.",
    "norm_1.": "attention.output.LayerNorm.",
    "norm_2.": "output.LayerNorm.",
    "mlp.W_1": "intermediate.dense.weight",
    "mlp.b_1": "intermediate.dense.bias",
    "mlp.W_2": "output.dense.weight",
    "mlp.b_2": "output.dense.bias",
    "attend.W_O": "attention.output.dense.weight",
    "attend.b_O": "attention.output.dense.bias",
    "attend.W_Q": "attention.self.query.weight",
    "attend.b_Q": "attention.self.query.bias",
    "attend.W_K": "attention.self.key.weight",
    "attend.b_K": "attention.self.key.bias",
    "attend.W_V": "attention.self.value.weight",
    "attend.b_V": "attention.self.value.bias",
    "pooler.": "bert.pooler.dense.",
    "transform.0.": "cls.predictions.transform.dense.",
    "transform.2.": "cls.predictions.transform.LayerNorm.",
    "b_words": "cls.predictions.bias",
    "follows.": "cls.seq_relationship.",
    "norm.": "bert.embeddings.LayerNorm.",
    **NORMS,
}
GPT_2 = {
    "embedding.": "transformer.wte.",
    "positions.P": "transformer.wpe.weight",
}


def bert_from_transformers(theirs: Any) -> Bert:
    pass
