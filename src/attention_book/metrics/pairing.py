"""What every metric asks for: as many hypotheses as references, all lists of words."""

from collections.abc import Sequence

Sentences = Sequence[Sequence[str]]


def check_paired(hypotheses: Sentences, references: Sentences) -> None:
    """Raise unless every hypothesis has its reference.

    Raises
    ------
    ValueError
        If there is nothing to compare, the counts differ, or a reference is empty.
    TypeError
        If a sentence is one string instead of a list of words.
    """
    if len(hypotheses) != len(references):
        raise ValueError(
            f"{len(hypotheses)} hypotheses but {len(references)} references: they must "
            "be paired"
        )
    if not len(references):
        raise ValueError(
            "hypotheses and references are empty: there is nothing to measure"
        )
    for name, sentences in (("hypotheses", hypotheses), ("references", references)):
        for i, sentence in enumerate(sentences):
            if isinstance(sentence, str):
                raise TypeError(
                    f"{name}[{i}] is the string {sentence!r}, expected a list of "
                    "words: split it first"
                )
    if not all(len(reference) for reference in references):
        raise ValueError(
            "a reference is empty: every reference needs at least one word"
        )
