"""How good is an output? Measured against references, never eyeballed."""

from attention_book.metrics.bleu import bleu
from attention_book.metrics.exact_match import exact_match
from attention_book.metrics.token_accuracy import token_accuracy

__all__ = ["bleu", "exact_match", "token_accuracy"]
