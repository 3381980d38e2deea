"""Find the bug, chapter 7: masks of other sentences."""

import pytest
import torch

from attention_book import layers, runs
from attention_book.chapters.masks_and_heads.bug import BUG_HUNT
from attention_book.chapters.masks_and_heads.experiments import right_by_torch
from attention_book.chapters.masks_and_heads.sentences import collate
from attention_book.chapters.masks_and_heads.solutions import for_torch
from attention_book.chapters.masks_and_heads.tasks.four_questions import right
from attention_book.training import seeded

CAUSAL = layers.causal_mask(5)
MIXED = CAUSAL & layers.padding_mask(torch.tensor([3, 5, 4]), 5)[:, None]


@pytest.mark.parametrize("N_heads", [1, 2, 4])
def test_torch_gives_what_our_layer_gives(N_heads):
    with seeded(0):
        ours = layers.MultiHeadAttention(8, N_heads).double()
        X = torch.randn(3, 5, 8).double()
    hidden = for_torch(MIXED, N_heads)
    assert hidden.shape == (3 * N_heads, 5, 5)
    theirs, _ = layers.to_torch(ours)(X, X, X, attn_mask=hidden)
    torch.testing.assert_close(theirs, ours(X, MIXED)[0])


@pytest.mark.parametrize(
    ("visible", "N_heads"), [(MIXED[:1], 4), (MIXED, 1), (CAUSAL.expand(3, -1, -1), 4)]
)
def test_the_bug_hides_with_one_sentence_one_head_or_one_length(visible, N_heads):
    assert torch.equal(BUG_HUNT.broken(visible, N_heads), for_torch(visible, N_heads))


def test_what_the_folded_answer_says():
    """Alone all is right, together it is not; repaired it is."""
    run = runs.load("heads-4")
    model, tested = run.model(), run.recipe.task.test[:400]
    due = right(model, collate(tested))
    alone = right_by_torch(model, BUG_HUNT.broken, tested, 1)
    together = right_by_torch(model, BUG_HUNT.broken, tested, 20)
    repaired = right_by_torch(model, for_torch, tested, 20)
    assert alone == pytest.approx(due)
    assert repaired == pytest.approx(due)
    assert together.mean() < due.mean() - 0.05
