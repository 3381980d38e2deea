"""Asked without labels: how surprising each word of a sentence is, to a network or by
counts, and what broken sentences and verbs that tells.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.chapters.pretraining.in_page import in_turn
from attention_book.chapters.pretraining.sentences import (
    MASK,
    WORDS,
    Text,
    Words,
    encode,
    text,
)
from attention_book.data import PAD
from attention_book.decoding.mode import evaluating

Bits = Callable[[Words], Float[np.ndarray, " N"]]

N_PAIRS = 250  # broken sentences and whole ones that are told apart
PRIOR = 2  # as many sightings count for what is expected of neighbours rarely seen


def bits_in_turn(model: Any, words: Words) -> Float[np.ndarray, " N"]:
    """Hide each word of a sentence in turn: the surprise at it, in bits."""
    source, _ = encode([(words,)])
    with evaluating(model):
        return in_turn(model, source)["bits"][0].numpy()


def verbs_told(model: Any, both: Sequence[Sequence[Text]]) -> float:
    """Share of sentences in which the right form of the verb is the likelier one.

    Each of `both` is a sentence with the verb in the wrong number, and itself when
    whole; the verb is all that is hidden.
    """
    (broken, _), (fine, segments) = map(encode, zip(*both, strict=True))
    verbs = fine != broken  # (B, N), one in each row
    hidden = fine.masked_fill(verbs, MASK)
    with evaluating(model):
        logits = model.words(model(hidden, segments, hidden != PAD)[verbs])
    wrong, right = (logits.gather(1, ids[verbs][:, None]) for ids in (broken, fine))
    return (right > wrong).double().mean().item()


def counted_bits(words: Words) -> Float[np.ndarray, " N"]:
    """The surprise at each word between its two neighbours, by counts in the text.

    Where the two were rarely seen together, what was seen beside either of them counts
    for more, and then how often the word was seen at all.
    """
    counts = _trios()

    def P(left: str, word: str, right: str) -> float:
        def share(left: str, right: str, rarely: float) -> float:
            seen, all_seen = counts[left, word, right], counts[left, "", right]
            return (seen + PRIOR * rarely) / (all_seen + PRIOR)

        alone = share("", "", 1 / len(WORDS))
        beside = (share(left, "", alone) + share("", right, alone)) / 2
        return share(left, right, beside)

    return -np.log2([P(*trio) for trio in _in_trios(words)])


@cache
def _trios() -> Counter[tuple[str, str, str]]:
    """Count each word of the text with its neighbours; "" stands for any word."""
    return Counter(
        seen
        for some in text().values()
        for words in some
        for trio in _in_trios(words)
        for seen in product(*((word, "") for word in trio))
    )


def _in_trios(words: Words) -> Iterator[tuple[str, str, str]]:
    framed = ("[CLS]", *words, "[SEP]")
    return zip(framed, framed[1:], framed[2:], strict=False)


def told_apart(bits: Bits, both: Sequence[Sequence[Text]]) -> dict[str, float]:
    """Tell broken sentences from whole ones without labels, by their least likely word.

    Each of `both` is a broken sentence and itself when whole; `bits` gives the surprise
    at each word. Of two sentences the broken one should hold the greater surprise:
    "any", the share of all pairs of a broken sentence and a whole one where it does,
    the area under the ROC curve; "own", the same of each with itself.
    """
    broken, fine = (
        np.array([bits(words).max() for (words,) in texts])
        for texts in zip(*both, strict=True)
    )
    return {"any": _greater(broken[:, None], fine), "own": _greater(broken, fine)}


def _greater(broken: np.ndarray, fine: np.ndarray) -> float:
    """Share that is greater; equals count half."""
    return ((broken > fine) + (broken == fine) / 2).mean().item()
