"""What every metric asks for: for each hypothesis a reference, or several; all of them
lists of words.
"""

from collections.abc import Sequence
from typing import Any

Sentences = Sequence[Sequence[str]]
References = Sequence[Sequence[Any]]  # for each a list of words, or of such lists


def check_paired(hypotheses: Sentences, references: Sentences) -> None:
    """Raise unless every hypothesis has its one reference."""
    if any(len(each) > 1 for each in alternatives(hypotheses, references)):
        raise TypeError(
            "a hypothesis has several references, expected one each: bleu and "
            "exact_match take several"
        )


def alternatives(hypotheses: Sentences, references: References) -> list[Sentences]:
    """Check that every hypothesis has references, and give a list of them for each."""
    if len(hypotheses) != len(references):
        raise ValueError(
            f"{len(hypotheses)} hypotheses but {len(references)} references: they must "
            "be paired, and several references of one hypothesis stand in a list of "
            "their own"
        )
    if not len(references):
        raise ValueError(
            "hypotheses and references are empty: there is nothing to measure"
        )
    each: list[Sentences] = []
    for i, (hypothesis, given) in enumerate(zip(hypotheses, references, strict=True)):
        _check_words(f"hypotheses[{i}]", hypothesis)
        several = not isinstance(given, str) and any(
            not isinstance(one, str) for one in given
        )
        each.append(list(given) if several else [given])
        for reference in each[-1]:
            _check_words(f"references[{i}]", reference)
            if not len(reference):
                raise ValueError(
                    "a reference is empty: every reference needs at least one word"
                )
    return each


def _check_words(name: str, sentence: Sequence[str]) -> None:
    if isinstance(sentence, str):
        raise TypeError(
            f"{name} is the string {sentence!r}, expected a list of words: split it "
            "first"
        )
    for word in sentence:
        if not isinstance(word, str) or word.split() != [word]:
            raise ValueError(f"{name} holds {word!r}, expected words without a space")
