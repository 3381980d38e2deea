"""Parses with weights that no model gave, for tests of ParseTree."""

import numpy as np

from attention_book.chapters.not_only_translation.widgets import Parse
from attention_book.trees import CLOSE, OPEN

MADE_UP = {  # readings of a sentence, by what wears the pajamas
    "on the elephant": "(S (NP i ) (VP shot (NP (NP an elephant ) "
    "(PP in (NP my pajamas ) ) ) ) )",
    "on me": "(S (NP i ) (VP shot (NP an elephant ) (PP in (NP my pajamas ) ) ) )",
}


def made_up() -> list[Parse]:
    """One sentence, both its readings, and weights that no model gave: each token looks
    around the word that it is, or comes before, or closes.
    """
    parses = []
    for reading, spelled in MADE_UP.items():
        tokens = spelled.split()
        source = [
            each for each in tokens if not each.startswith(OPEN) and each != CLOSE
        ]
        is_word = np.isin(tokens, source)
        at = np.cumsum(is_word) - np.where(is_word | (np.array(tokens) == CLOSE), 1, 0)
        powers = 4.0 ** -abs(at[:, None] - np.arange(len(source) + 1))
        A = powers / powers.sum(axis=1, keepdims=True)
        parses.append(Parse("made-up weights", reading, source, tokens, A))
    return parses
