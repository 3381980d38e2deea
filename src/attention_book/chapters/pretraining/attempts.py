"""Right ways to write BERT's loss."""

import numpy as np
from torch import distributions, nn

from attention_book.exercises.verdict import RIGHT


def flattened(logits, target, chosen):
    """NumPy: the chosen places alone, fancy indices, logaddexp."""
    rows, places = logits[chosen], np.arange(chosen.sum())
    assert len(rows) > 0, "no word was chosen"
    return (np.logaddexp.reduce(rows, axis=1) - rows[places, target[chosen]]).mean()


def as_a_module(logits, target, chosen):
    """torch: the loss of every place from a module, then a weighted sum."""
    assert chosen.any(), "no word was chosen"
    losses = nn.CrossEntropyLoss(reduction="none")(logits.mT, target)
    return (losses * chosen).sum() / chosen.sum()


def with_likely_words(logits, target, chosen):
    """torch: a distribution that is asked for log P."""
    assert chosen.any(), "no word was chosen"
    words = distributions.Categorical(logits=logits)
    return -words.log_prob(target)[chosen].mean()


ATTEMPTS = {
    "masked_word_loss": {
        flattened: RIGHT,
        as_a_module: RIGHT,
        with_likely_words: RIGHT,
    },
}
