"""Models: composition only. Every one that decodes has the same face: `encode`, `initial_state`, `step`, `forward`."""

from attention_book.models.seq2seq import FixedContext, Memory, Seq2SeqConfig

__all__ = ["FixedContext", "Memory", "Seq2SeqConfig"]
