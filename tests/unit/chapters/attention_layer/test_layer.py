"""The layer is chapter 2's steps, and torch's own; slips run where sizes agree."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import reference, runs
from attention_book.chapters.attention_layer import solutions
from attention_book.chapters.attention_layer.bridge import states_and_inputs
from attention_book.chapters.attention_layer.slips import compared

RUN = "attention-dot"


@pytest.fixture(scope="module")
def sentence():
    return states_and_inputs(RUN, "minister")


def drawn(N_Y=3, N_X=5, D_H=4):
    random = np.random.default_rng(0)
    return random.standard_normal((N_Y, D_H)), random.standard_normal((N_X, D_H))


def steps(s, h):
    """Chapter 2: contexts, weights and scores, step by step."""
    each = [reference.attend(reference.dot_score, s_t, h) for s_t in s]
    return [np.stack(part) for part in zip(*each, strict=True)]


def test_a_step_of_chapter_2_is_a_row_of_the_layer():
    s, h = drawn()
    c, a, e = steps(s, h)
    root = np.sqrt(s.shape[1])
    Y, A = reference.attention(s * root, h, h)
    np.testing.assert_allclose((s * root) @ h.T / root, e, atol=1e-12)
    np.testing.assert_allclose(A, a, atol=1e-12)
    np.testing.assert_allclose(Y, c, atol=1e-12)


def test_the_recorded_translator_looks_as_the_layer_does(sentence):
    s, h, own = sentence
    assert own.shape == (len(s), len(h))
    c, a, _ = steps(s, h)
    Y, A = reference.attention(s * np.sqrt(s.shape[1]), h, h)
    np.testing.assert_allclose(A, a, atol=1e-12)
    np.testing.assert_allclose(Y, c, atol=1e-12)
    np.testing.assert_allclose(A, own, atol=1e-5)
    kept = runs.sentence_with("minister", runs.kept_attention(runs.load(RUN)))
    np.testing.assert_allclose(own, kept.A, atol=1e-2)  # kept in half precision


def test_attend_is_torchs():
    generator = torch.Generator().manual_seed(0)
    shapes = (2, 3, 4), (2, 5, 4), (2, 5, 7)
    Q, K, V = (torch.randn(*shape, generator=generator) for shape in shapes)
    Y, A = solutions.attend(Q, K, V)
    torch.testing.assert_close(Y, F.scaled_dot_product_attention(Q, K, V))
    torch.testing.assert_close(A @ V, Y)


def test_which_slips_are_noticed_at_which_shapes(as_a_reader):
    table = compared()
    different, same = ("all sizes different", "all sizes 4")
    for name in ("K and V exchanged", "transposed mask"):
        assert table[name][different] == "an error"
        assert table[name][same] > 0.1
    for shape in (different, same):
        assert table["softmax over the queries"][shape] > 0.1
    assert table["root of D_V"][different] > 0.01
    assert table["root of D_V"][same] < 1e-6
