"""Exact match: the share of outputs that are right in every word. Harsh and clear."""

from attention_book.metrics.pairing import Sentences, check_paired


def exact_match(hypotheses: Sentences, references: Sentences) -> float:
    """Share of hypotheses that equal their reference word for word.

    Parameters
    ----------
    hypotheses, references : sequences of N sentences, each a list of words
        Outputs, and what they should be.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError, TypeError
        As `check_paired`.
    """
    check_paired(hypotheses, references)
    right = [list(h) == list(r) for h, r in zip(hypotheses, references, strict=True)]
    return sum(right) / len(right)
