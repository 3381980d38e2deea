"""Exact match: the share of outputs that are right in every word. Harsh and clear."""

from attention_book.metrics.pairing import References, Sentences, alternatives


def exact_match(hypotheses: Sentences, references: References) -> float:
    """Share of hypotheses that equal a reference of theirs word for word.

    A reference is a list of words, or a list of several.
    """
    each = alternatives(hypotheses, references)
    right = [
        list(hypothesis) in map(list, several)
        for hypothesis, several in zip(hypotheses, each, strict=True)
    ]
    return sum(right) / len(right)
