"""BLEU (Papineni et al., 2002): how many runs of 1 to 4 words are in the reference.

From 0 to 100.
Computed by sacrebleu (Post, 2018), so that the figure is the one everybody means.
"""

import sacrebleu

from attention_book.metrics.pairing import Sentences, check_paired


def bleu(hypotheses: Sentences, references: Sentences) -> float:
    """Corpus BLEU of tokenised sentences.

    Parameters
    ----------
    hypotheses, references : sequences of N sentences, each a list of words
        Outputs, and one reference each. The words are taken as they are.

    Returns
    -------
    float
        0 to 100; 100 if every sentence is right and at least one has four words or
        more.

    Raises
    ------
    ValueError, TypeError
        As `check_paired`.
    """
    check_paired(hypotheses, references)
    said = [" ".join(sentence) for sentence in hypotheses]
    wanted = [" ".join(sentence) for sentence in references]
    # force: sacrebleu would warn that the text looks tokenised, which it is
    return sacrebleu.corpus_bleu(said, [wanted], tokenize="none", force=True).score
