"""Find the bug: a softmax over the queries draws a good map, and costs words."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import data, runs
from attention_book.chapters.attention.bug import BUG_HUNT
from attention_book.chapters.attention.experiments import read_all
from attention_book.chapters.attention.solutions import attend_all

N_Y, N_X, D = 3, 5, 4
generator = torch.Generator().manual_seed(0)
s, h = (torch.randn(n, D, generator=generator, dtype=torch.float64) for n in (N_Y, N_X))


def test_all_steps_are_the_librarys_attention():
    C, A = attend_all(s, h)
    torch.testing.assert_close(C, F.scaled_dot_product_attention(s, h, h, scale=1.0))
    torch.testing.assert_close(A.sum(dim=-1), torch.ones(N_Y, dtype=A.dtype))


def test_the_bug_has_the_right_shapes_and_the_wrong_sums():
    C, A = BUG_HUNT.broken(s, h)
    assert (C.shape, A.shape) == ((N_Y, D), (N_Y, N_X))
    torch.testing.assert_close(A.sum(dim=0), torch.ones(N_X, dtype=A.dtype))
    assert (A.sum(dim=1) - 1).abs().max() > 0.1
    torch.testing.assert_close(C, A @ h)


@pytest.fixture(scope="module")
def trained():
    """Model, the sentence on the economic area, vocabularies."""
    run = runs.load("attention-dot")
    look = runs.sentence_with("area", runs.kept_attention(run))
    area = data.Pair(look.source[:-1], look.target[:-1], look.alignment)
    return run.model(), area, run.vocabularies


def test_repaired_it_is_the_models_own_step(trained):
    A, right, its_own = read_all(attend_all, *trained)
    model, pair, vocabularies = trained
    ((own, _, _),) = runs.forced_attention(model, [pair], *vocabularies)
    np.testing.assert_allclose(A, own, atol=1e-4)
    assert right.equal(its_own)


def test_on_the_economic_area_one_word_looks_at_nothing_and_another_twice(trained):
    A, right, _ = read_all(BUG_HUNT.broken, *trained)
    a, sur = map(trained[1].target.index, ("a", "sur"))
    assert A[a].sum() < 0.05
    assert A[sur].sum() > 1.8
    assert right[[a, sur]].all()
    assert not read_all(attend_all, *trained)[1][sur]
