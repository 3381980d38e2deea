"""The blocks' laws; `layers.Block`, which is torch's, is held against them."""

import numpy as np
import pytest

from attention_book.reference import block, pre_norm_block

N_X, D = 5, 6


def test_parts_that_find_nothing_let_X_pass():
    X = np.random.default_rng(3).normal(size=(N_X, D))
    norm_1, norm_2 = (lambda X: 2 * X + 1), (lambda X: 3 * X - 1)
    np.testing.assert_array_equal(
        pre_norm_block(X, np.zeros_like, np.zeros_like, norm_1, norm_2), X
    )
    np.testing.assert_array_equal(
        block(X, np.zeros_like, np.zeros_like, norm_1, norm_2), norm_2(norm_1(X))
    )


@pytest.mark.parametrize("ours", [block, pre_norm_block])
@pytest.mark.parametrize("which", ["attend", "mlp"])
def test_a_part_that_changes_the_shape_is_named(as_a_reader, ours, which):
    parts = {name: np.copy for name in ("attend", "mlp", "norm_1", "norm_2")}
    parts[which] = lambda X: X[:1]  # NumPy would stretch it
    with pytest.raises(
        ValueError, match=r"change has shape \(1, 6\), expected \(5, 6\)"
    ):
        ours(np.ones((N_X, D)), **parts)
