"""Sentences against their references: BLEU, exact match and token accuracy.

Sentences are lists of words. Token accuracy is for copying and reversing, where the
place is the task: one word left out shifts all that follow, and all count as wrong.
BLEU (Papineni et al., 2002), how many runs of 1 to 4 words are in the reference, is
computed by sacrebleu (Post, 2018), so that the figure is the one everybody means.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import sacrebleu

Sentences = Sequence[Sequence[str]]
References = Sequence[Sequence[Any]]  # for each a list of words, or of such lists


def bleu(hypotheses: Sentences, references: References) -> float:
    """Corpus BLEU of tokenised sentences.

    A reference is a list of words, or a list of several, of which runs of words count
    that are in any. 100 needs a sentence of four words.
    """
    each = alternatives(hypotheses, references)
    said = [" ".join(sentence) for sentence in hypotheses]
    wanted = [[" ".join(sentence) for sentence in several] for several in each]
    # sacrebleu wants the first references of all, then the second; None where there is
    # none
    streams = list(zip_longest(*wanted))
    # force: sacrebleu would warn that the text looks tokenised, which it is
    return sacrebleu.corpus_bleu(said, streams, tokenize="none", force=True).score


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


def token_accuracy(hypotheses: Sentences, references: Sentences) -> float:
    """Share of reference words met at the same place of the hypothesis.

    Words missing from a hypothesis are wrong; extra words do not count.
    """
    if any(len(each) > 1 for each in alternatives(hypotheses, references)):
        raise TypeError(
            "a hypothesis has several references, expected one each: bleu and "
            "exact_match take several"
        )
    right = sum(
        word == wanted
        for hypothesis, reference in zip(hypotheses, references, strict=True)
        for word, wanted in zip(hypothesis, reference, strict=False)
    )
    return right / sum(len(reference) for reference in references)


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
