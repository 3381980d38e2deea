"""Models: composition only. Every one that decodes has the same face: `encode`, `initial_state`, `step`, `forward`."""

from attention_book.models.rnn_attention import (
    AttentionDecoder,
    InputSet,
    Translator,
    TranslatorConfig,
)
from attention_book.models.captioner import Captioner, CaptionerConfig
from attention_book.models.interventions import Intervened
from attention_book.models.seq2seq import FixedContext, Memory, Seq2SeqConfig

__all__ = [
    "AttentionDecoder",
    "Captioner",
    "CaptionerConfig",
    "FixedContext",
    "InputSet",
    "Intervened",
    "Memory",
    "Seq2SeqConfig",
    "Translator",
    "TranslatorConfig",
]
