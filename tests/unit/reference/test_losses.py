"""The NumPy losses against torch's, which nobody here wrote, and against their laws."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from parity import agree

from attention_book.reference import log_softmax, smoothed_loss, word_loss

B, N_Y, N_words = 3, 4, 6
TOLERANCE = 1e-10
rng = np.random.default_rng(0)
LOGITS = 3 * rng.normal(size=(B, N_Y, N_words))
TARGET = rng.integers(N_words, size=(B, N_Y))
REAL = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, 0]], dtype=bool)


@given(arrays(np.float64, (2, 3, 5), elements=st.floats(-1e3, 1e3)))
def test_log_softmax_agrees_with_torch(logits):
    theirs = torch.log_softmax(torch.from_numpy(logits), dim=-1).numpy()
    agree(log_softmax(logits), theirs, TOLERANCE)


def test_the_mean_over_real_words_is_torchs_with_the_others_ignored():
    target = torch.from_numpy(np.where(REAL, TARGET, -100))
    theirs = F.cross_entropy(
        torch.from_numpy(LOGITS).transpose(1, 2), target, ignore_index=-100
    )
    assert word_loss(LOGITS, TARGET, REAL) == pytest.approx(
        theirs.item(), abs=TOLERANCE
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.7, 1.0])
def test_label_smoothing_is_torchs(epsilon):
    theirs = F.cross_entropy(
        torch.from_numpy(LOGITS).flatten(0, 1),
        torch.from_numpy(TARGET).flatten(),
        label_smoothing=epsilon,
    )
    assert smoothed_loss(LOGITS, TARGET, epsilon) == pytest.approx(
        theirs.item(), abs=TOLERANCE
    )


@pytest.mark.parametrize("shift", [-1e4, 1e4])
def test_logits_of_any_size_do_no_harm(shift):
    assert word_loss(LOGITS + shift, TARGET, REAL) == pytest.approx(
        word_loss(LOGITS, TARGET, REAL), abs=1e-9
    )


def test_an_almost_impossible_word_has_a_finite_price():
    assert (
        word_loss(np.array([[[0.0, -2000.0]]]), np.array([[1]]), np.array([[True]]))
        == 2000
    )


def smoothed(logits, target, real):
    return smoothed_loss(logits, target, 0.1)


@pytest.mark.parametrize("loss", [word_loss, smoothed])
@pytest.mark.parametrize(
    ("logits", "target", "says"),
    [
        (
            LOGITS[:, :2],
            TARGET,
            r"logits has shape \(3, 2, 6\), expected \(3, 4\) as target",
        ),
        (LOGITS[..., :0], TARGET, "logits has shape"),
        (np.where(LOGITS > 2, np.nan, LOGITS), TARGET, "logits holds NaN or infinity"),
        (LOGITS, TARGET - 1, "target holds ids from -1 to"),
        (LOGITS, TARGET + 1, "to 6, expected 0 to 5"),
    ],
    ids=["shape", "no words", "NaN", "negative id", "no such word"],
)
def test_what_does_not_fit_is_named(as_a_reader, loss, logits, target, says):
    with pytest.raises(ValueError, match=says):
        loss(logits, target, REAL)


@pytest.mark.parametrize(
    "real",
    [REAL[:, :2], np.tile(REAL, 2), np.zeros_like(REAL)],
    ids=["too small", "too large", "nothing"],
)
def test_a_mean_over_nothing_is_refused(as_a_reader, real):
    with pytest.raises(ValueError, match="real has shape"):
        word_loss(LOGITS, TARGET, real)


@pytest.mark.parametrize("epsilon", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_named(as_a_reader, epsilon):
    with pytest.raises(ValueError, match="epsilon is"):
        smoothed_loss(LOGITS, TARGET, epsilon)
