"""Scores have the variances they should, and the gradient is softmax's own."""

import numpy as np
import torch

from attention_book.chapters.attention_layer.gradients import (
    PLAIN,
    SCALED,
    WIDTHS,
    drawn_scores,
    gradient_size,
    softmax_jacobian,
)
from attention_book.reference import softmax


def test_the_jacobian_is_the_one_that_torch_finds_and_the_gradient_its_norm():
    e = np.random.default_rng(1).normal(size=(3, 5)) * 2
    J = [torch.func.jacrev(lambda x: x.softmax(-1))(row) for row in torch.tensor(e)]
    np.testing.assert_allclose(softmax_jacobian(softmax(e)), np.stack(J), rtol=1e-11)
    expected = [torch.linalg.matrix_norm(each).item() for each in J]
    np.testing.assert_allclose(gradient_size(softmax(e)), expected, rtol=1e-12)


def test_scores_have_the_variance_of_their_width_and_divided_ones_have_one():
    E = drawn_scores(1000, 0)
    plain, scaled = (E[how].var(axis=(0, 2)) for how in (PLAIN, SCALED))
    np.testing.assert_allclose(plain, WIDTHS, rtol=0.15)
    np.testing.assert_allclose(scaled, 1, rtol=0.15)
