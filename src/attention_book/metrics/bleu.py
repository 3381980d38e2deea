"""BLEU (Papineni et al., 2002): how many runs of 1 to 4 words are in the reference.

From 0 to 100.
Computed by sacrebleu (Post, 2018), so that the figure is the one everybody means.
"""

from itertools import zip_longest

import sacrebleu

from attention_book.metrics.pairing import References, Sentences, alternatives


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
