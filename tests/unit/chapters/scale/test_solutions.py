"""The solutions of chapter 16, and what the text says of its bug and of the floor."""

import numpy as np
import pytest
import torch

from attention_book import models
from attention_book.chapters.scale import napkin, solutions
from attention_book.chapters.scale.bug import BUG_HUNT
from attention_book.chapters.scale.experiments import fit, outcome
from attention_book.chapters.scale.published import models as published


def test_a_gpt_is_counted_as_it_was_released():
    sizes = published()["GPT-2"].sizes
    found = solutions.gpt_weights(
        sizes.D, sizes.N_blocks, sizes.N_words, sizes.N_positions
    )
    assert found == 1_557_611_200 == published()["GPT-2"].weights


def test_the_work_of_gpt_3_is_that_of_the_napkin_and_its_pairs():
    model = published()["GPT-3"]
    sizes = model.sizes
    found = solutions.training_operations(
        sizes.D, sizes.N_blocks, sizes.N_words, model.N, int(model.tokens)
    )
    assert found == pytest.approx(napkin.training(sizes, model.N, model.tokens))
    assert found == pytest.approx(6 * model.weights * 300e9 * (1 + 1 / 36), rel=1e-3)


def test_the_line_is_the_law_that_was_fitted():
    found = outcome("all")
    N, L = found.weights[:-1], found.losses[:, :-1].mean(axis=0)
    alpha, N_0 = solutions.power_law(N, L, float(found.law.L_inf))
    assert alpha == pytest.approx(float(found.law.alpha), rel=0.01)
    law = found.law.L_inf + (N_0 / N) ** alpha
    assert law == pytest.approx(fit(N, L)(N), abs=0.002)


def test_floors_that_fit_alike_agree_one_size_further_and_part_far_away():
    found = outcome("all")
    N, L = found.weights[:-1], found.losses[:, :-1].mean(axis=0)
    next_one = found.weights[-1]
    rows = solutions.by_floor(N, L, (3.2, 3.4), (next_one, 1e9))
    (near, far) = (
        [row[f"{size:,.0f}"] for row in rows.values()] for size in (next_one, 1e9)
    )
    assert [*rows] == ["3.20", "3.40"]
    farthest = max(row["largest error"] for row in rows.values())
    assert farthest < 0.0105
    assert farthest < np.ptp(found.losses[:, :-1], axis=0).min()
    assert near[1] - near[0] < 0.025
    assert far[1] - far[0] > 0.14


@pytest.fixture
def tiny():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return models.GPT(models.GPTConfig(20, D=8, N_heads=2, D_hidden=8))


IDS = torch.randint(20, (8, 9), generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("N_parts", [2, 3, 4, 5, 8])
def test_a_gradient_in_parts_is_that_of_the_batch(tiny, N_parts):
    whole = solutions.gradient(tiny, IDS, 1)
    in_parts = solutions.gradient(tiny, IDS, N_parts)
    torch.testing.assert_close(in_parts, whole, atol=1e-6, rtol=1e-4)


def test_the_bug_sums_the_parts_and_adam_hides_it(tiny):
    whole = BUG_HUNT.broken(tiny, IDS, 1)
    in_parts = BUG_HUNT.broken(tiny, IDS, 4)
    torch.testing.assert_close(in_parts, 4 * whole, atol=1e-5, rtol=1e-4)
    steps = []
    for gradient in (whole, 4 * whole):
        at = torch.zeros(len(whole), requires_grad=True)
        adam = torch.optim.Adam([at], lr=0.1)
        at.grad = gradient.clone()
        adam.step()
        steps.append(at.detach())
    seen = whole.abs() > 1e-4
    torch.testing.assert_close(steps[0][seen], steps[1][seen], atol=1e-4, rtol=0)
