"""MaskAndHeads: the weights are those of the reference, under every mask."""

import numpy as np
import pytest

from attention_book.chapters.masks_and_heads.mask_and_heads import (
    HEAD,
    HEADS,
    SEED,
    VISIBLE,
    WORDS,
    D,
    presets,
    scores,
)
from attention_book.chapters.masks_and_heads.widgets import mask_and_heads
from attention_book.reference import multi_head

N = len(WORDS)
LABELS = [f"{k + 1} of {N_heads}" for k, N_heads in HEADS]


@pytest.fixture(scope="module")
def widget():
    return mask_and_heads()


def shown(widget, head, visible):
    """The map of the head, and those of all heads."""
    widget.setting = {HEAD: head, VISIBLE: visible}
    return [panel.fields["values"].at(widget.index) for panel in widget.panels]


def weights(N_heads, visible):
    """A of the reference, from the same draw."""
    random = np.random.default_rng(SEED)
    X = random.normal(size=(N, D))
    W_Q, W_K = random.normal(scale=np.sqrt(3 / D), size=(2, D, D))
    _, A = multi_head(X, W_Q, W_K, np.eye(D), np.eye(D), N_heads, visible != 0)
    return A


def masks():
    random = np.random.default_rng(1)
    yield from presets().values()
    for _ in range(5):
        yield np.maximum(random.integers(0, 2, (N, N)), np.eye(N))


@pytest.mark.parametrize("visible", list(masks()))
@pytest.mark.parametrize("head", range(len(HEADS)))
def test_weights_are_those_of_the_reference_under_any_mask(widget, head, visible):
    k, N_heads = HEADS[head]
    one, every = shown(widget, LABELS[head], visible)
    A = weights(N_heads, visible)
    np.testing.assert_allclose(every, A, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(one, every[k])
    np.testing.assert_allclose(one.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (one[visible == 0] == 0).all()


@pytest.mark.parametrize("N_heads", [1, 2, 4])
def test_what_is_hidden_from_cat_changes_the_weights_of_cat_alone(widget, N_heads):
    visible = presets()["causal"]
    _, before = shown(widget, f"1 of {N_heads}", visible)
    visible[WORDS.index("cat"), WORDS.index("[START]")] = 0
    _, after = shown(widget, f"1 of {N_heads}", visible)
    moved = np.abs(after - before).max(axis=2) > 0
    assert moved.tolist() == [[word == "cat" for word in WORDS]] * N_heads


def test_a_word_that_may_look_nowhere_is_said_and_has_no_weights(widget):
    visible = presets()["all"]
    visible[WORDS.index("cat")] = 0
    one, every = shown(widget, "1 of 2", visible)
    assert np.isnan(one[2]).all()
    assert np.isnan(every[:, 2]).all()
    assert np.isfinite(np.delete(one, 2, axis=0)).all()
    _, first, *_ = widget.still()
    assert "; cat may look nowhere; sits attends" in first
    assert "nan" not in " ".join(widget.still())


def test_heads_can_be_told_apart():
    for N_heads in (2, 4):
        A = weights(N_heads, presets()["causal"])[:, 2:]
        apart = [
            np.abs(A[i] - A[j]).sum(axis=-1).mean() / 2
            for i in range(N_heads)
            for j in range(i)
        ]
        assert min(apart) > 0.5
    assert scores(1).shape == (1, N, N)


def test_the_presets_are_the_masks_of_their_names():
    named = {
        "all": lambda i, j: True,
        "causal": lambda i, j: j <= i,
        "window": lambda i, j: abs(i - j) < 2,
        "padding": lambda i, j: j < 5,
    }
    for name, mask in presets().items():
        assert mask.tolist() == [
            [float(named[name](i, j)) for j in range(N)] for i in range(N)
        ]
    assert set(presets()) == set(named)


def test_it_opens_causal_with_four_heads_and_fits_a_screen():
    widget = mask_and_heads()
    assert widget.setting[HEAD] == "1 of 4"
    np.testing.assert_array_equal(widget.setting[VISIBLE], presets()["causal"])
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760
