"""The parts and the cases of chapter 11's checks; attempts stand in `attempts.py`."""

import copy

import numpy as np
import pytest
import torch

from attention_book.chapters.block.checks import (
    PARTS,
    check_block,
    check_nearest_sense,
)


def test_a_part_is_shown_as_its_formula_and_equals_its_copy():
    verdict = check_block(lambda X, *parts: X)
    assert "attend = softmax(X Xᵀ / √D) X" in verdict.evidence
    assert "0x" not in verdict.evidence
    assert copy.deepcopy(PARTS) == PARTS


def test_a_part_works_on_tensors_as_on_arrays():
    X = np.random.default_rng(0).normal(size=(3, 4))
    for part in PARTS.values():
        theirs = part(torch.from_numpy(X))
        assert theirs.dtype is torch.float64
        np.testing.assert_array_equal(theirs.numpy(), part(X))


@pytest.mark.parametrize("case", check_nearest_sense.cases, ids=lambda case: case.name)
def test_no_vector_lies_so_near_a_border_that_two_digits_hide_it(case):
    new, known = case.inputs.values()
    away = np.linalg.norm(new[:, None] - known.mean(1), axis=-1)
    nearest, second = np.sort(away, axis=-1)[:, :2].T
    assert (second - nearest > 0.02).all()
