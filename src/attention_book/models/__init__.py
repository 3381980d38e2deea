"""Models: composition only. All that decode have one face: see `decoding.Decodable`."""

from attention_book.models.bert import Bert, BertConfig, Classifier
from attention_book.models.captioner import Captioner, CaptionerConfig
from attention_book.models.from_transformers import (
    bert_from_transformers,
    gpt_from_transformers,
)
from attention_book.models.gpt import GPT, GPTConfig, Prompt
from attention_book.models.interventions import Intervened, Wrapped
from attention_book.models.rnn_attention import (
    AttentionDecoder,
    InputSet,
    Translator,
    TranslatorConfig,
)
from attention_book.models.seq2seq import FixedContext, Memory, Seq2SeqConfig
from attention_book.models.silence import heads, silenced
from attention_book.models.size import N_bytes_kept, N_operations, N_products, N_weights
from attention_book.models.transformer import (
    SourceVectors,
    Transformer,
    TransformerConfig,
)

__all__ = [
    "GPT",
    "AttentionDecoder",
    "Bert",
    "BertConfig",
    "Captioner",
    "CaptionerConfig",
    "Classifier",
    "FixedContext",
    "GPTConfig",
    "InputSet",
    "Intervened",
    "Memory",
    "N_bytes_kept",
    "N_operations",
    "N_products",
    "N_weights",
    "Prompt",
    "Seq2SeqConfig",
    "SourceVectors",
    "Transformer",
    "TransformerConfig",
    "Translator",
    "TranslatorConfig",
    "Wrapped",
    "bert_from_transformers",
    "gpt_from_transformers",
    "heads",
    "silenced",
]
