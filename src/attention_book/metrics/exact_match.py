"""Exact match: the share of outputs that are right in every word. Harsh and clear."""

from attention_book.metrics.pairing import References, Sentences, alternatives


def exact_match(hypotheses: Sentences, references: References) -> float:
    """Share of hypotheses that equal a reference of theirs word for word.

    Parameters
    ----------
    hypotheses : sequence of N sentences, each a list of words
        Outputs.
    references : sequence of N
        For each output what it should be, a list of words, or what it may be, a list of
        such lists.

    Returns
    -------
    float
        0 to 1.
    """
    each = alternatives(hypotheses, references)
    right = [
        list(hypothesis) in map(list, several)
        for hypothesis, several in zip(hypotheses, each, strict=True)
    ]
    return sum(right) / len(right)
