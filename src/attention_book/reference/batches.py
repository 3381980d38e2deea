"""What must not depend on padding, nor a test on what it is to find out.

    contexts   c_b, a_b = attention of s_b over the first lengths[b] rows of h_b
    words      share of the references' words that the model, writing alone, has right

Padding is there because tensors are rectangular; the right words are there to be
compared with. Neither may be seen by the model.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from jaxtyping import Float

from attention_book.reference.decoding import greedy
from attention_book.reference.masks import padding_mask
from attention_book.reference.softmax import softmax


def contexts(
    s: Float[np.ndarray, "B D_S"],
    h: Float[np.ndarray, "B N_X D_S"],
    lengths: Sequence[int],
) -> tuple[Float[np.ndarray, "B D_S"], Float[np.ndarray, "B N_X"]]:
    """Take one attention step, with dot scores, in every sentence of a batch.

    What stands behind a sentence's length is padding, and gets weight 0.
    """
    e = np.einsum("bd,bnd->bn", s, h)
    a = softmax(np.where(padding_mask(np.asarray(lengths), h.shape[1]), e, -np.inf))
    return np.einsum("bn,bnd->bd", a, h), a


def words_right(
    step: Callable[[int, tuple[int, ...]], Float[np.ndarray, "N_words"]],
    start: int,
    stop: int,
    references: Sequence[Sequence[int]],
    max_words: int,
) -> float:
    """Let the model write alone, and count the words it has right, place by place.

    It writes once for each reference.

    `step` is that of `greedy`, but gets the number of the sentence first: `step(b,
    words)`.
    """
    if not references:
        raise ValueError("references is empty: there is nothing to count")
    written = [
        greedy(partial(step, b), start, stop, max_words) for b in range(len(references))
    ]
    pairs = zip(written, references, strict=True)
    hits = sum(
        word == wanted
        for said, right in pairs
        for word, wanted in zip(said, right, strict=False)
    )
    return hits / sum(map(len, references))
