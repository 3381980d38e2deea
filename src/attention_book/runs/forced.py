"""Forced decoding over pairs: where a model looks while it is shown right answers, and
what is kept of that along training.

Of each sentence of a recurrent model two arrays are kept, the scores and the first
entries of the encoder's states; the weights are the softmax of the scores.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float

from attention_book.data import Pair, Vocabulary, collate_pairs
from attention_book.data.batching import groups
from attention_book.decoding import forced_decoding
from attention_book.decoding.mode import evaluating
from attention_book.devices import device_of, moved
from attention_book.runs.evaluation import SENTENCES_AT_ONCE, translate
from attention_book.runs.recorded import RecordedRun

END = "[STOP]"
D_KEPT = 12  # entries of h_i that are kept
ATTENTION = "attention"  # the name under which a task keeps it


@dataclass(frozen=True, eq=False)  # arrays do not compare to one truth value
class SentenceAttention:
    """Where a model looks while it is shown one sentence and its right translation.

    Both sides include [STOP]; row t of the scores `e` and the weights `A` belongs to
    the step that is to write target word t. `h` are the first entries of each encoder
    state, `said` is what the model writes when nobody helps.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]]
    e: Float[np.ndarray, "N_Y N_X"]
    A: Float[np.ndarray, "N_Y N_X"]
    h: Float[np.ndarray, "N_X D_kept"]
    said: tuple[str, ...]

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "SentenceAttention":
        """A sentence as `keep_attention` keeps it; A is the softmax of what is kept."""
        return cls(
            source=(*kept["source"], END),
            target=(*kept["target"], END),
            alignment=frozenset(map(tuple, kept["alignment"])),
            e=kept["e"],
            A=torch.from_numpy(kept["e"]).softmax(dim=-1).numpy(),
            h=kept["h"],
            said=tuple(kept["said"]),
        )


def forced_attention(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> Iterator[
    tuple[
        Float[np.ndarray, "N_Y N_X"],
        Float[np.ndarray, "N_Y N_X"],
        Float[np.ndarray, "N_X D_H"],
    ]
]:
    """Show a model right translations, and yield of each its weights, scores and
    encoder states.

    Both sides include [STOP]: the last row is the step that should write it, the last
    column the source's.
    """
    for some in groups(pairs, SENTENCES_AT_ONCE):
        batch = collate_pairs(some, source_vocabulary, target_vocabulary)
        source = moved((batch.source, batch.source_visible), device_of(model))
        along = forced_decoding(model, *source, batch.target_in)
        states = torch.stack(along.states, dim=1)  # (B, N_Y + 1, D_S)
        asked = states[:, :-1] if model.scored_state == "previous" else states[:, 1:]
        with evaluating(model):
            memory = model.encode(*source)
            e = model.score(model.asking(asked), memory.keys).cpu().numpy()
        h, A = memory.h.cpu().numpy(), along.attention.numpy()
        for b, pair in enumerate(some):
            N_Y, N_X = len(pair.target) + 1, len(pair.source) + 1
            yield A[b, :N_Y, :N_X], e[b, :N_Y, :N_X], h[b, :N_X]


def cross_attention(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    stop: bool = False,
) -> list[Float[np.ndarray, "N_blocks N_heads _ _"]]:
    """Where each head of a Transformer looks while it is shown right targets.

    Row t is the step that is to write word t. The last column is the source's [STOP];
    with `stop`, a last row is the step that is to write the target's.
    """
    looked = []
    for some in groups(pairs, SENTENCES_AT_ONCE):
        batch = collate_pairs(some, source_vocabulary, target_vocabulary)
        with torch.no_grad():
            A = model.cross_attention(
                batch.source, batch.source_visible, batch.target_in
            ).numpy()
        for pair, each in zip(some, A, strict=True):
            N_Y, N_X = len(pair.target) + stop, len(pair.source) + 1
            looked.append(each[:, :, :N_Y, :N_X])
    return looked


def keep_attention(
    model: Any,
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
) -> dict[str, list[dict[str, Any]]]:
    """What a task keeps of sentences: where the model looks while it is shown them, and
    what it would have written itself. `kept_attention` reads it again.
    """
    words = source_vocabulary, target_vocabulary
    said = translate(model, [pair.source for pair in pairs], *words)
    shown = forced_attention(model, pairs, *words)
    sentences = [
        {
            "source": pair.source,
            "target": pair.target,
            "alignment": sorted(pair.alignment),
            "said": own,
            "e": e,
            "h": h[:, :D_KEPT],
        }
        for pair, own, (_, e, h) in zip(pairs, said, shown, strict=True)
    ]
    return {ATTENTION: sentences}


def kept_attention(
    run: RecordedRun, step: int | None = None
) -> list[SentenceAttention]:
    """Where the first seed of a recorded run looked, in the sentences that its task
    keeps.

    `step` is one of `run.kept_at`; the end unless told otherwise.
    """
    return [SentenceAttention.of(kept) for kept in run.kept(ATTENTION, step)]


def sentence_with(
    word: str, sentences: Sequence[SentenceAttention]
) -> SentenceAttention:
    """The one sentence among those kept whose source has a word."""
    found = [one for one in sentences if word in one.source]
    if len(found) != 1:
        sources = "; ".join(" ".join(one.source) for one in sentences)
        raise ValueError(
            f"{word!r} stands in {len(found)} of the sentences, expected one: {sources}"
        )
    return found[0]
