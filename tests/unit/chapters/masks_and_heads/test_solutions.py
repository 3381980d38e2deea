"""The worked solutions of chapter 7."""

import torch
from elsewhere import Elsewhere, There, move

from attention_book import layers, runs
from attention_book.chapters.masks_and_heads.sentences import WORDS, collate
from attention_book.chapters.masks_and_heads.solutions import Nearby, said_nearby
from attention_book.training import seeded

CAUSAL = layers.causal_mask(6)[None]


@torch.no_grad()
def test_a_layer_with_a_window_looks_no_further_on_any_device():
    with seeded(0):
        layer, X = layers.MultiHeadAttention(8, 2), torch.randn(1, 6, 8)
    Y, A = Nearby(layer, r=2)(X, CAUSAL)
    seen = CAUSAL & ~torch.ones(6, 6, dtype=torch.bool).tril(-2)
    assert ((A > 0) == seen).all()
    wide, _ = Nearby(layer, r=6)(X, CAUSAL)
    torch.testing.assert_close(wide, layer(X, CAUSAL)[0])
    with Elsewhere():
        there, _ = Nearby(move(layer), r=2)(There(X), There(CAUSAL))
    torch.testing.assert_close(there.here, Y)


def test_within_two_words_only_the_word_before_is_known():
    """What the folded answer says: what is out of sight is made up, not denied."""
    run = runs.load("heads-4")
    batch = collate(run.recipe.task.test)
    said = said_nearby(run.model(), batch, 2)
    speaker, hearer, before, _ = (said == batch.target_out).double().mean(dim=0)
    assert before > 0.99
    assert max(speaker, hearer) < 0.12
    assert (said[:, 3] == WORDS.encode(["-"])[0]).double().mean() < 0.1
