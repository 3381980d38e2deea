"""What can be read from a network's vectors: a reader's own labels at [CLS], and the
topics of nouns, block by block.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from sklearn.neighbors import NearestCentroid
from torch import Tensor, nn

from attention_book.chapters.pretraining.exam import sides
from attention_book.chapters.pretraining.sentences import (
    MASK,
    TOPIC_OF,
    encode,
    held_out,
)
from attention_book.data import PAD
from attention_book.decoding.mode import evaluating
from attention_book.runs import RecordedRun
from attention_book.training import seeded
from attention_book.widgets.functions import trained_head

# a head that the reader trains in the page
FOOD = ["bread", "apple", "cheese", "cake", "orange"]
OTHERS = ["letter", "teacher", "city", "table", "report"]
SAW = "we saw the {} ."
WITH_NOT = [
    "we did not see the bread .",
    "she did not write this letter .",
    "they did not visit the city .",
    "he did not buy a car .",
    "i did not support the minister .",
]
WITHOUT_NOT = [
    "we saw the bread .",
    "she wrote this letter .",
    "they visited the city .",
    "he bought a car .",
    "i supported the minister .",
]
NEW_NOUNS = ["rice", "egg", "meat", "book", "minister", "garden"]
HEAD_STEPS, HEAD_RATE = 300, 0.3
N_EACH = 250  # sentences for each topic


def network_after(run: RecordedRun, step: int) -> nn.Module:
    """The first seed's network after a step that was kept; untrained, after 0 steps."""
    with seeded(next(iter(run.measured))):
        model = run.recipe.task.model()
    if step:
        kept = run.kept("weights", step).items()
        model.load_state_dict({name: torch.as_tensor(W) for name, W in kept})
    return model.eval()


def vectors_at_cls(
    model: Any, nouns: Sequence[str], frame: str = SAW
) -> Float[np.ndarray, "N_nouns D"]:
    """What a network makes of *we saw the ...*, or of another frame, at [CLS].

    In the frame "{}" a sentence takes the place of a noun.
    """
    ids, segments = encode([(tuple(frame.format(noun).split()),) for noun in nouns])
    with evaluating(model):
        return model.pooled(model(ids, segments, ids != PAD)).numpy()


def head_says(
    model: Any,
    wanted: Sequence[str],
    labelled: Sequence[str] = (*FOOD, *OTHERS),
    asked: Sequence[str] = NEW_NOUNS,
    frame: str = SAW,
) -> dict[str, float]:
    """Train a head on ten nouns, of which some are wanted, and ask it of others; on ten
    sentences with the frame "{}".
    """
    X, Y = (vectors_at_cls(model, some, frame) for some in (labelled, asked))
    labels = np.array([float(noun in wanted) for noun in labelled])
    said = trained_head(X, labels, Y, HEAD_STEPS, HEAD_RATE)
    return dict(zip(asked, said.tolist(), strict=True))


def topics_told(model: Any, *, hidden: bool, splits: int = 10) -> list[float]:
    """Tell the topics of nouns in unseen sentences by their vectors.

    Each vector gets the topic whose mean is nearest. Half of the nouns give the means,
    and the others are tested: the nouns are shared out as for as many exams as there
    are `splits`. Gives the mean share that is right, by the vectors that enter the
    blocks and by those that leave each. A noun that is `hidden` is read as [MASK].
    """
    rng, vectors = Random("topics"), list[Tensor]()
    known = {form: noun for noun in TOPIC_OF for form in noun.en}
    found = [
        (
            words,
            max(n for n, w in enumerate(words) if TOPIC_OF.get(known.get(w)) == topic),
        )
        for topic, some in held_out().items()
        for words in rng.sample(some, N_EACH)
    ]
    texts, places = zip(*found, strict=True)
    nouns = [known[words[n]] for words, n in found]
    topics = np.array([TOPIC_OF[noun] for noun in nouns])
    ids, segments = encode([(words,) for words in texts])
    place = torch.arange(len(ids)), torch.tensor(places) + 1  # behind [CLS]
    if hidden:
        ids[place] = MASK

    def keep(block: nn.Module, given: Any, made: Any) -> None:
        vectors.extend(
            [made[0][place]] if vectors else [given[0][place], made[0][place]]
        )

    hooks = [block.register_forward_hook(keep) for block in model.encoder.blocks]
    with evaluating(model):
        model(ids, segments, ids != PAD)
    for hook in hooks:
        hook.remove()
    right = []
    for split in range(splits):
        first, _ = sides(split)
        means = np.array([noun in first.all_nouns for noun in nouns])
        right.append(
            [
                NearestCentroid()
                .fit(X[means], topics[means])
                .score(X[~means], topics[~means])
                for X in vectors
            ]
        )
    return np.mean(right, axis=0).tolist()
