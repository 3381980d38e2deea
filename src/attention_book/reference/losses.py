"""How wrong a prediction of words is: the mean surprise at the right ones.

    surprise = -log P(right word)      P = softmax(logits)

Which words are averaged over is half of the definition: real words and not padding; in BERT [devlin2019bert] only
those that were hidden from the model. Label smoothing [szegedy2016rethinking] asks for a little probability on every
word, so that certainty never pays.
"""

import numpy as np
from jaxtyping import Bool, Float, Int


def log_softmax(logits: Float[np.ndarray, "*axes N_words"]) -> Float[np.ndarray, "*axes N_words"]:
    """Logarithm of softmax, without ever forming a probability that may round to 0."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def word_loss(
    logits: Float[np.ndarray, "B N_Y N_words"], target: Int[np.ndarray, "B N_Y"], real: Bool[np.ndarray, "B N_Y"]
) -> float:
    """Average the surprise over the words that count.

    Parameters
    ----------
    logits : array, shape (B, N_Y, N_words)
        What the model says at each position.
    target : array of int, shape (B, N_Y)
        The right word's id.
    real : array of bool, shape (B, N_Y)
        True where the position counts: a word and not padding; for BERT, a word that was hidden.

    Returns
    -------
    float
        In nats per word.

    Raises
    ------
    ValueError
        If no position counts.
    """
    if not real.any():
        raise ValueError("real is False everywhere: there is no word to average over")
    log_p = log_softmax(logits)
    surprise = -np.take_along_axis(log_p, target[..., None], axis=-1)[..., 0]
    return float(surprise[real].mean())


def smoothed_loss(logits: Float[np.ndarray, "N N_words"], target: Int[np.ndarray, "N"], epsilon: float) -> float:
    """Average the cross-entropy with a softened answer: 1 - epsilon on the right word, epsilon shared out among all.

    The share goes to all N_words words, the right one among them, as torch's `cross_entropy` does it.

    Raises
    ------
    ValueError
        If `epsilon` is not in [0, 1).
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon is {epsilon}, expected 0 to below 1")
    log_p = log_softmax(logits)
    N_words = logits.shape[-1]
    answer = (1 - epsilon) * np.eye(N_words)[target] + epsilon / N_words
    return float(-(answer * log_p).sum(axis=-1).mean())
