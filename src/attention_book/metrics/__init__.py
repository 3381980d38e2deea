"""How good is an output? Measured against references, never eyeballed."""

from attention_book.metrics.alignment import (
    alignment_error_rate,
    alignment_figures,
    alignment_floor,
    gold_weights,
    link_offsets,
    links_above,
    strongest_link,
)
from attention_book.metrics.attention import attention_entropy, mass_on_gold
from attention_book.metrics.brackets import bracket_scores
from attention_book.metrics.pointing import (
    cells_inside,
    pointing_chance,
    pointing_elsewhere,
    pointing_game,
)
from attention_book.metrics.sentences import bleu, exact_match, token_accuracy

__all__ = [
    "alignment_error_rate",
    "alignment_figures",
    "alignment_floor",
    "attention_entropy",
    "bleu",
    "bracket_scores",
    "cells_inside",
    "exact_match",
    "gold_weights",
    "link_offsets",
    "links_above",
    "mass_on_gold",
    "pointing_chance",
    "pointing_elsewhere",
    "pointing_game",
    "strongest_link",
    "token_accuracy",
]
