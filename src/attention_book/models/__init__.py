"""Models: composition only. All that decode have one face: see `decoding.Decodable`."""

from attention_book.models.captioner import Captioner, CaptionerConfig
from attention_book.models.interventions import Intervened, Wrapped
from attention_book.models.rnn_attention import (
    AttentionDecoder,
    InputSet,
    Translator,
    TranslatorConfig,
)
from attention_book.models.seq2seq import FixedContext, Memory, Seq2SeqConfig
from attention_book.models.size import N_products, N_weights
from attention_book.models.transformer import (
    SourceVectors,
    Transformer,
    TransformerConfig,
)

__all__ = [
    "AttentionDecoder",
    "Captioner",
    "CaptionerConfig",
    "FixedContext",
    "InputSet",
    "Intervened",
    "Memory",
    "N_products",
    "N_weights",
    "Seq2SeqConfig",
    "SourceVectors",
    "Transformer",
    "TransformerConfig",
    "Translator",
    "TranslatorConfig",
    "Wrapped",
]
