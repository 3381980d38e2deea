"""What training makes small: the surprise at the right word.

    loss = - mean log P(y_t)        P = softmax(logits)

The mean is over the words that count: not over padding, and in BERT over the places
chosen to be guessed [devlin2019bert]. With label smoothing [szegedy2016rethinking]:

    loss = - mean sum_w q_w log P(w)
    q_w  = (1 - epsilon) [w = y_t] + epsilon / N_words
"""

import numpy as np
from jaxtyping import Bool, Float, Int

from attention_book.shapes import check_finite


def log_softmax(
    logits: Float[np.ndarray, "*axes N_words"],
) -> Float[np.ndarray, "*axes N_words"]:
    """Give log P of every word: logits minus the logarithm of the sum of their exp.

    Never the logarithm of a softmax: a probability that has become 0 in between has no
    logarithm.
    """
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def word_loss(
    logits: Float[np.ndarray, "*axes N_words"],
    target: Int[np.ndarray, "*axes"],
    real: Bool[np.ndarray, "*axes"],
) -> float:
    """Average the surprise over the real words of a batch.

    `target` holds any id where `real` is False. In nats.
    """
    _check_fit(logits, target)
    if real.shape != target.shape or not real.any():
        raise ValueError(
            f"real has shape {real.shape} and {real.sum()} True, expected "
            f"{target.shape} and at least one"
        )
    right = np.take_along_axis(log_softmax(logits), target[..., None], axis=-1)[..., 0]
    surprise = -right
    return float(surprise[real].mean())


def masked_word_loss(
    logits: Float[np.ndarray, "*axes N_words"],
    target: Int[np.ndarray, "*axes"],
    chosen: Bool[np.ndarray, "*axes"],
) -> float:
    """Average the surprise over the words that BERT is asked for [devlin2019bert]."""
    return word_loss(logits, target, chosen)


def smoothed_loss(
    logits: Float[np.ndarray, "*axes N_words"],
    target: Int[np.ndarray, "*axes"],
    epsilon: float,
) -> float:
    """Average the cross-entropy with targets that are never quite sure.

    `epsilon` is spread evenly over all words, the right one included. In nats a word.
    """
    _check_fit(logits, target)
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon is {epsilon}, expected from 0 to 1")
    N_words = logits.shape[-1]
    right = np.eye(N_words)[target]  # 1 at the right word
    q = (1 - epsilon) * right + epsilon / N_words
    cross_entropy = -(q * log_softmax(logits)).sum(axis=-1)
    return float(cross_entropy.mean())


def _check_fit(logits, target):
    if logits.shape[:-1] != target.shape or logits.size == 0:
        raise ValueError(
            f"logits has shape {logits.shape}, expected {target.shape} as target, and "
            "scores for all words"
        )
    check_finite("logits", logits)
    if target.min() < 0 or target.max() >= logits.shape[-1]:
        raise ValueError(
            f"target holds ids from {target.min()} to {target.max()}, expected 0 to "
            f"{logits.shape[-1] - 1}"
        )
