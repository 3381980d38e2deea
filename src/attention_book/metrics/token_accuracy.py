"""Token accuracy: the share of reference words that the output has at their place.

One word left out shifts all that follow, and all of them count as wrong. That is right
for copying and reversing, where the place is the task, and too harsh for translation:
use BLEU there.
"""

from attention_book.metrics.pairing import Sentences, check_paired


def token_accuracy(hypotheses: Sentences, references: Sentences) -> float:
    """Share of reference words met at the same place of the hypothesis.

    Words missing from a hypothesis are wrong; extra words do not count.
    """
    check_paired(hypotheses, references)
    right = sum(
        word == wanted
        for hypothesis, reference in zip(hypotheses, references, strict=True)
        for word, wanted in zip(hypothesis, reference, strict=False)
    )
    return right / sum(len(reference) for reference in references)
