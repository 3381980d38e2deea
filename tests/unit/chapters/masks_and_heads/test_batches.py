"""The check of contexts names what a batch's padding spoils, in whatever style."""

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads.checks.masks import check_contexts


def attend(s, h, hide):
    """One step for a batch, after `hide` has changed the scores."""
    a = hide((h @ s.unsqueeze(-1)).squeeze(-1)).softmax(-1)
    return (a.unsqueeze(1) @ h).squeeze(1), a


def nothing_hidden(s, h, lengths):
    return attend(s, h, lambda e: e)


def hidden_too_late(s, h, lengths):
    inside = torch.arange(h.size(1)) < torch.tensor(lengths)[:, None]
    a = attend(s, h, lambda e: e)[1] * inside
    return (a.unsqueeze(1) @ h).squeeze(1), a


def as_long_as_the_longest(s, h, lengths):
    inside = torch.arange(h.size(1)) < max(lengths)
    return attend(s, h, lambda e: e.masked_fill(~inside, -torch.inf))


def zeroed(s, h, lengths):
    inside = torch.arange(h.size(1)) < torch.tensor(lengths)[:, None]
    return attend(s, h, lambda e: e * inside)


def without_the_last_word(s, h, lengths):
    n = torch.tensor(lengths).sub(1).clamp(min=1)[:, None]
    outside = torch.arange(h.size(1)) >= n
    return attend(s, h, lambda e: e.masked_fill(outside, -torch.inf))


def hidden_where_h_is_0(s, h, lengths):
    return attend(s, h, lambda e: e.masked_fill((h == 0).all(-1), -torch.inf))


def one_largest_for_the_batch(s, h, lengths):
    a = np.zeros(h.shape[:2])
    e = np.einsum("bd,bnd->bn", s, h)
    for b, n in enumerate(lengths):
        p = np.exp(e[b, :n] - e.max())
        a[b, :n] = p / p.sum()
    return np.einsum("bn,bnd->bd", a, h), a


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (nothing_hidden, "depends on how much padding its batch got"),
        (zeroed, "gives weight to padding: its score must be -inf, not 0"),
        (as_long_as_the_longest, "a[0] gives weight to padding"),
        (hidden_too_late, "a[0] sums to 0.679, not 1: hide scores, not weights"),
        (without_the_last_word, "a[0] gives no weight to number 2"),
        (hidden_where_h_is_0, "sentence 0 has 3 words, numbers 0 to 2, and a[0] gives"),
        (one_largest_for_the_batch, "On one sentence with large scores: c holds NaN"),
    ],
)
def test_what_padding_spoils_is_named(function, mistake):
    assert mistake in repr(check_contexts(function))
